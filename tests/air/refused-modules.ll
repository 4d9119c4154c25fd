; What a module may not contain is refused, and the message names it.
; RUN: split-file %s %t
; RUN: not metalloid-opt %t/triple.ll --stage=verify 2>&1 | FileCheck %s --check-prefix=TRIPLE
; RUN: not metalloid-opt %t/module-asm.ll --stage=verify 2>&1 | FileCheck %s --check-prefix=MODULE-ASM
; RUN: not metalloid-opt %t/asm.ll --stage=verify 2>&1 | FileCheck %s --check-prefix=ASM
; RUN: not metalloid-opt %t/undefined.ll --stage=verify 2>&1 | FileCheck %s --check-prefix=UNDEFINED
; RUN: not metalloid-opt %t/unknown-air.ll --stage=verify 2>&1 | FileCheck %s --check-prefix=UNKNOWN-AIR
; RUN: not metalloid-opt %t/wrong-type.ll --stage=verify 2>&1 | FileCheck %s --check-prefix=WRONG-TYPE
; RUN: not metalloid-opt %t/intrinsic.ll --stage=verify 2>&1 | FileCheck %s --check-prefix=INTRINSIC
; RUN: not metalloid-opt %t/variable.ll --stage=verify 2>&1 | FileCheck %s --check-prefix=VARIABLE
; RUN: not metalloid-opt %t/ifunc.ll --stage=verify 2>&1 | FileCheck %s --check-prefix=IFUNC
; RUN: not metalloid-opt %t/indirect.ll --stage=verify 2>&1 | FileCheck %s --check-prefix=INDIRECT
; RUN: not metalloid-opt %t/alloca.ll --stage=verify 2>&1 | FileCheck %s --check-prefix=ALLOCA
; RUN: not metalloid-opt %t/large.ll --stage=verify 2>&1 | FileCheck %s --check-prefix=LARGE
; RUN: not metalloid-opt %t/thread-local.ll --stage=verify 2>&1 | FileCheck %s --check-prefix=THREAD-LOCAL

;--- triple.ll
; TRIPLE: air: the module is for "x86_64-linux-gnu", not for air64
target triple = "x86_64-linux-gnu"

;--- module-asm.ll
; MODULE-ASM: air: the module holds assembly
target triple = "air64-apple-macosx14.0.0"
module asm "nop"

;--- asm.ll
; ASM: air: inline assembly in function "f"
target triple = "air64-apple-macosx14.0.0"
define void @f() {
  call void asm sideeffect "nop", ""()
  ret void
}

;--- undefined.ll
; UNDEFINED: air: function "getenv" is neither defined nor a function of AIR
target triple = "air64-apple-macosx14.0.0"
declare ptr @getenv(ptr)
define void @f() {
  %x = call ptr @getenv(ptr null)
  ret void
}

;--- unknown-air.ll
; UNKNOWN-AIR: air: function "air.make_coffee" is neither defined nor a function of AIR
target triple = "air64-apple-macosx14.0.0"
declare void @air.make_coffee()
define void @f() {
  call void @air.make_coffee()
  ret void
}

;--- wrong-type.ll
; WRONG-TYPE: air: function "air.exp.f32" is declared with a wrong type
target triple = "air64-apple-macosx14.0.0"
declare float @air.exp.f32(i32)
define float @f() {
  %x = call float @air.exp.f32(i32 1)
  ret float %x
}

;--- intrinsic.ll
; INTRINSIC: air: intrinsic "llvm.trap" is not supported
target triple = "air64-apple-macosx14.0.0"
define void @f() {
  call void @llvm.trap()
  ret void
}

;--- variable.ll
; VARIABLE: air: variable "environ" is not defined
target triple = "air64-apple-macosx14.0.0"
@environ = external addrspace(2) global i32

;--- ifunc.ll
; IFUNC: air: "f" is an ifunc
target triple = "air64-apple-macosx14.0.0"
@f = ifunc void (), ptr @resolve
define ptr @resolve() {
  ret ptr null
}

;--- indirect.ll
; INDIRECT: air: a call through a pointer in function "f"
target triple = "air64-apple-macosx14.0.0"
define void @f(ptr %p) {
  call void %p()
  ret void
}

;--- alloca.ll
; ALLOCA: air: a private variable of variable size in function "f"
target triple = "air64-apple-macosx14.0.0"
define void @f(i32 %n) {
  %x = alloca i32, i32 %n
  ret void
}

;--- large.ll
; LARGE: air: more than 65536 bytes of private variables in function "f"
target triple = "air64-apple-macosx14.0.0"
define void @f() {
  %a = alloca [8192 x i64]
  %b = alloca [2305843009213693952 x i64]
  ret void
}

;--- thread-local.ll
; THREAD-LOCAL: air: variable "x" is thread-local
target triple = "air64-apple-macosx14.0.0"
@x = thread_local global i32 0
