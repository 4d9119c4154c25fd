// SPDX-License-Identifier: Apache-2.0
// Packed vectors act as the vectors that they hold.
// RUN: metalloid-msl %s
#include <metal_stdlib>
using namespace metal;

constexpr packed_float3 p = packed_float3(1, 2, 3);
constexpr packed_float3 q = float3(4, 5, 6);

static_assert(p.x == 1 && p.y == 2 && q.z == 6);
static_assert(p.zy.x == 3 && q.bgr.x == 6);
static_assert(is_same_v<decltype(p + q), float3> && is_same_v<decltype(2 * p), float3>);
static_assert((p + q).y == 7 && (p * 2).z == 6 && (2 - p).x == 1 && (float3(1) + p).z == 4);
static_assert((p < q).x && (-p).y == -2);
static_assert(is_convertible_v<packed_float3, float3> && is_convertible_v<float3, packed_float3>);
static_assert(!is_convertible_v<packed_float3, half3>);

constexpr packed_float3 changed() {
  packed_float3 v = p;
  v += q;
  v.xy = v.yx;
  v *= 2;
  return v;
}
static_assert(changed().x == 14 && changed().y == 10 && changed().z == 18);

kernel void functions(device packed_float3* a, constant packed_float3& b, device float* out) {
  out[0] = dot(a[0], b) + length(a[1]) + a[2][1];
  a[3] = max(a[0], 0.0f) + clamp(b, 0.0f, 1.0f);
  a[4] = normalize(b) * out[1];
  a[5][2] = cross(a[0], a[1]).x;
  float3 v = a[6];
  a[7] = v.zyx;
}
