// SPDX-License-Identifier: Apache-2.0
// The names of <simd/simd.h>, which programs share between host and kernels.
// RUN: metalloid-msl %s
#include <metal_stdlib>
#include <simd/simd.h>

static_assert(metal::is_same_v<simd_float4, float4> && metal::is_same_v<vector_uint2, uint2>);
static_assert(metal::is_same_v<simd::float3, float3> && metal::is_same_v<simd::half2, half2>);
static_assert(metal::is_same_v<simd_float4x4, float4x4>);
static_assert(metal::is_same_v<matrix_float3x3, simd::float3x3>);

struct Camera {
  matrix_float4x4 view;
  vector_float3 position;
};
static_assert(sizeof(Camera) == 80);
kernel void look(constant Camera& camera, device simd::float4* p) { p[0] = camera.view * p[0]; }
