// SPDX-License-Identifier: Apache-2.0
// Half and bfloat conversions in integers, so that flushing of denormals does not touch them.
#include "types.h"

// Rounds 1.mantissa * 2^exponent (mantissa with `width` fraction bits and its leading one) to a
// format with `fraction` fraction bits, ties to even, subnormals kept. Returns the bits below the
// sign.
static u32 roundTo(u64 mantissa, int width, int exponent, int fraction, int bias) {
  int drop = width - fraction;
  int biased = exponent + bias;
  if (biased <= 0) { // Subnormal in the target.
    drop += 1 - biased;
    biased = 0;
    if (drop > width + 1)
      return 0;
  }
  u64 kept = mantissa >> drop, rest = mantissa & ((1ul << drop) - 1), half = 1ul << (drop - 1);
  kept += rest > half || (rest == half && (kept & 1));
  // The leading one adds 1 to the exponent field; a carry out of rounding does so as well.
  u64 field = biased == 0 ? 0 : (u64)(biased - 1);
  u64 result = (field << fraction) + kept;
  u64 infinity = (u64)(2 * bias + 1) << fraction;
  return (u32)(result < infinity ? result : infinity);
}

// From the bits of a double. NaN keeps its sign and the top of its payload, and becomes quiet.
static u16 narrowDouble(u64 bits, int fraction, int bias) {
  u16 sign = (u16)(bits >> 48 & 0x8000);
  u64 mantissa = bits & ((1ul << 52) - 1);
  int field = (int)(bits >> 52 & 0x7ff);
  u32 infinity = (u32)(2 * bias + 1) << fraction;
  if (field == 0x7ff)
    return (u16)(sign | infinity |
                 (mantissa ? 1u << (fraction - 1) | (u32)(mantissa >> (52 - fraction)) : 0));
  if (field == 0) // 0, or far below every format here.
    return sign;
  return (u16)(sign | roundTo(mantissa | 1ul << 52, 52, field - 1023, fraction, bias));
}

// The same from the bits of a float, whose subnormals bfloat has too.
static u16 narrowFloat(u32 bits, int fraction, int bias) {
  u16 sign = (u16)(bits >> 16 & 0x8000);
  u64 mantissa = bits & 0x7fffff;
  int field = (int)(bits >> 23 & 0xff);
  u32 infinity = (u32)(2 * bias + 1) << fraction;
  if (field == 0xff)
    return (u16)(sign | infinity |
                 (mantissa ? 1u << (fraction - 1) | (u32)(mantissa >> (23 - fraction)) : 0));
  if (mantissa == 0 && field == 0)
    return sign;
  int exponent = field - 127;
  if (field == 0) { // Subnormal: move the leading one into place.
    int shift = __builtin_clzl(mantissa) - 40;
    mantissa <<= shift;
    exponent = -126 - shift;
  }
  return (u16)(sign | roundTo(mantissa | 1ul << 23, 23, exponent, fraction, bias));
}

LIBCALL float __extendhfsf2(_Float16 value) {
  u16 bits = BITS(u16, value);
  u32 sign = (u32)(bits & 0x8000) << 16, field = bits >> 10 & 31, mantissa = bits & 0x3ff;
  if (field == 31)
    return BITS(float, sign | 0x7f800000 | mantissa << 13 | (mantissa ? 0x400000 : 0));
  if (field != 0)
    return BITS(float, sign | (field + 112) << 23 | mantissa << 13);
  if (mantissa == 0)
    return BITS(float, sign);
  int shift = __builtin_clz(mantissa) - 21; // The leading one to bit 10.
  return BITS(float, sign | (u32)(113 - shift) << 23 | (mantissa << shift & 0x3ff) << 13);
}

LIBCALL _Float16 __truncsfhf2(float value) {
  return BITS(_Float16, narrowFloat(BITS(u32, value), 10, 15));
}
LIBCALL _Float16 __truncdfhf2(double value) {
  return BITS(_Float16, narrowDouble(BITS(u64, value), 10, 15));
}
LIBCALL __bf16 __truncsfbf2(float value) {
  return BITS(__bf16, narrowFloat(BITS(u32, value), 7, 127));
}
LIBCALL __bf16 __truncdfbf2(double value) {
  return BITS(__bf16, narrowDouble(BITS(u64, value), 7, 127));
}
