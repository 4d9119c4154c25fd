// SPDX-License-Identifier: Apache-2.0
#include "types.h"

// Exact fused multiply-add for levels without the instruction: the product of two floats is exact
// in double; the sum is rounded to odd, so that rounding to float afterwards rounds once.
LIBCALL float fmaf(float a, float b, float c) {
  double product = (double)a * b, addend = c;
  double sum = product + addend;
  double back = sum - product;
  double error = (product - (sum - back)) + (addend - back);
  u64 bits = BITS(u64, sum);
  int finite = sum - sum == 0;
  if (finite && error != 0 && !(bits & 1))
    bits += (error > 0) == (sum > 0) ? 1 : -1ul;
  return (float)BITS(double, bits);
}

// The remainder with the dividend's sign, exact: long division on the mantissas.
LIBCALL float fmodf(float x, float y) {
  u32 a = BITS(u32, x) & 0x7fffffff, b = BITS(u32, y) & 0x7fffffff;
  u32 sign = BITS(u32, x) & 0x80000000;
  if (a >= 0x7f800000 || b > 0x7f800000 || b == 0) // Infinite or NaN dividend, NaN or 0 divisor.
    return BITS(float, 0x7fc00000u);
  if (a < b)
    return x;
  int exponentA = (int)(a >> 23), exponentB = (int)(b >> 23);
  u32 mantissaA = exponentA ? (a & 0x7fffff) | 0x800000 : a;
  u32 mantissaB = exponentB ? (b & 0x7fffff) | 0x800000 : b;
  exponentA += exponentA == 0; // Subnormals have the exponent of the smallest normal number.
  exponentB += exponentB == 0;
  for (int i = exponentA - exponentB; i > 0; --i)
    mantissaA = mantissaA % mantissaB << 1;
  mantissaA %= mantissaB;
  if (mantissaA == 0)
    return BITS(float, sign);
  int shift = __builtin_clz(mantissaA) - 8;
  if (shift >= exponentB) // Subnormal result.
    return BITS(float, sign | mantissaA << (exponentB - 1));
  u32 normal = (mantissaA << shift & 0x7fffff) | (u32)(exponentB - shift) << 23;
  return BITS(float, sign | normal);
}

// Cuts the fraction off, after going up in magnitude to the next whole number where asked to.
static float cutFraction(float x, int upIfPositive, int upIfNegative) {
  u32 bits = BITS(u32, x);
  int exponent = (int)(bits >> 23 & 0xff) - 127;
  if (exponent >= 23) // Whole already, infinite or NaN.
    return x;
  u32 sign = bits & 0x80000000;
  int up = sign ? upIfNegative : upIfPositive;
  if (exponent < 0) {
    int isZero = (bits & 0x7fffffff) == 0;
    return BITS(float, sign | (!isZero && up ? 0x3f800000 : 0));
  }
  u32 fraction = 0x7fffff >> exponent;
  if (up && (bits & fraction))
    bits += fraction;
  return BITS(float, bits & ~fraction);
}

LIBCALL float floorf(float x) {
  return cutFraction(x, 0, 1);
}
LIBCALL float ceilf(float x) {
  return cutFraction(x, 1, 0);
}
LIBCALL float truncf(float x) {
  return cutFraction(x, 0, 0);
}

// Half away from zero.
LIBCALL float roundf(float x) {
  u32 bits = BITS(u32, x), sign = bits & 0x80000000;
  int exponent = (int)(bits >> 23 & 0xff) - 127;
  if (exponent >= 23)
    return x;
  if (exponent < 0)
    return BITS(float, sign | (exponent == -1 ? 0x3f800000 : 0));
  u32 fraction = 0x7fffff >> exponent;
  return BITS(float, (bits + (0x400000 >> exponent)) & ~fraction);
}

// Half to even.
LIBCALL float roundevenf(float x) {
  u32 bits = BITS(u32, x), sign = bits & 0x80000000;
  int exponent = (int)(bits >> 23 & 0xff) - 127;
  if (exponent >= 23)
    return x;
  if (exponent < 0) // Up to 0.5, itself included, goes to 0.
    return BITS(float, sign | ((bits & 0x7fffffff) > 0x3f000000 ? 0x3f800000 : 0));
  u32 fraction = 0x7fffff >> exponent, unit = fraction + 1, rest = bits & fraction;
  // At exponent 0 `unit` is the last bit of the exponent field, 127: set, as the implied one is.
  u32 odd = (bits & unit) != 0;
  u32 half = unit >> 1;
  bits &= ~fraction;
  if (rest > half || (rest == half && odd))
    bits += unit;
  return BITS(float, bits);
}
LIBCALL float rintf(float x) {
  return roundevenf(x);
}
LIBCALL float nearbyintf(float x) {
  return roundevenf(x);
}

// x * 2^exponent, rounded once.
LIBCALL float ldexpf(float x, int exponent) {
  exponent = exponent > 600 ? 600 : exponent < -600 ? -600 : exponent;
  return (float)((double)x * BITS(double, (u64)(exponent + 1023) << 52));
}

LIBCALL float frexpf(float x, int* exponent) {
  u32 bits = BITS(u32, x), sign = bits & 0x80000000, field = bits >> 23 & 0xff;
  u32 mantissa = bits & 0x7fffff;
  *exponent = 0;
  if (field == 0xff || (field == 0 && mantissa == 0))
    return x;
  if (field == 0) {
    int shift = __builtin_clz(mantissa) - 8;
    mantissa = mantissa << shift & 0x7fffff;
    field = (u32)(1 - shift);
  }
  *exponent = (int)field - 126;
  return BITS(float, sign | 126u << 23 | mantissa);
}
