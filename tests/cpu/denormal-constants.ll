; SPDX-License-Identifier: Apache-2.0
; Constants fold to what running gives: where the module flushes float denormals, a denormal factor
; is zero, and so is the product.
; RUN: metalloid-cpu %s --threads=32,1,1 --emit=ir:optimise | FileCheck %s --check-prefix=FLUSH
; RUN: sed s/denorms_disable/denorms_enable/ %s > %t.ll
; RUN: metalloid-cpu %t.ll --threads=32,1,1 --emit=ir:optimise | FileCheck %s --check-prefix=KEEP
target triple = "air64-apple-macosx14.0.0"

; FLUSH-LABEL: @kernel(
; FLUSH: store <{{.*}}> splat (i32 9)
; KEEP-LABEL: @kernel(
; KEEP: store <{{.*}}> splat (i32 7)
define void @k(ptr addrspace(1) %out, i32 %index) {
  %product = fmul float 1.000000e+09, 0x37D5C73000000000
  %positive = fcmp ogt float %product, 0.000000e+00
  %value = select i1 %positive, i32 7, i32 9
  %wide = zext i32 %index to i64
  %pointer = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 %value, ptr addrspace(1) %pointer, align 4
  ret void
}

!air.kernel = !{!0}
!air.compile_options = !{!4}
!0 = !{ptr @k, !1, !2}
!1 = !{}
!2 = !{!3, !5}
!3 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"int", !"air.arg_name", !"out"}
!4 = !{!"air.compile.denorms_disable"}
!5 = !{i32 1, !"air.thread_position_in_threadgroup", !"air.arg_type_name", !"uint", !"air.arg_name", !"index"}
