// SPDX-License-Identifier: Apache-2.0
#include "types.h"

// Division by shifting and subtracting. The callers have made sure that the divisor is not 0.
static u128 divide(u128 dividend, u128 divisor, u128* remainder) {
  if ((dividend >> 64) == 0 && (divisor >> 64) == 0) {
    *remainder = (u64)dividend % (u64)divisor;
    return (u64)dividend / (u64)divisor;
  }
  u128 quotient = 0, rest = 0;
  for (int bit = 127; bit >= 0; --bit) {
    rest = rest << 1 | (dividend >> bit & 1);
    if (rest >= divisor) {
      rest -= divisor;
      quotient |= (u128)1 << bit;
    }
  }
  *remainder = rest;
  return quotient;
}

static u128 magnitude(i128 value) {
  return value < 0 ? -(u128)value : (u128)value;
}

LIBCALL u128 __udivti3(u128 a, u128 b) {
  u128 rest;
  return divide(a, b, &rest);
}

LIBCALL u128 __umodti3(u128 a, u128 b) {
  u128 rest;
  divide(a, b, &rest);
  return rest;
}

LIBCALL i128 __divti3(i128 a, i128 b) {
  u128 rest, quotient = divide(magnitude(a), magnitude(b), &rest);
  return (i128)((a < 0) != (b < 0) ? -quotient : quotient);
}

LIBCALL i128 __modti3(i128 a, i128 b) {
  u128 rest;
  divide(magnitude(a), magnitude(b), &rest);
  return (i128)(a < 0 ? -rest : rest);
}

// Out of range gives the nearest value there is, NaN gives 0.
static u128 fromDouble(double value, u128 limit) {
  if (!(value > 0))
    return 0;
  u64 bits = BITS(u64, value);
  int exponent = (int)(bits >> 52) - 1075; // Of the last bit of the mantissa.
  u128 mantissa = (bits & ((1ul << 52) - 1)) | 1ul << 52;
  if (exponent <= -53)
    return 0;
  if (exponent < 0)
    return mantissa >> -exponent;
  if (exponent > 128 - 53)
    return limit;
  u128 result = mantissa << exponent;
  return result > limit ? limit : result;
}

static i128 fromSignedDouble(double value) {
  u128 most = ~(u128)0 >> 1;
  return value < 0 ? (i128)-fromDouble(-value, most + 1) : (i128)fromDouble(value, most);
}

LIBCALL i128 __fixdfti(double value) {
  return fromSignedDouble(value);
}
LIBCALL i128 __fixsfti(float value) {
  return fromSignedDouble(value);
}
LIBCALL i128 __fixhfti(_Float16 value) {
  return fromSignedDouble((float)value);
}
LIBCALL u128 __fixunsdfti(double value) {
  return fromDouble(value, ~(u128)0);
}
LIBCALL u128 __fixunssfti(float value) {
  return fromDouble(value, ~(u128)0);
}
LIBCALL u128 __fixunshfti(_Float16 value) {
  return fromDouble((float)value, ~(u128)0);
}

// The 64 leading bits of a value with everything below folded into the last: converting those
// rounds as converting the whole does. `shift` is what they were moved by.
static u64 leadingBits(u128 value, int* shift) {
  *shift = 0;
  if ((value >> 64) == 0)
    return (u64)value;
  *shift = 64 - __builtin_clzl((u64)(value >> 64));
  u128 below = value & (((u128)1 << *shift) - 1);
  return (u64)(value >> *shift) | (below != 0);
}

static double powerOfTwo(int exponent) {
  return BITS(double, (u64)(exponent + 1023) << 52);
}

LIBCALL float __floatuntisf(u128 value) {
  int shift;
  u64 bits = leadingBits(value, &shift);
  // 2^128 - 1 rounds to infinity in float; the product does that in double first.
  return (float)((double)(float)bits * powerOfTwo(shift));
}

LIBCALL double __floatuntidf(u128 value) {
  int shift;
  u64 bits = leadingBits(value, &shift);
  return (double)bits * powerOfTwo(shift);
}

LIBCALL _Float16 __floatuntihf(u128 value) {
  // Half ends at 65504; below 2^17 float is exact, so this rounds once.
  return value >> 17 ? (_Float16)__builtin_inff() : (_Float16)(float)(u32)value;
}

LIBCALL float __floattisf(i128 value) {
  float result = __floatuntisf(magnitude(value));
  return value < 0 ? -result : result;
}

LIBCALL double __floattidf(i128 value) {
  double result = __floatuntidf(magnitude(value));
  return value < 0 ? -result : result;
}

LIBCALL _Float16 __floattihf(i128 value) {
  _Float16 result = __floatuntihf(magnitude(value));
  return value < 0 ? -result : result;
}
