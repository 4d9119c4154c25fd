// SPDX-License-Identifier: Apache-2.0
// Functions with two results or an integer argument, and those with a single form.
// RUN: metalloid-msl %s | grep ^declare | FileCheck %s
// RUN: metalloid-msl %s > %t.ll && metalloid-opt %t.ll --stage=verify
#include <metal_math>
using namespace metal;

kernel void two_results(device float* x, device half* h, device float3* v, device int* k) {
  int e;
  float whole, cosine;
  half half_whole, half_cosine;
  x[0] = frexp(x[1], e) + modf(x[2], whole) + sincos(x[3], cosine) + e + whole + cosine;
  h[0] = frexp(h[1], e) + modf(h[2], half_whole) + sincos(h[3], half_cosine) + half_whole;
  int3 exponents;
  float3 wholes, cosines;
  v[0] = frexp(v[1], exponents) + modf(v[2], wholes) + sincos(v[3], cosines);
  v[1] = float3(exponents) + wholes + cosines;
  x[4] = precise::sincos(x[5], cosine) + fast::sincos(x[6], cosine) + precise::modf(x[7], whole);
}
kernel void single_form(device float* x, device half* h, device float3* v, device int* k) {
  x[0] = ldexp(x[1], k[0]) + copysign(x[1], x[2]) + nextafter(x[1], x[2]) + fma(x[1], x[2], x[3]);
  h[0] = ldexp(h[1], k[0]) + copysign(h[1], h[2]) + nextafter(h[1], h[2]) + fma(h[1], h[2], h[3]);
  v[0] = ldexp(v[1], int3(1, 2, 3)) + copysign(v[1], v[2]) + fma(v[1], v[2], x[1]);
  k[0] = ilogb(x[0]) + ilogb(h[0]);
  x[1] = fast::fma(x[1], x[2], x[3]) + precise::ldexp(x[1], 2);
}

// CHECK-DAG: declare float @air.frexp.f32(float, ptr)
// CHECK-DAG: declare half @air.frexp.f16(half, ptr)
// CHECK-DAG: declare float @air.modf.f32(float, ptr)
// CHECK-DAG: declare half @air.modf.f16(half, ptr)
// CHECK-DAG: declare float @air.ldexp.f32(float, i32)
// CHECK-DAG: declare half @air.ldexp.f16(half, i32)
// CHECK-DAG: declare i32 @air.ilogb.f32(float)
// CHECK-DAG: declare i32 @air.ilogb.f16(half)
// CHECK-DAG: declare float @air.copysign.f32(float, float)
// CHECK-DAG: declare half @air.copysign.f16(half, half)
// CHECK-DAG: declare float @air.nextafter.f32(float, float)
// CHECK-DAG: declare half @air.nextafter.f16(half, half)
// CHECK-DAG: declare float @air.fma.f32(float, float, float)
// CHECK-DAG: declare half @air.fma.f16(half, half, half)
