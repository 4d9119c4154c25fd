// SPDX-License-Identifier: Apache-2.0
// The names with which Apple's headers call their compiler, which programs have copied.
// RUN: metalloid-msl -math=safe %s | FileCheck %s --check-prefixes=BOTH,SAFE
// RUN: metalloid-msl -math=fast %s | FileCheck %s --check-prefixes=BOTH,FAST
// RUN: metalloid-msl %s > %t.ll && metalloid-opt %t.ll --stage=verify
#include <metal_stdlib>

#define UNARY(f) x[0] += __metal_##f(x[1], __METAL_MAYBE_FAST_MATH__);
#define BINARY(f) x[0] += __metal_##f(x[1], x[2], __METAL_MAYBE_FAST_MATH__);
#define TERNARY(f) x[0] += __metal_##f(x[1], x[2], x[3], __METAL_MAYBE_FAST_MATH__);

kernel void math(device float* x) {
  UNARY(acos) UNARY(acosh) UNARY(asin) UNARY(asinh) UNARY(atan) UNARY(atanh) UNARY(ceil)
  UNARY(cos) UNARY(cosh) UNARY(cospi) UNARY(exp) UNARY(exp10) UNARY(exp2) UNARY(fabs)
  UNARY(floor) UNARY(fract) UNARY(log) UNARY(log10) UNARY(log2) UNARY(rint) UNARY(round)
  UNARY(rsqrt) UNARY(sin) UNARY(sinh) UNARY(sinpi) UNARY(sqrt) UNARY(tan) UNARY(tanh)
  UNARY(tanpi) UNARY(trunc)
  BINARY(atan2) BINARY(divide) BINARY(fmax) BINARY(fmin) BINARY(fmod) BINARY(pow) BINARY(powr)
  TERNARY(fmax3) TERNARY(fmedian3) TERNARY(fmin3)
  int exponent;
  x[0] += __metal_fma(x[1], x[2], x[3]) + __metal_nextafter(x[1], x[2]);
  x[0] += __metal_copysign(x[1], x[2]) + __metal_ldexp(x[1], 3, __METAL_MAYBE_FAST_MATH__);
  x[0] += __metal_frexp(x[1], &exponent) + exponent;
}

kernel void simd(device ushort* x, device float* f, ushort lane [[thread_index_in_simdgroup]]) {
  x[0] = __metal_simd_sum(x[1]) + __metal_simd_product(x[1]) + __metal_simd_min(x[1]);
  x[0] += __metal_simd_max(x[1]) + __metal_simd_prefix_inclusive_sum(x[1]);
  x[0] += __metal_simd_prefix_exclusive_sum(x[1]) + __metal_simd_prefix_inclusive_product(x[1]);
  x[0] += __metal_simd_prefix_exclusive_product(x[1]) + __metal_simd_xor(x[1]);
  x[0] += __metal_simd_and(x[1]) + __metal_simd_or(x[1]) + __metal_simd_broadcast_first(x[1]);
  x[0] += __metal_simd_broadcast(x[1], 3) + __metal_simd_shuffle(x[1], lane);
  x[0] += __metal_simd_shuffle_up(x[1], 1) + __metal_simd_shuffle_down(x[1], 1);
  x[0] += __metal_simd_shuffle_xor(x[1], 1) + __metal_simd_shuffle_rotate_up(x[1], 1);
  x[0] += __metal_simd_shuffle_rotate_down(x[1], 1);
  x[0] += __metal_simd_shuffle_and_fill_up(x[1], x[2], 1, __metal_get_simdgroup_size(ushort()));
  x[0] += __metal_simd_shuffle_and_fill_down(x[1], x[2], 1, 32);
  f[0] = __metal_simd_sum(f[1]);
}

// BOTH-DAG: declare {{.*}}i16 @air.get_simdgroup_size.i16()
// BOTH-DAG: declare {{.*}}i16 @air.simd_shuffle_and_fill_up.u.i16(
// BOTH-DAG: declare float @air.simd_sum.f32(float)
// SAFE-DAG: call {{.*}}@{{.*}}__metal_exp{{.*}}false)
// FAST-DAG: call {{.*}}@{{.*}}__metal_exp{{.*}}true)
