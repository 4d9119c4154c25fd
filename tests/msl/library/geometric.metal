// SPDX-License-Identifier: Apache-2.0
// Lengths, products and directions: the scalar product is an air function, the rest rests on it.
// RUN: metalloid-msl -math=fast %s | FileCheck %s --check-prefixes=BOTH,FAST
// RUN: metalloid-msl -math=safe %s | FileCheck %s --check-prefixes=BOTH,SAFE
// RUN: metalloid-msl %s > %t.ll && metalloid-opt %t.ll --stage=verify
#include <metal_geometric>
using namespace metal;

template <typename T, int N> void all_functions(device vec<T, N>* v, device T* x) {
  x[0] = dot(v[0], v[1]) + length(v[0]) + distance(v[0], v[1]);
  x[1] = length_squared(v[0]) + distance_squared(v[0], v[1]);
  v[2] = normalize(v[0]) + faceforward(v[0], v[1], v[2]) + reflect(v[0], v[1]);
  v[3] = refract(v[0], v[1], x[2]);
  if constexpr (N == 3)
    v[4] = cross(v[0], v[1]);
}
kernel void of_float2(device float2* v, device float* x) { all_functions(v, x); }
kernel void of_float3(device float3* v, device float* x) { all_functions(v, x); }
kernel void of_float4(device float4* v, device float* x) { all_functions(v, x); }
kernel void of_half2(device half2* v, device half* x) { all_functions(v, x); }
kernel void of_half3(device half3* v, device half* x) { all_functions(v, x); }
kernel void of_half4(device half4* v, device half* x) { all_functions(v, x); }
kernel void forms(device float3* v, device packed_float3* p, device float* x) {
  x[0] = precise::length(v[0]) + fast::length(v[0]) + precise::distance(v[0], v[1]);
  v[0] = precise::normalize(v[1]) + fast::normalize(p[0]) + cross(p[0], v[1]);
}

// BOTH-DAG: declare float @air.dot.v2f32(<2 x float>, <2 x float>)
// BOTH-DAG: declare float @air.dot.v3f32(<3 x float>, <3 x float>)
// BOTH-DAG: declare float @air.dot.v4f32(<4 x float>, <4 x float>)
// BOTH-DAG: declare half @air.dot.v2f16(<2 x half>, <2 x half>)
// BOTH-DAG: declare half @air.dot.v3f16(<3 x half>, <3 x half>)
// BOTH-DAG: declare half @air.dot.v4f16(<4 x half>, <4 x half>)
// FAST-DAG: declare float @air.fast_sqrt.f32(float)
// FAST-DAG: declare float @air.fast_rsqrt.f32(float)
// SAFE-DAG: declare float @air.sqrt.f32(float)
// SAFE-DAG: declare float @air.rsqrt.f32(float)
