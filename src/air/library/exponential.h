// SPDX-License-Identifier: Apache-2.0
// Exponentials and logarithms as inline functions, for exponential.cpp and for what is built on
// them. Every polynomial comes from fit.py.
#pragma once

#include "bits.h"

namespace air {

constexpr f32 log2E = 0x1.715476p+0f, log2ELow = 0x1.4ae0cp-26f;
constexpr f32 ln2 = 0x1.62e43p-1f, ln2Low = -0x1.05c61p-29f;
/// 16 bits of ln 2, so that its products with exponents are exact, and the rest.
constexpr f32 ln2Short = 0x1.62e4p-1f, ln2ShortRest = 0x1.7f7d1cp-20f;

/// p 2**n, correctly rounded where the result is subnormal; p near 1, n in [-252, 254].
inline f32 scale(f32 p, i32 n) {
  i32 half = n >> 1;
  return p * powerOfTwo(half) * powerOfTwo(n - half);
}

/// The nearer of two bounds where x is outside them; NaN stays.
inline f32 limit(f32 x, f32 low, f32 high) {
  f32 raised = select(x < low, low, x);
  return select(raised > high, high, raised);
}

/// exp(r + tail) for |r| <= ln(2)/2 and a tail far below r.
inline f32 expReduced(f32 r, f32 tail = 0) {
  f32 p =
      polynomial(r, 0x1.fffffcp-2f, 0x1.555492p-3f, 0x1.5558bp-5f, 0x1.12398ap-7f, 0x1.6a4d7p-10f);
  return 1 + (r + fma(r * r, p, tail));
}

/// exp(x) 2**shift without overflow on the way.
inline f32 expScaled(f32 x, i32 shift) {
  x = limit(x, -104, 90);
  Rounded n = roundProduct(x, log2E);
  f32 r = fma(n.value, -ln2, x);
  return scale(expReduced(fma(n.value, -ln2Low, r)), n.integer + shift);
}

inline f32 exp(f32 x) {
  return expScaled(x, 0);
}

/// 2**(x + tail).
inline f32 exp2(f32 x, f32 tail = 0) {
  x = limit(x, -151, 129);
  Rounded n = roundProduct(x, 1);
  f32 r = (x - n.value) + tail;
  f32 p = polynomial(r, 0x1.62e43p-1f, 0x1.ebfbdcp-3f, 0x1.c6af7ap-5f, 0x1.3b2dd4p-7f,
                     0x1.5f0952p-10f, 0x1.4178a4p-13f);
  return scale(fma(p, r, 1.0f), n.integer);
}

/// x = m 2**exponent with m in [2/3, 4/3), for x > 0; x may be subnormal.
struct Split {
  f32 mantissa;
  f32 exponent;
};
inline Split split(f32 x) {
  bool tiny = x < smallestNormal;
  u32 bits = bitsOf(select(tiny, x * 0x1p+24f, x));
  i32 exponent = i32(bits - bitsOf(0x1.555556p-1f)) >> 23;
  return {fromBits(bits - (u32(exponent) << 23)), f32(exponent - select(tiny, 24, 0))};
}

/// log(1 + f) - f for f in [-1/3, 1/3].
inline f32 logTail(f32 f) {
  f32 p = polynomial(f, 0x1.555506p-2f, -0x1.fffef4p-3f, 0x1.99d05ep-3f, -0x1.559d36p-3f,
                     0x1.1ed424p-3f, -0x1.f32078p-4f, 0x1.1e73ap-3f, -0x1.07e5f4p-3f);
  f32 square = f * f;
  return fma(square * f, p, -0.5f * square);
}

/// `result`, but what a logarithm gives for 0, infinity, negative numbers and NaN.
inline f32 withLogLimits(f32 x, f32 result) {
  result = select(x == infinity, infinity, result);
  result = select(x >= 0, result, notANumber);
  return select(x == 0, -infinity, result);
}

inline f32 log(f32 x) {
  Split s = split(x);
  f32 f = s.mantissa - 1;
  f32 tail = fma(s.exponent, ln2ShortRest, logTail(f));
  return withLogLimits(x, fma(s.exponent, ln2Short, f) + tail);
}

/// log(1 + x): the rounding error of 1 + x is put back.
inline f32 log1p(f32 x) {
  f32 u = 1 + x;
  f32 lost = select(x < 1, x - (u - 1), 1 - (u - x));
  Split s = split(u);
  f32 f = s.mantissa - 1;
  f32 tail = fma(s.exponent, ln2ShortRest, logTail(f)) + lost / u;
  f32 result = fma(s.exponent, ln2Short, f) + tail;
  return withLogLimits(select(x == infinity, x, u), select(u == 1, x, result));
}

/// base 2 or 10: (exponent, log(mantissa)) with the factors that the base asks for.
inline f32 logOfBase(f32 x, f32 factor, f32 factorLow, f32 ofTwo, f32 ofTwoRest) {
  Split s = split(x);
  f32 f = s.mantissa - 1;
  f32 tail = logTail(f);
  f32 high = f + tail;
  f32 low = tail - (high - f);
  f32 product = high * factor;
  f32 rest = fma(high, factor, -product) + fma(high, factorLow, low * factor);
  return withLogLimits(x, fma(s.exponent, ofTwo, product) + fma(s.exponent, ofTwoRest, rest));
}

inline f32 log2(f32 x) {
  return logOfBase(x, log2E, log2ELow, 1, 0);
}
inline f32 log10(f32 x) {
  return logOfBase(x, 0x1.bcb7b2p-2f, -0x1.5b235ep-27f, 0x1.3442p-2f, -0x1.95ec1p-19f);
}

} // namespace air
