; One kernel stays, with what it refers to; symbols lose what could steer a linker or code generator.
; RUN: metalloid-opt %s --stage=extract --kernel=wanted | FileCheck %s
; RUN: metalloid-opt %s --stage=prepare --kernel=wanted | FileCheck %s --check-prefix=PRIMITIVES
; RUN: not metalloid-opt %s --stage=prepare --kernel=recursive 2>&1 | FileCheck %s --check-prefix=RECURSIVE

target triple = "air64-apple-macosx14.0.0"

; CHECK-NOT: @unused
; CHECK: @table = internal addrspace(2) constant [2 x i32] [i32 1, i32 2]
@table = weak_odr addrspace(2) global [2 x i32] [i32 1, i32 2], section "__TEXT,__x"
@unused = addrspace(2) global i32 0

; CHECK: define void @wanted(i32 %i) {
; CHECK: call i32 @helper(
define weak_odr void @wanted(i32 %i) #0 section "x" {
  %x = call i32 @also_helper(i32 %i)
  ret void
}

@also_helper = alias i32 (i32), ptr @helper

; CHECK: define internal i32 @helper(i32 %i)
define linkonce_odr i32 @helper(i32 %i) {
  %p = getelementptr i32, ptr addrspace(2) @table, i32 %i
  %x = load i32, ptr addrspace(2) %p
  call void @air.wg.barrier(i32 2, i32 1)
  %s = call i32 @air.simd_sum.s.i32(i32 %x) readonly
  ret i32 %s
}

; The attributes of primitives are ours, not the module's.
; PRIMITIVES: declare void @air.wg.barrier(i32, i32) [[BARRIER:#[0-9]+]]
; PRIMITIVES: declare i32 @air.simd_sum.s.i32(i32) [[SUM:#[0-9]+]]
declare void @air.wg.barrier(i32, i32) #1
declare i32 @air.simd_sum.s.i32(i32)

; CHECK-NOT: @other
; CHECK-NOT: target-features
; CHECK-NOT: sspstrong
; PRIMITIVES-DAG: attributes [[BARRIER]] = { convergent nounwind willreturn memory(readwrite) }
; PRIMITIVES-DAG: attributes [[SUM]] = { convergent nounwind willreturn memory(none) }
define void @other() {
  ret void
}

; RECURSIVE: air: function "{{recursive|again}}" calls itself
define void @recursive() {
  call void @again()
  ret void
}
define void @again() {
  call void @recursive()
  ret void
}

attributes #0 = { sspstrong "target-features"="+avx512f" "probe-stack"="x" }
attributes #1 = { nounwind memory(none) }

!air.kernel = !{!3, !0, !4}
!0 = !{ptr @wanted, !1, !2}
!1 = !{}
!2 = !{!5}
!3 = !{ptr @other, !1, !1}
!4 = !{ptr @recursive, !1, !1}
!5 = !{i32 0, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"i"}
