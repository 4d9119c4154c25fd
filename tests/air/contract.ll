; Fused multiply-add is decided here, and no fast-math flag is left.
; RUN: metalloid-opt %s --stage=contract | FileCheck %s

target triple = "air64-apple-macosx14.0.0"

declare float @llvm.fmuladd.f32(float, float, float)
declare <2 x half> @llvm.fmuladd.v2f16(<2 x half>, <2 x half>, <2 x half>)

; CHECK-LABEL: @always
; CHECK: %r = call float @llvm.fma.f32(float %a, float %b, float %c)
; CHECK: %v = call <2 x half> @llvm.fma.v2f16
define float @always(float %a, float %b, float %c, <2 x half> %h) {
  %r = call float @llvm.fmuladd.f32(float %a, float %b, float %c)
  %v = call <2 x half> @llvm.fmuladd.v2f16(<2 x half> %h, <2 x half> %h, <2 x half> %h)
  ret float %r
}

; Without the flag on both, two roundings.
; CHECK-LABEL: @unflagged
; CHECK: %p = fmul float %a, %b
; CHECK: %r = fadd float %p, %c
; CHECK: %q = fmul float %a, %c
; CHECK: %s = fadd float %q, %r
define float @unflagged(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %r = fadd float %p, %c
  %q = fmul float %a, %c
  %s = fadd contract float %q, %r
  ret float %s
}

; CHECK-LABEL: @add
; CHECK-NEXT: %r = call float @llvm.fma.f32(float %a, float %b, float %c)
; CHECK-NEXT: ret
define float @add(float %a, float %b, float %c) {
  %p = fmul fast float %a, %b
  %r = fadd fast float %c, %p
  ret float %r
}

; Of two products the left one.
; CHECK-LABEL: @two
; CHECK-NEXT: %q = fmul float %c, %d
; CHECK-NEXT: %r = call float @llvm.fma.f32(float %a, float %b, float %q)
define float @two(float %a, float %b, float %c, float %d) {
  %p = fmul contract float %a, %b
  %q = fmul contract float %c, %d
  %r = fadd contract float %p, %q
  ret float %r
}

; CHECK-LABEL: @subtract
; CHECK-NEXT: [[N:%.*]] = fneg float %c
; CHECK-NEXT: %r = call float @llvm.fma.f32(float %a, float %b, float [[N]])
; CHECK-NEXT: [[M:%.*]] = fneg float %a
; CHECK-NEXT: %s = call float @llvm.fma.f32(float [[M]], float %c, float %r)
define float @subtract(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %r = fsub contract float %p, %c
  %q = fmul contract float %a, %c
  %s = fsub contract float %r, %q
  ret float %s
}

; A product with another use, or in another block, stays.
; CHECK-LABEL: @kept
; CHECK: fmul float %a, %b
; CHECK: fadd float
; CHECK: fmul float %b, %c
; CHECK: fadd float
define float @kept(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %r = fadd contract float %p, %c
  %s = fdiv fast float %r, %p
  %q = fmul contract float %b, %c
  br label %next
next:
  %t = fadd contract float %q, %s
  ret float %t
}

; CHECK-NOT: nnan
; CHECK-NOT: contract
