// SPDX-License-Identifier: Apache-2.0
// exp, exp2, exp10, log, log2, log10, pow, powr.
#include "exponential.h"

namespace air {
namespace {

f32 exp10(f32 x) {
  x = limit(x, -46, 39);
  Rounded n = roundProduct(x, 0x1.a934fp+1f); // log2(10)
  f32 r = fma(n.value, -0x1.3442p-2f, x);     // log10(2), 16 bits
  r = fma(n.value, 0x1.95ec1p-19f, r);
  constexpr f32 ln10 = 0x1.26bb1cp+1f, ln10Low = -0x1.12aabap-25f;
  f32 product = r * ln10;
  f32 rest = fma(r, ln10Low, fma(r, ln10, -product));
  return scale(expReduced(product, rest), n.integer);
}

/// A shorter polynomial; the exponent is added to the bits, so subnormal results become 0.
f32 fastExp(f32 x) {
  Rounded n = roundProduct(limit(x, -88, 89), log2E);
  f32 r = fma(n.value, -ln2, x);
  f32 p = polynomial(r, 0x1.fffdfcp-2f, 0x1.5557bp-3f, 0x1.572a3p-5f, 0x1.1061e8p-7f);
  f32 result = fromBits(bitsOf(fma(r * r, p, r) + 1) + (u32(n.integer) << 23));
  result = select(x < -87.3f, 0.0f, result);
  result = select(x > 88.722839f, infinity, result);
  return select(isnan(x), x, result);
}

f32 fastExp2(f32 x) {
  Rounded n = roundProduct(limit(x, -127, 129), 1);
  f32 r = x - n.value;
  f32 p =
      polynomial(r, 0x1.62e43p-1f, 0x1.ebfbdcp-3f, 0x1.c6af7ap-5f, 0x1.3b2dd4p-7f, 0x1.5f0952p-10f);
  f32 result = fromBits(bitsOf(fma(p, r, 1.0f)) + (u32(n.integer) << 23));
  result = select(x < -126.0f, 0.0f, result);
  result = select(x >= 128.0f, infinity, result);
  return select(isnan(x), x, result);
}

f32 fastLogTail(f32 f) {
  f32 p = polynomial(f, 0x1.555dcep-2f, -0x1.000c3ap-2f, 0x1.95f6dap-3f, -0x1.5126bep-3f,
                     0x1.5b71cp-3f, -0x1.36d3ecp-3f);
  f32 square = f * f;
  return fma(square * f, p, fma(-0.5f, square, f));
}

f32 fastLog(f32 x) {
  Split s = split(x);
  return withLogLimits(x, fma(s.exponent, ln2, fastLogTail(s.mantissa - 1)));
}

f32 fastLog2(f32 x) {
  Split s = split(x);
  return withLogLimits(x, fma(fastLogTail(s.mantissa - 1), log2E, s.exponent));
}

f32 fastLog10(f32 x) {
  return fastLog2(x) * 0x1.344136p-2f;
}

/// log2(x) for finite x > 0 as a sum of two floats, good to about 2**-33.
struct Pair {
  f32 high;
  f32 low;
};
Pair log2Pair(f32 x) {
  Split split_ = split(x);
  // s + sLow = (m - 1) / (m + 1); log(m) = 2 atanh(s).
  f32 numerator = split_.mantissa - 1;
  f32 denominator = split_.mantissa + 1;
  f32 denominatorLow = split_.mantissa - (denominator - 1);
  f32 s = numerator / denominator;
  f32 sLow = fma(-s, denominatorLow, fma(-s, denominator, numerator)) / denominator;

  // factor = atanh(s) / s = 1 + s**2/3 + …, its first term kept to more than a float.
  constexpr f32 third = 0x1.555556p-2f, thirdLow = -0x1.555556p-27f;
  f32 square = s * s;
  f32 squareLow = fma(s, s, -square);
  f32 beyond = square * square * polynomial(square, 0x1.999a9ep-3f, 0x1.241adp-3f, 0x1.e8d4b4p-4f);
  f32 term = square * third;
  f32 termLow = fma(square, third, -term) + fma(squareLow, third, fma(square, thirdLow, beyond));
  f32 factor = 1 + term;
  f32 factorLow = (1 - factor) + term + termLow;

  // 2 / ln(2) * (s + sLow) * factor.
  constexpr f32 twoLog2E = 2 * log2E, twoLog2ELow = 2 * log2ELow;
  f32 scaled = s * twoLog2E;
  f32 scaledLow = fma(s, twoLog2E, -scaled) + fma(s, twoLog2ELow, sLow * twoLog2E);
  f32 high = scaled * factor;
  f32 low = fma(scaled, factor, -high) + fma(scaled, factorLow, scaledLow * factor);

  f32 sum = split_.exponent + high;
  return {sum, ((split_.exponent - sum) + high) + low};
}

bool isOddInteger(f32 y) {
  f32 half = y * 0.5f;
  return trunc(y) == y && trunc(half) != half;
}

/// What pow gives where |x| is 0 or infinite, y is infinite, x is negative, or a rule fixes the
/// result; `magnitude` is |x|**y elsewhere.
f32 withPowLimits(f32 x, f32 y, f32 magnitude) {
  f32 size = fabs(x);
  bool grows = (size > 1) == (y > 0);
  bool isExtreme = (size == 0) | (size == infinity) | (fabs(y) == infinity);
  f32 result = select(isExtreme, select(grows, infinity, 0.0f), magnitude);

  bool isNegative = signbit(x);
  result = select(isNegative & isOddInteger(y), -result, result);
  bool isDefined = (x >= 0) | (trunc(y) == y) | (size == infinity);
  result = select(isDefined, result, notANumber);
  result = select(isnan(x) || isnan(y), notANumber, result);
  bool isOne = (x == 1) | (y == 0) | ((x == -1) & (fabs(y) == infinity));
  return select(isOne, 1.0f, result);
}

f32 pow(f32 x, f32 y) {
  Pair l = log2Pair(fabs(x));
  f32 product = y * l.high;
  f32 rest = fma(y, l.high, -product) + y * l.low;
  bool isFar = !(fabs(product) < 200);
  f32 magnitude = exp2(product, select(isFar, 0.0f, rest));
  return withPowLimits(x, y, magnitude);
}

f32 fastPow(f32 x, f32 y) {
  Split s = split(fabs(x));
  f32 f = s.mantissa - 1;
  f32 log2 = fma(logTail(f), log2E, fma(f, log2E, s.exponent));
  f32 product = y * log2;
  f32 rest = fma(y, log2, -product);
  return withPowLimits(x, y, exp2(product, select(!(fabs(product) < 200), 0.0f, rest)));
}

f32 powr(f32 x, f32 y) {
  return select(x < 0, notANumber, pow(x, y));
}
f32 fastPowr(f32 x, f32 y) {
  return select(x < 0, notANumber, fastPow(x, y));
}
f32 exp2OfOne(f32 x) {
  return exp2(x);
}

} // namespace

AIR_FLOAT_AND_FAST(exp, 1, exp, fastExp)
AIR_FLOAT_AND_FAST(exp2, 1, exp2OfOne, fastExp2)
AIR_FLOAT_AND_FAST(exp10, 1, exp10, exp10)
AIR_FLOAT_AND_FAST(log, 1, log, fastLog)
AIR_FLOAT_AND_FAST(log2, 1, log2, fastLog2)
AIR_FLOAT_AND_FAST(log10, 1, log10, fastLog10)
AIR_FLOAT_AND_FAST(pow, 2, pow, fastPow)
AIR_FLOAT_AND_FAST(powr, 2, powr, fastPowr)

} // namespace air
