// SPDX-License-Identifier: Apache-2.0
// A kernel's arguments, built-in values and name for the host, as AIR's metadata says them.
// RUN: metalloid-msl %s | FileCheck %s
#include <metal_stdlib>
using namespace metal;

struct Params {
  int n;
  float scale[3];
};

// CHECK: target triple = "air64_v27-apple-macosx15.0.0"
// CHECK: define void @axpy(ptr addrspace(1) {{.*}}%x, ptr addrspace(1) {{.*}}%y, ptr addrspace(2) {{.*}}dereferenceable(16) %p, ptr addrspace(2) {{.*}}%shape, ptr addrspace(3) {{.*}}%scratch, <3 x i32> %i, <2 x i16> %size, i32 %lane)
kernel void axpy(device const float* x [[buffer(0)]], device float* y, constant Params& p [[buffer(2)]],
                 constant int64_t shape[3] [[buffer(5)]], threadgroup float* scratch [[threadgroup(0)]],
                 uint3 i [[thread_position_in_grid]], ushort2 size [[threads_per_threadgroup]],
                 uint lane [[thread_index_in_simdgroup]]) {
  y[i.x] = p.scale[0] * x[i.x] + shape[0] + lane;
}

template <typename T> [[kernel, max_total_threads_per_threadgroup(2 * 64)]] void add_one(device T* p, uint i [[thread_position_in_grid]]) {
  p[i] += T(1);
}
template [[host_name("add_one_half")]] [[kernel]] decltype(add_one<half>) add_one<half>;

// CHECK: !air.kernel = !{![[AXPY:[0-9]+]], ![[ADD_ONE:[0-9]+]]}
// CHECK: ![[AXPY]] = !{ptr @axpy, ![[NONE:[0-9]+]], ![[ARGS:[0-9]+]]}
// CHECK: ![[NONE]] = !{}
// CHECK: !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"x"}
// y has no index: the lowest free one.
// CHECK: !{i32 1, !"air.buffer", !"air.location_index", i32 1, i32 1, !"air.read_write",
// CHECK: !{i32 2, !"air.buffer", !"air.buffer_size", i32 16, !"air.location_index", i32 2, i32 1, !"air.read", !"air.address_space", i32 2, !"air.struct_type_info", ![[PARAMS:[0-9]+]], !"air.arg_type_size", i32 16, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"Params", !"air.arg_name", !"p"}
// CHECK: ![[PARAMS]] = !{i32 0, i32 4, i32 0, !"int", !"n", i32 4, i32 4, i32 3, !"float", !"scale"}
// CHECK: !{i32 3, !"air.buffer", !"air.buffer_size", i32 24, !"air.location_index", i32 5, i32 1, !"air.read", !"air.address_space", i32 2, !"air.arg_type_size", i32 8, {{.*}}!"long", !"air.arg_name", !"shape"}
// CHECK: !{i32 4, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 3, {{.*}}!"scratch", !"air.arg_unused"}
// CHECK: !{i32 5, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint3", !"air.arg_name", !"i"}
// CHECK: !{i32 6, !"air.threads_per_threadgroup", !"air.arg_type_name", !"ushort2", !"air.arg_name", !"size", !"air.arg_unused"}
// CHECK: ![[ADD_ONE]] = !{ptr @add_one_half, ![[NONE]], !{{[0-9]+}}, ![[LIMIT:[0-9]+]]}
// CHECK: ![[LIMIT]] = !{!"air.max_work_group_size", i32 128}
