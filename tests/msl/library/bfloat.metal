// SPDX-License-Identifier: Apache-2.0
// bfloat: conversions, arithmetic and what mixtures with other types give.
// RUN: metalloid-msl %s
#include <metal_stdlib>
using namespace metal;

// To float by itself, from float and half only when asked, never by itself to half.
static_assert(is_convertible_v<bfloat, float> && !is_convertible_v<bfloat, half>);
static_assert(!is_convertible_v<float, bfloat> && !is_convertible_v<half, bfloat>);
static_assert(is_constructible_v<bfloat, float> && is_constructible_v<bfloat, half>);
static_assert(is_constructible_v<half, bfloat> && is_convertible_v<int, bfloat>);

static_assert(is_same_v<decltype(bfloat(1) + bfloat(1)), bfloat>);
static_assert(is_same_v<decltype(bfloat(1) * 2), bfloat> && is_same_v<decltype(3u - bfloat(1)), bfloat>);
static_assert(is_same_v<decltype(bfloat(1) + 1.0f), float> && is_same_v<decltype(2.0h / bfloat(1)), float>);
static_assert(is_same_v<decltype(true ? bfloat(1) : 0), bfloat>);

// Rounds to nearest, ties to even, to 8 significant bits.
static_assert(as_type<ushort>(bfloat(1.00390625f)) == 0x3f80, "1 + 2^-8 is a tie");
static_assert(as_type<ushort>(bfloat(1.01171875f)) == 0x3f82, "1 + 3 * 2^-8 is a tie");
static_assert(as_type<ushort>(bfloat(257)) == 0x4380 && as_type<ushort>(bfloat(-2)) == 0xc000);
static_assert(float(bfloat(3.140625f)) == 3.140625f);
static_assert(bfloat(256) + bfloat(1) == bfloat(256) && bfloat(3) / bfloat(2) == 1.5f);
static_assert(-bfloat(2) == -2 && bfloat(1) < 2 && 2.0f >= bfloat(1) && bfloat(1) != 2.0h);

constexpr bfloat stepped() {
  bfloat x = 1;
  x += 2;
  x *= bfloat(3);
  x -= 0.5f;
  ++x;
  x--;
  return x;
}
static_assert(stepped() == 8.5f);

static_assert(is_floating_point_v<bfloat> && is_arithmetic_v<bfloat> && is_signed_v<bfloat>);
static_assert(sizeof(bfloat4) == 8 && (bfloat4(2) * bfloat4(3)).z == 6);

kernel void use(device bfloat* p, constant bfloat& scale, threadgroup bfloat* shared,
                device bfloat4* v, device int* out, uint i [[thread_position_in_grid]]) {
  shared[i] = p[i] * scale + 1;
  p[i] = i < 5 ? shared[i] : 0;
  // Functions of floats take a bfloat as a float, and give a float.
  float f = metal::exp(p[i]) + max(p[i], scale) + abs(p[0]);
  static_assert(is_same_v<decltype(metal::exp(p[i])), float>);
  p[i] = bfloat(f);
  v[i] += v[i + 1] * scale;
  out[i] = int(p[i]) + (p[i] ? 1 : 2) + (!p[i] || p[i + 1]);
}
