; SPDX-License-Identifier: Apache-2.0
; A kernel takes what a driver can give and finds the rest: buffers in the argument table,
; threadgroup variables behind one base pointer, positions by id functions. No address space is left.
; RUN: metalloid-cpu %s --threads=64,1,1 --emit=ir:thread-form | FileCheck %s
; RUN: metalloid-cpu %s --threads=32,1,1 --emit=ir:thread-form | FileCheck %s --check-prefix=ONE
target triple = "air64-apple-macosx14.0.0"

@tile = internal addrspace(3) global [64 x float] undef, align 4
@more = internal addrspace(3) global [3 x i8] undef, align 1
@table = internal addrspace(2) constant [2 x float] [float 1.0, float 2.0], align 4

define void @k(ptr addrspace(1) "air-buffer-no-alias" %out, ptr addrspace(2) %scale, ptr addrspace(3) %dynamic, <2 x i16> %position) {
  ; CHECK-NOT: addrspace
  ; CHECK: @table = internal constant [2 x float]
  ; CHECK: define {{.*}}void @k.thread(ptr {{.*}}%launch, ptr %worker, i32 %simdgroup, ptr %memory, i32 %group.x, i32 %group.y, i32 %group.z)
  ; CHECK: %out = load ptr, ptr {{.*}}!invariant.load
  ; CHECK: %scale = load ptr, ptr {{.*}}!dereferenceable [[FOUR:![0-9]+]]
  ; CHECK: [[OFFSET:%.*]] = ptrtoint ptr %dynamic to i64
  ; CHECK: getelementptr inbounds i8, ptr %memory, i64 [[OFFSET]]
  ; CHECK: call i32 @cpu.grid.x()
  ; CHECK: getelementptr inbounds i8, ptr %memory, i64 0
  ; CHECK: getelementptr inbounds i8, ptr %memory, i64 256
  ; CHECK-NOT: addrspace
  %x = extractelement <2 x i16> %position, i32 0
  %i = zext i16 %x to i64
  %s = load float, ptr addrspace(2) %scale, align 4
  %t = getelementptr float, ptr addrspace(2) @table, i64 %i
  %v = load float, ptr addrspace(2) %t, align 4
  %p = fmul float %s, %v
  %slot = getelementptr float, ptr addrspace(3) @tile, i64 %i
  store float %p, ptr addrspace(3) %slot, align 4
  %own = getelementptr float, ptr addrspace(3) %dynamic, i64 %i
  store float %v, ptr addrspace(3) %own, align 4
  store i8 1, ptr addrspace(3) @more, align 1
  ; Loads of constant memory are invariant; accesses of distinct memory are told apart.
  ; CHECK: load float, ptr %scale, align 4, !invariant.load
  ; CHECK: store float %p, ptr {{.*}}, align 4, !alias.scope {{.*}}, !noalias
  ; A threadgroup of one SIMD-group needs no barrier.
  ; CHECK: call void @cpu.barrier(i32 0)
  ; ONE: call void @air.simdgroup.barrier(i32 2, i32 1)
  call void @air.wg.barrier(i32 2, i32 1)
  %q = load float, ptr addrspace(3) %own, align 4
  %o = getelementptr float, ptr addrspace(1) %out, i64 %i
  store float %q, ptr addrspace(1) %o, align 4
  ret void
}
; CHECK: [[FOUR]] = !{i64 4}

declare void @air.wg.barrier(i32, i32) convergent

!air.kernel = !{!0}
!0 = !{ptr @k, !1, !2}
!1 = !{}
!2 = !{!3, !4, !5, !6}
!3 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_name", !"out"}
!4 = !{i32 1, !"air.buffer", !"air.buffer_size", i32 4, !"air.location_index", i32 1, i32 1, !"air.read", !"air.address_space", i32 2, !"air.arg_name", !"scale"}
!5 = !{i32 2, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 3, !"air.arg_name", !"dynamic"}
!6 = !{i32 3, !"air.thread_position_in_grid", !"air.arg_type_name", !"ushort2", !"air.arg_name", !"position"}
