; SPDX-License-Identifier: Apache-2.0
; A loop with a barrier is cut into regions. What crosses the cut: the counter as a parameter (it is
; the same for all threads), the sum as one float a thread; the pointer is computed again from the
; thread's index and a sum of steps that all threads share.
; RUN: metalloid-cpu %s --threads=64,1,1 --barriers=regions --emit=ir:regions | FileCheck %s
; RUN: metalloid-cpu %s --threads=64,1,1 --barriers=regions | FileCheck %s --check-prefix=TRAITS
target triple = "air64-apple-macosx14.0.0"

define void @k(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(2) %n, i32 %index) {
entry:
  %t = zext i32 %index to i64
  %start = getelementptr float, ptr addrspace(1) %in, i64 %t
  br label %loop
; The region after the barrier that goes round the loop again:
; CHECK-LABEL: define internal void @k.thread.region1(
; CHECK-NOT: cpu.barrier
; CHECK: call i32 @cpu.thread.index()
; CHECK: [[START:%.*]] = getelementptr float, ptr %0,
; CHECK-NEXT: getelementptr i8, ptr [[START]], i64 %p.sum
; CHECK: ret void
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = phi ptr addrspace(1) [ %start, %entry ], [ %q, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %total, %loop ]
  %v = load float, ptr addrspace(1) %p, align 4
  %total = fadd float %sum, %v
  call void @air.wg.barrier(i32 2, i32 1)
  %q = getelementptr float, ptr addrspace(1) %p, i64 64
  %next = add i32 %i, 1
  %limit = load i32, ptr addrspace(2) %n, align 4
  %more = icmp ult i32 %next, %limit
  br i1 %more, label %loop, label %exit

exit:
  %o = getelementptr float, ptr addrspace(1) %out, i64 %t
  store float %total, ptr addrspace(1) %o, align 4
  ret void
}
; One float a thread of scratch, nothing else.
; TRAITS: scratch 128 bytes a SIMD-group
; TRAITS: barriers 1
; TRAITS: fibers 0

declare void @air.wg.barrier(i32, i32) convergent

!air.kernel = !{!0}
!0 = !{ptr @k, !1, !2}
!1 = !{}
!2 = !{!3, !4, !5, !6}
!3 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read", !"air.address_space", i32 1, !"air.arg_name", !"in"}
!4 = !{i32 1, !"air.buffer", !"air.location_index", i32 1, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_name", !"out"}
!5 = !{i32 2, !"air.buffer", !"air.buffer_size", i32 4, !"air.location_index", i32 2, i32 1, !"air.read", !"air.address_space", i32 2, !"air.arg_name", !"n"}
!6 = !{i32 3, !"air.thread_index_in_threadgroup", !"air.arg_type_name", !"uint", !"air.arg_name", !"index"}
