// SPDX-License-Identifier: Apache-2.0
// Every function of a SIMD-group, for every type that has it.
// RUN: metalloid-msl %s | grep ^declare | FileCheck %s
// RUN: metalloid-msl %s > %t.ll && metalloid-opt %t.ll --stage=verify
#include <metal_stdlib>
using namespace metal;

template <typename T> void all_functions(device T* x, device vec<T, 4>* v, ushort lane) {
  x[0] = simd_sum(x[1]);
  v[0] = simd_sum(v[1]);
  x[0] = simd_product(x[1]);
  v[0] = simd_product(v[1]);
  x[0] = simd_min(x[1]);
  v[0] = simd_min(v[1]);
  x[0] = simd_max(x[1]);
  v[0] = simd_max(v[1]);
  x[0] = simd_prefix_inclusive_sum(x[1]);
  v[0] = simd_prefix_inclusive_sum(v[1]);
  x[0] = simd_prefix_exclusive_sum(x[1]);
  v[0] = simd_prefix_exclusive_sum(v[1]);
  x[0] = simd_prefix_inclusive_product(x[1]);
  v[0] = simd_prefix_inclusive_product(v[1]);
  x[0] = simd_prefix_exclusive_product(x[1]);
  v[0] = simd_prefix_exclusive_product(v[1]);
  x[0] = simd_broadcast_first(x[1]);
  v[0] = simd_broadcast_first(v[1]);
  x[0] = simd_shuffle(x[1], lane);
  v[0] = simd_shuffle(v[1], lane);
  x[0] = simd_shuffle_up(x[1], lane);
  v[0] = simd_shuffle_up(v[1], lane);
  x[0] = simd_shuffle_down(x[1], lane);
  v[0] = simd_shuffle_down(v[1], lane);
  x[0] = simd_shuffle_xor(x[1], lane);
  v[0] = simd_shuffle_xor(v[1], lane);
  x[0] = simd_shuffle_rotate_up(x[1], lane);
  v[0] = simd_shuffle_rotate_up(v[1], lane);
  x[0] = simd_shuffle_rotate_down(x[1], lane);
  v[0] = simd_shuffle_rotate_down(v[1], lane);
  x[0] = simd_broadcast(x[1], lane);
  v[0] = simd_broadcast(v[1], lane);
  x[0] = simd_shuffle_and_fill_up(x[1], x[2], lane) + simd_shuffle_and_fill_up(x[1], x[2], lane, 2);
  v[0] = simd_shuffle_and_fill_up(v[1], v[2], lane) + simd_shuffle_and_fill_up(v[1], v[2], lane, 2);
  x[0] = simd_shuffle_and_fill_down(x[1], x[2], lane) + simd_shuffle_and_fill_down(x[1], x[2], lane, 2);
  v[0] = simd_shuffle_and_fill_down(v[1], v[2], lane) + simd_shuffle_and_fill_down(v[1], v[2], lane, 2);
  if constexpr (is_integral_v<T>) {
    x[0] = simd_and(x[1]) + simd_or(x[1]) + simd_xor(x[1]);
    v[0] = simd_and(v[1]) + simd_or(v[1]) + simd_xor(v[1]);
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
kernel void votes(device bool* b, device ulong* bits) {
  b[0] = simd_all(b[1]);
  b[2] = simd_any(b[3]);
  b[4] = simd_is_first();
  bits[0] = ulong(simd_ballot(b[5]));
  bits[1] = ulong(simd_active_threads_mask());
  b[6] = simd_ballot(b[7]).all() || simd_ballot(b[8]).any();
}

// 64 bits between lanes go as uint2, in one exchange.
kernel void pairs(device uint2* v, ushort lane [[thread_index_in_simdgroup]]) {
  v[0] = simd_shuffle(v[1], lane) + simd_shuffle_up(v[1], lane) + simd_shuffle_down(v[1], lane);
  v[0] += simd_shuffle_xor(v[1], 1) + simd_shuffle_rotate_up(v[1], 1);
  v[0] += simd_shuffle_rotate_down(v[1], 1) + simd_shuffle_and_fill_up(v[1], v[2], 1);
  v[0] += simd_shuffle_and_fill_down(v[1], v[2], 1, 8);
}

// CHECK-DAG: declare {{.*}}i8 @air.simd_sum.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_product.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_min.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_max.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_prefix_inclusive_sum.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_prefix_exclusive_sum.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_prefix_inclusive_product.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_prefix_exclusive_product.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_broadcast_first.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle.s.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle_up.s.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle_down.s.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle_xor.s.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle_rotate_up.s.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle_rotate_down.s.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_broadcast.s.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle_and_fill_up.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle_and_fill_down.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_and.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_or.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_xor.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_sum.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_product.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_min.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_max.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_prefix_inclusive_sum.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_prefix_exclusive_sum.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_prefix_inclusive_product.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_prefix_exclusive_product.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_broadcast_first.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle.u.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle_up.u.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle_down.u.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle_xor.u.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle_rotate_up.u.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle_rotate_down.u.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_broadcast.u.i8(i8{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle_and_fill_up.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_shuffle_and_fill_down.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_and.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_or.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.simd_xor.u.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_sum.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_product.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_min.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_max.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_prefix_inclusive_sum.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_prefix_exclusive_sum.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_prefix_inclusive_product.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_prefix_exclusive_product.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_broadcast_first.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle_up.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle_down.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle_xor.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle_rotate_up.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle_rotate_down.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_broadcast.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle_and_fill_up.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle_and_fill_down.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_and.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_or.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_xor.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_sum.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_product.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_min.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_max.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_prefix_inclusive_sum.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_prefix_exclusive_sum.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_prefix_inclusive_product.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_prefix_exclusive_product.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_broadcast_first.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle_up.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle_down.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle_xor.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle_rotate_up.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle_rotate_down.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_broadcast.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle_and_fill_up.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_shuffle_and_fill_down.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_and.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_or.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.simd_xor.u.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_sum.s.i32(i32)
// CHECK-DAG: declare i32 @air.simd_product.s.i32(i32)
// CHECK-DAG: declare i32 @air.simd_min.s.i32(i32)
// CHECK-DAG: declare i32 @air.simd_max.s.i32(i32)
// CHECK-DAG: declare i32 @air.simd_prefix_inclusive_sum.s.i32(i32)
// CHECK-DAG: declare i32 @air.simd_prefix_exclusive_sum.s.i32(i32)
// CHECK-DAG: declare i32 @air.simd_prefix_inclusive_product.s.i32(i32)
// CHECK-DAG: declare i32 @air.simd_prefix_exclusive_product.s.i32(i32)
// CHECK-DAG: declare i32 @air.simd_broadcast_first.s.i32(i32)
// CHECK-DAG: declare i32 @air.simd_shuffle.s.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_shuffle_up.s.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_shuffle_down.s.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_shuffle_xor.s.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_shuffle_rotate_up.s.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_shuffle_rotate_down.s.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_broadcast.s.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_shuffle_and_fill_up.s.i32(i32, i32, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_shuffle_and_fill_down.s.i32(i32, i32, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_and.s.i32(i32)
// CHECK-DAG: declare i32 @air.simd_or.s.i32(i32)
// CHECK-DAG: declare i32 @air.simd_xor.s.i32(i32)
// CHECK-DAG: declare i32 @air.simd_sum.u.i32(i32)
// CHECK-DAG: declare i32 @air.simd_product.u.i32(i32)
// CHECK-DAG: declare i32 @air.simd_min.u.i32(i32)
// CHECK-DAG: declare i32 @air.simd_max.u.i32(i32)
// CHECK-DAG: declare i32 @air.simd_prefix_inclusive_sum.u.i32(i32)
// CHECK-DAG: declare i32 @air.simd_prefix_exclusive_sum.u.i32(i32)
// CHECK-DAG: declare i32 @air.simd_prefix_inclusive_product.u.i32(i32)
// CHECK-DAG: declare i32 @air.simd_prefix_exclusive_product.u.i32(i32)
// CHECK-DAG: declare i32 @air.simd_broadcast_first.u.i32(i32)
// CHECK-DAG: declare i32 @air.simd_shuffle.u.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_shuffle_up.u.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_shuffle_down.u.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_shuffle_xor.u.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_shuffle_rotate_up.u.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_shuffle_rotate_down.u.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_broadcast.u.i32(i32, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_shuffle_and_fill_up.u.i32(i32, i32, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_shuffle_and_fill_down.u.i32(i32, i32, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.simd_and.u.i32(i32)
// CHECK-DAG: declare i32 @air.simd_or.u.i32(i32)
// CHECK-DAG: declare i32 @air.simd_xor.u.i32(i32)
// CHECK-DAG: declare half @air.simd_sum.f16(half)
// CHECK-DAG: declare half @air.simd_product.f16(half)
// CHECK-DAG: declare half @air.simd_min.f16(half)
// CHECK-DAG: declare half @air.simd_max.f16(half)
// CHECK-DAG: declare half @air.simd_prefix_inclusive_sum.f16(half)
// CHECK-DAG: declare half @air.simd_prefix_exclusive_sum.f16(half)
// CHECK-DAG: declare half @air.simd_prefix_inclusive_product.f16(half)
// CHECK-DAG: declare half @air.simd_prefix_exclusive_product.f16(half)
// CHECK-DAG: declare half @air.simd_broadcast_first.f16(half)
// CHECK-DAG: declare half @air.simd_shuffle.f16(half, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.simd_shuffle_up.f16(half, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.simd_shuffle_down.f16(half, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.simd_shuffle_xor.f16(half, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.simd_shuffle_rotate_up.f16(half, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.simd_shuffle_rotate_down.f16(half, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.simd_broadcast.f16(half, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.simd_shuffle_and_fill_up.f16(half, half, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare half @air.simd_shuffle_and_fill_down.f16(half, half, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.simd_sum.f32(float)
// CHECK-DAG: declare float @air.simd_product.f32(float)
// CHECK-DAG: declare float @air.simd_min.f32(float)
// CHECK-DAG: declare float @air.simd_max.f32(float)
// CHECK-DAG: declare float @air.simd_prefix_inclusive_sum.f32(float)
// CHECK-DAG: declare float @air.simd_prefix_exclusive_sum.f32(float)
// CHECK-DAG: declare float @air.simd_prefix_inclusive_product.f32(float)
// CHECK-DAG: declare float @air.simd_prefix_exclusive_product.f32(float)
// CHECK-DAG: declare float @air.simd_broadcast_first.f32(float)
// CHECK-DAG: declare float @air.simd_shuffle.f32(float, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.simd_shuffle_up.f32(float, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.simd_shuffle_down.f32(float, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.simd_shuffle_xor.f32(float, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.simd_shuffle_rotate_up.f32(float, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.simd_shuffle_rotate_down.f32(float, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.simd_broadcast.f32(float, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.simd_shuffle_and_fill_up.f32(float, float, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare float @air.simd_shuffle_and_fill_down.f32(float, float, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i1 @air.simd_all(i1{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i1 @air.simd_any(i1{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i1 @air.simd_is_first()
// CHECK-DAG: declare i64 @air.simd_ballot.i64(i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.simd_active_threads_mask.i64()
// CHECK-DAG: declare <2 x i32> @air.simd_shuffle.u.v2i32(<2 x i32>, i16{{[a-z ]*}})
// CHECK-DAG: declare <2 x i32> @air.simd_shuffle_up.u.v2i32(<2 x i32>, i16{{[a-z ]*}})
// CHECK-DAG: declare <2 x i32> @air.simd_shuffle_down.u.v2i32(<2 x i32>, i16{{[a-z ]*}})
// CHECK-DAG: declare <2 x i32> @air.simd_shuffle_xor.u.v2i32(<2 x i32>, i16{{[a-z ]*}})
// CHECK-DAG: declare <2 x i32> @air.simd_shuffle_rotate_up.u.v2i32(<2 x i32>, i16{{[a-z ]*}})
// CHECK-DAG: declare <2 x i32> @air.simd_shuffle_rotate_down.u.v2i32(<2 x i32>, i16{{[a-z ]*}})
// CHECK-DAG: declare <2 x i32> @air.simd_shuffle_and_fill_up.u.v2i32(<2 x i32>, <2 x i32>, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare <2 x i32> @air.simd_shuffle_and_fill_down.u.v2i32(<2 x i32>, <2 x i32>, i16{{[a-z ]*}}, i16{{[a-z ]*}})
