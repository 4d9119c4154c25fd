; SPDX-License-Identifier: Apache-2.0
; The sum of each threadgroup's values: a halving loop with a barrier in it.
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64_v26-apple-macosx14.0.0"

@partial = internal addrspace(3) global [1024 x float] undef, align 4

define void @tree_reduction(ptr addrspace(1) noalias readonly "air-buffer-no-alias" %in, ptr addrspace(1) noalias writeonly "air-buffer-no-alias" %out, i32 %position, i32 %thread, i32 %group, i32 %threads) {
entry:
  %index = zext i32 %position to i64
  %source = getelementptr inbounds float, ptr addrspace(1) %in, i64 %index
  %value = load float, ptr addrspace(1) %source, align 4
  %t = zext i32 %thread to i64
  %mine = getelementptr inbounds [1024 x float], ptr addrspace(3) @partial, i64 0, i64 %t
  store float %value, ptr addrspace(3) %mine, align 4
  tail call void @air.wg.barrier(i32 2, i32 1)
  %first = lshr i32 %threads, 1
  br label %header

header:
  %half = phi i32 [ %first, %entry ], [ %next, %latch ]
  %more = icmp ne i32 %half, 0
  br i1 %more, label %body, label %exit

body:
  %adds = icmp ult i32 %thread, %half
  br i1 %adds, label %add, label %latch

add:
  %other.index = add i32 %thread, %half
  %o = zext i32 %other.index to i64
  %other = getelementptr inbounds [1024 x float], ptr addrspace(3) @partial, i64 0, i64 %o
  %a = load float, ptr addrspace(3) %mine, align 4
  %b = load float, ptr addrspace(3) %other, align 4
  %sum = fadd float %a, %b
  store float %sum, ptr addrspace(3) %mine, align 4
  br label %latch

latch:
  tail call void @air.wg.barrier(i32 2, i32 1)
  %next = lshr i32 %half, 1
  br label %header

exit:
  %leader = icmp eq i32 %thread, 0
  br i1 %leader, label %write, label %done

write:
  %total = load float, ptr addrspace(3) @partial, align 4
  %g = zext i32 %group to i64
  %target = getelementptr inbounds float, ptr addrspace(1) %out, i64 %g
  store float %total, ptr addrspace(1) %target, align 4
  br label %done

done:
  ret void
}

declare void @air.wg.barrier(i32, i32) #0

attributes #0 = { convergent nounwind }

!air.kernel = !{!0}
!air.version = !{!10}
!air.language_version = !{!11}
!0 = !{ptr @tree_reduction, !1, !2}
!1 = !{}
!2 = !{!3, !4, !5, !6, !7, !8}
!3 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"in"}
!4 = !{i32 1, !"air.buffer", !"air.location_index", i32 1, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"out"}
!5 = !{i32 2, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"position"}
!6 = !{i32 3, !"air.thread_index_in_threadgroup", !"air.arg_type_name", !"uint", !"air.arg_name", !"thread"}
!7 = !{i32 4, !"air.threadgroup_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"group"}
!8 = !{i32 5, !"air.threads_per_threadgroup", !"air.arg_type_name", !"uint", !"air.arg_name", !"threads"}
!10 = !{i32 2, i32 6, i32 0}
!11 = !{!"Metal", i32 3, i32 1, i32 0}
