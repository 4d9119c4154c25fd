// SPDX-License-Identifier: Apache-2.0
// Matrices: columns first, in constructors, products and indices.
// RUN: metalloid-msl %s
#include <metal_stdlib>
using namespace metal;

constexpr bool equal(float2 v, float x, float y) { return v.x == x && v.y == y; }
constexpr bool equal(float3 v, float x, float y, float z) {
  return v.x == x && v.y == y && v.z == z;
}

// Rows (1 3) and (2 4).
constexpr float2x2 m = float2x2(float2(1, 2), float2(3, 4));
constexpr float2x3 tall = float2x3(float3(1, 2, 3), float3(4, 5, 6));

static_assert(equal(m.columns[1], 3, 4));
static_assert(equal(float2x2(1, 2, 3, 4).columns[1], 3, 4) && float2x2(1, 2, 3, 4) == m);
static_assert(equal(float2x2(5).columns[0], 5, 0) && equal(float2x2(5).columns[1], 0, 5));
static_assert(equal(m * float2(1, 10), 31, 42) && equal(float2(1, 10) * m, 21, 43));
static_assert(equal((m * m).columns[0], 7, 10) && equal((m * m).columns[1], 15, 22));
static_assert(equal(tall * float2(1, 10), 41, 52, 63) && equal(float3(1, 0, 10) * tall, 31, 64));
static_assert(equal((tall * m).columns[1], 19, 26, 33));
static_assert(equal(transpose(tall).columns[2], 3, 6) && transpose(transpose(tall)) == tall);
static_assert(m + m == m * 2 && 2 * m - m == m && (m / 2) * 2 == m && -m == m * -1 && m != m * 2);
static_assert(determinant(m) == -2);
static_assert(determinant(float3x3(2, 0, 1, 1, 3, 2, 0, 1, 4)) == 21);
static_assert(determinant(float4x4(1, 0, 2, -1, 3, 0, 0, 5, 2, 1, 4, -3, 1, 0, 5, 0)) == 30);
static_assert(determinant(half2x2(m)) == -2.0h);

constexpr float2x2 changed() {
  float2x2 a = m;
  a *= m;
  a += m;
  a *= 2;
  return a;
}
static_assert(equal(changed().columns[0], 16, 24));

kernel void index(device float4x4* a, constant float3x3& b, threadgroup half2x2* shared,
                  device float3* v, uint i [[thread_position_in_grid]]) {
  a[i][1] = a[i + 1][2].wzyx;
  a[i][0][i & 3] = b[1][2];
  shared[0][1].x = b[0].y;
  v[i] = b * v[i] + v[i + 1] * b;
  float4x4 local = a[0] * a[1];
  local[i & 3] *= 2;
  a[2] = transpose(local);
}
