; Function constants get their values, what follows from them is computed, and conditional arguments
; appear or disappear.
; RUN: metalloid-opt %s --stage=specialise --constant=3=7 --constant=flag=true | FileCheck %s
; RUN: metalloid-opt %s --stage=prepare --constant=3=7 --constant=flag=true | FileCheck %s --check-prefix=ON
; RUN: metalloid-opt %s --stage=prepare --constant=3=7 --constant=flag=false | FileCheck %s --check-prefix=OFF
; RUN: not metalloid-opt %s --stage=prepare --constant=flag=1 2>&1 | FileCheck %s --check-prefix=MISSING
; RUN: metalloid-opt %s --stage=prepare --kernel=plain | FileCheck %s --check-prefix=PLAIN

target triple = "air64-apple-macosx14.0.0"

; CHECK: @count.init = internal addrspace(2) constant i32 7
; CHECK: @flag.init = internal addrspace(2) constant i8 1
; CHECK: @optional.init = internal addrspace(2) constant float 0.000000e+00
@count.init = internal addrspace(2) externally_initialized constant i32 undef, section "air.fc_initializer"
@flag.init = internal addrspace(2) externally_initialized constant i8 undef, section "air.fc_initializer"
@optional.init = internal addrspace(2) externally_initialized constant float undef, section "air.fc_initializer"
; CHECK: @doubled = internal addrspace(2) global i32 14
@doubled = internal addrspace(2) global i32 undef
; CHECK: @predicate = internal addrspace(2) global i8 1
@predicate = internal addrspace(2) global i8 0
; CHECK-NOT: llvm.global_ctors
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @initialise, ptr null }]
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(2) @predicate to ptr)], section "llvm.metadata"

declare i8 @air.normalize_function_constant_predicate.i8(i8)

define internal void @initialise() section "air.static_init" {
  %count = load i32, ptr addrspace(2) @count.init
  %twice = add i32 %count, %count
  store i32 %twice, ptr addrspace(2) @doubled
  %flag = load i8, ptr addrspace(2) @flag.init
  %normal = call i8 @air.normalize_function_constant_predicate.i8(i8 %flag)
  store i8 %normal, ptr addrspace(2) @predicate
  ret void
}

; ON: "active":true{{.*}}"constantName":"flag"
; ON: @doubled = internal addrspace(2) constant i32 14
; ON-NOT: @count.init
; ON-NOT: @initialise
; ON: define void @k
; OFF: "active":false{{.*}}"constantName":"flag"
; OFF: @absent.limits = internal addrspace(2) constant [64 x i8] zeroinitializer, align 16
; OFF: load i32, ptr addrspace(2) @absent.limits
; MISSING: air: kernel "k" needs a value for function constant "count" (index 3, int)
define void @k(ptr addrspace(1) %out, ptr addrspace(2) %limits) {
  %x = load i32, ptr addrspace(2) @doubled
  %limit = load i32, ptr addrspace(2) %limits
  %y = add i32 %x, %limit
  store i32 %y, ptr addrspace(1) %out
  ret void
}

; A kernel that depends on no constant needs none.
; PLAIN: define void @plain
; PLAIN-NOT: define
define void @plain() {
  ret void
}

!air.kernel = !{!0, !4}
!air.function_constants = !{!5, !6, !7}
!0 = !{ptr @k, !1, !2}
!1 = !{}
!2 = !{!3, !9}
!3 = !{i32 0, !"air.function_constant", !8, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_name", !"int", !"air.arg_name", !"out"}
!9 = !{i32 1, !"air.function_constant", !8, !"air.buffer", !"air.location_index", i32 1, i32 1, !"air.read", !"air.address_space", i32 2, !"air.arg_type_size", i32 4, !"air.arg_type_name", !"int", !"air.arg_name", !"limits"}
!4 = !{ptr @plain, !1, !1}
!5 = !{ptr addrspace(2) @count.init, !"int", !"count", i32 3, i1 true}
!6 = !{ptr addrspace(2) @flag.init, !"bool", !"flag", i32 4, i1 true}
!7 = !{ptr addrspace(2) @optional.init, !"float", !"optional", i32 5, i1 false}
!8 = !{ptr addrspace(2) @predicate, !"bool", !"flag"}
