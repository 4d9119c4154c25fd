// SPDX-License-Identifier: Apache-2.0
// Sine, cosine and tangent of every finite argument. The argument is reduced to a quarter turn; up
// to 100,000 in three fused steps, beyond that by integer multiplication with the bits of 2/pi, a
// path that is skipped where no lane needs it.
#pragma once

#include "bits.h"

namespace air {

/// x = quadrant pi/2 + angle, |angle| <= pi/4.
struct Reduced {
  f32 angle;
  i32 quadrant;
};

constexpr f32 halfPi = 0x1.921fb6p+0f, halfPiLow = -0x1.777a5cp-25f,
              halfPiLowest = -0x1.ee59dap-50f;

/// For 0 <= x <= 100,000.
inline Reduced reduceNear(f32 x) {
  Rounded n = roundProduct(x, 0x1.45f306p-1f); // 2/pi
  f32 angle = fma(n.value, -halfPi, x);
  angle = fma(n.value, -halfPiLow, angle);
  return {fma(n.value, -halfPiLowest, angle), n.integer};
}

/// `index` in 0 to 3 without a table in memory.
inline u32 choose(u32 index, u32 a, u32 b, u32 c, u32 d) {
  return select(index < 2, select(index < 1, a, b), select(index < 3, c, d));
}

/// For finite x >= 2**16. With x = M 2**E, bits of 2/pi worth 4 and more after multiplication with
/// 2**E only add whole turns; the 96 bits from there on, times M, give the quadrant in two bits and
/// the angle in the rest.
inline Reduced reduceFar(f32 x) {
  // Nine zeros, then 2/pi in binary; E = -7 starts at the first zero.
  constexpr u32 w0 = 0x00517cc1, w1 = 0xb727220a, w2 = 0x94fe13ab, w3 = 0xe8fa9a6e, w4 = 0xe06db14a,
                w5 = 0xcc9e21c8, w6 = 0x20ff28b1;
  u32 bits = bitsOf(x);
  u32 start = (bits >> 23) - 150 + 7;
  u32 word = start >> 5, offset = start & 31;
  u32 a = choose(word, w0, w1, w2, w3), b = choose(word, w1, w2, w3, w4);
  u32 c = choose(word, w2, w3, w4, w5), d = choose(word, w3, w4, w5, w6);
  u64 high = __builtin_elementwise_fshl(a, b, offset);
  u64 middle = __builtin_elementwise_fshl(b, c, offset);
  u64 low = __builtin_elementwise_fshl(c, d, offset);

  u64 mantissa = (bits & 0x7fffff) | 0x800000;
  u64 carried = mantissa * middle + (mantissa * low >> 32);
  u64 turns = (mantissa * high << 32) + carried;
  i64 fraction = i64(turns << 2); // Of a quarter turn, in [-1/2, 1/2).
  u64 quadrant = (turns + (u64(1) << 61)) >> 62;
  f32 quarter = f32(i32(fraction >> 40)) * 0x1p-24f;
  f32 rest = f32(fraction & ((i64(1) << 40) - 1)) * 0x1p-64f;
  return {fma(quarter, halfPi, fma(quarter, halfPiLow, rest * halfPi)), i32(quadrant)};
}

/// For every x >= 0; NaN for infinity.
inline Reduced reduce(f32 x) {
  Reduced result = reduceNear(x);
  if (__builtin_expect(x > 100000, false)) {
    result = reduceFar(x);
    result.angle = select(x == infinity, notANumber, result.angle);
  }
  return result;
}

inline f32 sinReduced(f32 r) {
  f32 square = r * r;
  f32 p = polynomial(square, -0x1.555546p-3f, 0x1.110774p-7f, -0x1.9951f8p-13f);
  return fma(square * p, r, r);
}

inline f32 cosReduced(f32 r) {
  f32 square = r * r;
  f32 p = polynomial(square, 0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e816p-16f);
  return fma(square * square, p, fma(-0.5f, square, 1.0f));
}

/// Sine of quarter * (quadrant quarter turns on), its sign turned where `negative`.
inline f32 pick(f32 sine, f32 cosine, i32 quadrant, bool negative) {
  u32 bits = bitsOf(select((quadrant & 1) != 0, cosine, sine));
  u32 sign = (u32(quadrant) << 30) ^ (u32(negative) << 31);
  return fromBits(bits ^ (sign & 0x80000000));
}

} // namespace air
