// SPDX-License-Identifier: Apache-2.0
// Every function of a quad-group, for every type that has it.
// RUN: metalloid-msl %s | grep ^declare | FileCheck %s
// RUN: metalloid-msl %s > %t.ll && metalloid-opt %t.ll --stage=verify
#include <metal_stdlib>
using namespace metal;

template <typename T> void all_functions(device T* x, device vec<T, 4>* v, ushort lane) {
  x[0] = quad_sum(x[1]);
  v[0] = quad_sum(v[1]);
  x[0] = quad_product(x[1]);
  v[0] = quad_product(v[1]);
  x[0] = quad_min(x[1]);
  v[0] = quad_min(v[1]);
  x[0] = quad_max(x[1]);
  v[0] = quad_max(v[1]);
  x[0] = quad_prefix_inclusive_sum(x[1]);
  v[0] = quad_prefix_inclusive_sum(v[1]);
  x[0] = quad_prefix_exclusive_sum(x[1]);
  v[0] = quad_prefix_exclusive_sum(v[1]);
  x[0] = quad_prefix_inclusive_product(x[1]);
  v[0] = quad_prefix_inclusive_product(v[1]);
  x[0] = quad_prefix_exclusive_product(x[1]);
  v[0] = quad_prefix_exclusive_product(v[1]);
  x[0] = quad_broadcast_first(x[1]);
  v[0] = quad_broadcast_first(v[1]);
  x[0] = quad_shuffle(x[1], lane);
  v[0] = quad_shuffle(v[1], lane);
  x[0] = quad_shuffle_up(x[1], lane);
  v[0] = quad_shuffle_up(v[1], lane);
  x[0] = quad_shuffle_down(x[1], lane);
  v[0] = quad_shuffle_down(v[1], lane);
  x[0] = quad_shuffle_xor(x[1], lane);
  v[0] = quad_shuffle_xor(v[1], lane);
  x[0] = quad_shuffle_rotate_up(x[1], lane);
  v[0] = quad_shuffle_rotate_up(v[1], lane);
  x[0] = quad_shuffle_rotate_down(x[1], lane);
  v[0] = quad_shuffle_rotate_down(v[1], lane);
  x[0] = quad_broadcast(x[1], lane);
  v[0] = quad_broadcast(v[1], lane);
  x[0] = quad_shuffle_and_fill_up(x[1], x[2], lane) + quad_shuffle_and_fill_up(x[1], x[2], lane, 2);
  v[0] = quad_shuffle_and_fill_up(v[1], v[2], lane) + quad_shuffle_and_fill_up(v[1], v[2], lane, 2);
  x[0] = quad_shuffle_and_fill_down(x[1], x[2], lane) + quad_shuffle_and_fill_down(x[1], x[2], lane, 2);
  v[0] = quad_shuffle_and_fill_down(v[1], v[2], lane) + quad_shuffle_and_fill_down(v[1], v[2], lane, 2);
  if constexpr (is_integral_v<T>) {
    x[0] = quad_and(x[1]) + quad_or(x[1]) + quad_xor(x[1]);
    v[0] = quad_and(v[1]) + quad_or(v[1]) + quad_xor(v[1]);
  }
}

kernel void of_char(device char* x, device char4* v, ushort lane [[thread_index_in_simdgroup]]) {
  all_functions(x, v, lane);
}
kernel void of_uchar(device uchar* x, device uchar4* v, ushort lane [[thread_index_in_simdgroup]]) {
  all_functions(x, v, lane);
}
kernel void of_short(device short* x, device short4* v, ushort lane [[thread_index_in_simdgroup]]) {
  all_functions(x, v, lane);
}
kernel void of_ushort(device ushort* x, device ushort4* v, ushort lane [[thread_index_in_simdgroup]]) {
  all_functions(x, v, lane);
}
kernel void of_int(device int* x, device int4* v, ushort lane [[thread_index_in_simdgroup]]) {
  all_functions(x, v, lane);
}
kernel void of_uint(device uint* x, device uint4* v, ushort lane [[thread_index_in_simdgroup]]) {
  all_functions(x, v, lane);
}
kernel void of_half(device half* x, device half4* v, ushort lane [[thread_index_in_simdgroup]]) {
  all_functions(x, v, lane);
}
kernel void of_float(device float* x, device float4* v, ushort lane [[thread_index_in_simdgroup]]) {
  all_functions(x, v, lane);
}

// Votes.
kernel void votes(device bool* b, device ushort* bits) {
  b[0] = quad_all(b[1]);
  b[2] = quad_any(b[3]);
  b[4] = quad_is_first();
  bits[0] = ushort(quad_ballot(b[5]));
  bits[1] = ushort(quad_active_threads_mask());
  b[6] = quad_ballot(b[7]).all() || quad_ballot(b[8]).any();
}

// CHECK-DAG: declare {{.*}}i8 @air.quad_sum.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_product.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_min.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_max.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_prefix_inclusive_sum.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_prefix_exclusive_sum.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_prefix_inclusive_product.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_prefix_exclusive_product.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_broadcast_first.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle.s.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle_up.s.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle_down.s.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle_xor.s.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle_rotate_up.s.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle_rotate_down.s.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_broadcast.s.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle_and_fill_up.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle_and_fill_down.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_and.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_or.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_xor.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_sum.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_product.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_min.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_max.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_prefix_inclusive_sum.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_prefix_exclusive_sum.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_prefix_inclusive_product.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_prefix_exclusive_product.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_broadcast_first.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle.u.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle_up.u.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle_down.u.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle_xor.u.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle_rotate_up.u.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle_rotate_down.u.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_broadcast.u.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle_and_fill_up.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_shuffle_and_fill_down.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_and.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_or.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.quad_xor.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_sum.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_product.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_min.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_max.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_prefix_inclusive_sum.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_prefix_exclusive_sum.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_prefix_inclusive_product.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_prefix_exclusive_product.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_broadcast_first.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle_up.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle_down.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle_xor.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle_rotate_up.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle_rotate_down.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_broadcast.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle_and_fill_up.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle_and_fill_down.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_and.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_or.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_xor.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_sum.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_product.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_min.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_max.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_prefix_inclusive_sum.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_prefix_exclusive_sum.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_prefix_inclusive_product.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_prefix_exclusive_product.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_broadcast_first.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle_up.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle_down.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle_xor.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle_rotate_up.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle_rotate_down.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_broadcast.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle_and_fill_up.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_shuffle_and_fill_down.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_and.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_or.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_xor.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_sum.s.i32(i32)
// CHECK-DAG: declare i32 @air.quad_product.s.i32(i32)
// CHECK-DAG: declare i32 @air.quad_min.s.i32(i32)
// CHECK-DAG: declare i32 @air.quad_max.s.i32(i32)
// CHECK-DAG: declare i32 @air.quad_prefix_inclusive_sum.s.i32(i32)
// CHECK-DAG: declare i32 @air.quad_prefix_exclusive_sum.s.i32(i32)
// CHECK-DAG: declare i32 @air.quad_prefix_inclusive_product.s.i32(i32)
// CHECK-DAG: declare i32 @air.quad_prefix_exclusive_product.s.i32(i32)
// CHECK-DAG: declare i32 @air.quad_broadcast_first.s.i32(i32)
// CHECK-DAG: declare i32 @air.quad_shuffle.s.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_shuffle_up.s.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_shuffle_down.s.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_shuffle_xor.s.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_shuffle_rotate_up.s.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_shuffle_rotate_down.s.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_broadcast.s.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_shuffle_and_fill_up.s.i32(i32, i32, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_shuffle_and_fill_down.s.i32(i32, i32, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_and.s.i32(i32)
// CHECK-DAG: declare i32 @air.quad_or.s.i32(i32)
// CHECK-DAG: declare i32 @air.quad_xor.s.i32(i32)
// CHECK-DAG: declare i32 @air.quad_sum.u.i32(i32)
// CHECK-DAG: declare i32 @air.quad_product.u.i32(i32)
// CHECK-DAG: declare i32 @air.quad_min.u.i32(i32)
// CHECK-DAG: declare i32 @air.quad_max.u.i32(i32)
// CHECK-DAG: declare i32 @air.quad_prefix_inclusive_sum.u.i32(i32)
// CHECK-DAG: declare i32 @air.quad_prefix_exclusive_sum.u.i32(i32)
// CHECK-DAG: declare i32 @air.quad_prefix_inclusive_product.u.i32(i32)
// CHECK-DAG: declare i32 @air.quad_prefix_exclusive_product.u.i32(i32)
// CHECK-DAG: declare i32 @air.quad_broadcast_first.u.i32(i32)
// CHECK-DAG: declare i32 @air.quad_shuffle.u.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_shuffle_up.u.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_shuffle_down.u.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_shuffle_xor.u.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_shuffle_rotate_up.u.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_shuffle_rotate_down.u.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_broadcast.u.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_shuffle_and_fill_up.u.i32(i32, i32, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_shuffle_and_fill_down.u.i32(i32, i32, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.quad_and.u.i32(i32)
// CHECK-DAG: declare i32 @air.quad_or.u.i32(i32)
// CHECK-DAG: declare i32 @air.quad_xor.u.i32(i32)
// CHECK-DAG: declare half @air.quad_sum.f16(half)
// CHECK-DAG: declare half @air.quad_product.f16(half)
// CHECK-DAG: declare half @air.quad_min.f16(half)
// CHECK-DAG: declare half @air.quad_max.f16(half)
// CHECK-DAG: declare half @air.quad_prefix_inclusive_sum.f16(half)
// CHECK-DAG: declare half @air.quad_prefix_exclusive_sum.f16(half)
// CHECK-DAG: declare half @air.quad_prefix_inclusive_product.f16(half)
// CHECK-DAG: declare half @air.quad_prefix_exclusive_product.f16(half)
// CHECK-DAG: declare half @air.quad_broadcast_first.f16(half)
// CHECK-DAG: declare half @air.quad_shuffle.f16(half, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.quad_shuffle_up.f16(half, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.quad_shuffle_down.f16(half, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.quad_shuffle_xor.f16(half, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.quad_shuffle_rotate_up.f16(half, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.quad_shuffle_rotate_down.f16(half, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.quad_broadcast.f16(half, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.quad_shuffle_and_fill_up.f16(half, half, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.quad_shuffle_and_fill_down.f16(half, half, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.quad_sum.f32(float)
// CHECK-DAG: declare float @air.quad_product.f32(float)
// CHECK-DAG: declare float @air.quad_min.f32(float)
// CHECK-DAG: declare float @air.quad_max.f32(float)
// CHECK-DAG: declare float @air.quad_prefix_inclusive_sum.f32(float)
// CHECK-DAG: declare float @air.quad_prefix_exclusive_sum.f32(float)
// CHECK-DAG: declare float @air.quad_prefix_inclusive_product.f32(float)
// CHECK-DAG: declare float @air.quad_prefix_exclusive_product.f32(float)
// CHECK-DAG: declare float @air.quad_broadcast_first.f32(float)
// CHECK-DAG: declare float @air.quad_shuffle.f32(float, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.quad_shuffle_up.f32(float, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.quad_shuffle_down.f32(float, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.quad_shuffle_xor.f32(float, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.quad_shuffle_rotate_up.f32(float, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.quad_shuffle_rotate_down.f32(float, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.quad_broadcast.f32(float, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.quad_shuffle_and_fill_up.f32(float, float, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.quad_shuffle_and_fill_down.f32(float, float, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i1 @air.quad_all(i1{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i1 @air.quad_any(i1{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i1 @air.quad_is_first()
// CHECK-DAG: declare {{.*}}i16 @air.quad_ballot(i1{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.quad_active_threads_mask()
