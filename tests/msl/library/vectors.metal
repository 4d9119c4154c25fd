// SPDX-License-Identifier: Apache-2.0
// Vectors: constructors, fields, swizzles and operators, judged by the compiler's own evaluator.
// RUN: metalloid-msl %s
#include <metal_stdlib>
using namespace metal;

constexpr bool equal(float2 v, float x, float y) { return v.x == x && v.y == y; }
constexpr bool equal(float3 v, float x, float y, float z) {
  return v.x == x && v.y == y && v.z == z;
}
constexpr bool equal(float4 v, float x, float y, float z, float w) {
  return v.x == x && v.y == y && v.z == z && v.w == w;
}
constexpr bool equal(int4 v, int x, int y, int z, int w) {
  return v.x == x && v.y == y && v.z == z && v.w == w;
}
constexpr bool equal(bool4 v, bool x, bool y, bool z, bool w) {
  return v.x == x && v.y == y && v.z == z && v.w == w;
}

constexpr float2 ab = float2(1, 2);
constexpr float3 abc = float3(1, 2, 3);
constexpr float4 abcd = float4(1, 2, 3, 4);

// Constructors.
static_assert(equal(float4(7), 7, 7, 7, 7) && equal(float2(3, 4.5h), 3, 4.5f));
static_assert(equal(float3(ab, 9), 1, 2, 9) && equal(float3(9, ab), 9, 1, 2));
static_assert(equal(float4(ab, ab), 1, 2, 1, 2) && equal(float4(ab, 8, 9), 1, 2, 8, 9));
static_assert(equal(float4(8, ab, 9), 8, 1, 2, 9) && equal(float4(8, 9, ab), 8, 9, 1, 2));
static_assert(equal(float4(abc, 9), 1, 2, 3, 9) && equal(float4(9, abc), 9, 1, 2, 3));
static_assert(equal(float4(int4(1, -2, 3, -4)), 1, -2, 3, -4));
static_assert(equal(int4(float4(1.9f, -1.9f, 0.5f, 7)), 1, -1, 0, 7));
static_assert(equal(float3(packed_float3(1, 2, 3)), 1, 2, 3));
static_assert(equal(float3(packed_half3(1, 2, 3)), 1, 2, 3));

// Fields under both alphabets, and swizzles of every length.
static_assert(abcd.x == 1 && abcd.y == 2 && abcd.z == 3 && abcd.w == 4);
static_assert(equal(abcd.wx, 4, 1) && equal(abcd.gr, 2, 1));
static_assert(equal(abcd.zyx, 3, 2, 1) && equal(abcd.aab, 4, 4, 3));
static_assert(equal(abcd.wzyx, 4, 3, 2, 1) && equal(abcd.bgra, 3, 2, 1, 4));
static_assert(equal(abc.zzxx, 3, 3, 1, 1) && equal(ab.yxy, 2, 1, 2) && equal(ab.xxyy, 1, 1, 2, 2));

// Assignment to swizzles, simple and compound.
constexpr float4 assigned() {
  float4 v = abcd;
  v.xy = v.yx;
  v.zw += 10;
  v.wz = v.zw * 2;
  return v;
}
static_assert(equal(assigned(), 2, 1, 28, 26));
constexpr float4 chained() {
  float4 v = 0;
  v.rg = v.ba = float2(5, 6);
  v.xyz -= float3(1, 2, 3);
  v.x++;
  return v;
}
static_assert(equal(chained(), 5, 4, 2, 6));

// Arithmetic, with scalars on either side.
static_assert(equal(abcd + abcd, 2, 4, 6, 8) && equal(abcd - 1, 0, 1, 2, 3));
static_assert(equal(2 * abcd, 2, 4, 6, 8) && equal(12.0f / abcd, 12, 6, 4, 3));
static_assert(equal(-abcd, -1, -2, -3, -4));
static_assert(equal(int4(7, 8, 9, 10) % 4, 3, 0, 1, 2));
static_assert(equal(int4(6) & int4(3, 2, 1, 4), 2, 2, 0, 4) && equal(int4(6) | 1, 7, 7, 7, 7));
static_assert(equal(int4(6) ^ 3, 5, 5, 5, 5) && equal(~int4(0), -1, -1, -1, -1));
static_assert(equal(int4(1) << int4(0, 1, 2, 3), 1, 2, 4, 8) && equal(int4(16) >> 2, 4, 4, 4, 4));
static_assert((uchar4(200) + uchar4(100)).x == 44, "wraps in the component's type");

// Comparisons give bool vectors; logic works on them.
static_assert(is_same_v<decltype(abcd < abcd), bool4> && is_same_v<decltype(ab == ab), bool2>);
static_assert(equal(abcd < float4(4, 3, 2, 1), true, true, false, false));
static_assert(equal(abcd >= 2, false, true, true, true) && equal(abcd != 3, true, true, false, true));
static_assert(equal((abcd > 1) && (abcd < 4), false, true, true, false));
static_assert(equal(!(abcd > 1) || (abcd == 4), true, false, false, true));

static_assert(is_same_v<decltype(half4(1) * 2.0f), half4>, "a scalar takes the vector's type");
static_assert(is_convertible_v<int, float4> && !is_convertible_v<float, int4>);
static_assert(!is_convertible_v<half4, float4> && !is_convertible_v<float3, float4>);
static_assert(is_constructible_v<int4, float> && is_constructible_v<half4, float4>);

// Elements by index, in every address space, and as arguments of templates.
template <typename T, int N> T sum(vec<T, N> v) {
  T total = 0;
  for (int i = 0; i < N; ++i)
    total += v[i];
  return total;
}
constant float4 table[2] = {float4(1, 2, 3, 4), {5, 6, 7, 8}};

kernel void everywhere(device float4* out, constant float3& scale, threadgroup half4* shared,
                       uint i [[thread_position_in_grid]]) {
  float4 local = table[i & 1];
  local[i & 3] = scale[1];
  shared[i].xyz = half3(scale);
  shared[i][3] = local.w;
  out[i].yx += local.xy * sum(scale);
  out[i].w = sum(shared[i]) + sum(local.zw);
  out[i][2] += table[0][i & 3];
}

template <typename T> T in_template(T v) {
  v.x += 1;
  v.r *= 2;
  v.xy = v.yx;
  v.zw *= 2;
  v.xyz = v.zyx * 2 - 1 + v.xxx;
  v.xy++;
  return v;
}
kernel void templates(device half4* out) { out[0] = in_template(out[0]); }
