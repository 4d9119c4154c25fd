// SPDX-License-Identifier: Apache-2.0
// The few operations that the math is written in: selection, bit patterns, fused multiply-add.
#pragma once

#include "define.h"

namespace air {

constexpr f32 infinity = __builtin_inff();
constexpr f32 notANumber = __builtin_nanf("");
constexpr f32 smallestNormal = 0x1p-126f;

/// Both sides are values already: never a branch.
template <class T> inline T select(bool condition, T yes, T no) {
  return condition ? yes : no;
}

inline u32 bitsOf(f32 x) {
  return __builtin_bit_cast(u32, x);
}
inline u16 bitsOf(f16 x) {
  return __builtin_bit_cast(u16, x);
}
inline f32 fromBits(u32 bits) {
  return __builtin_bit_cast(f32, bits);
}

/// Not by a conversion: some machines flush subnormals on the way.
inline f32 fromBfloat(bf16 x) {
  return fromBits(u32(__builtin_bit_cast(u16, x)) << 16);
}
/// To the nearest, ties to even. A NaN stays one, and quiet.
inline bf16 toBfloat(f32 x) {
  u32 bits = bitsOf(x);
  u32 rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  bool isNan = (bits & 0x7fffffff) > 0x7f800000;
  return __builtin_bit_cast(bf16, u16(isNan ? (bits >> 16) | 0x40 : rounded));
}

inline f32 fma(f32 a, f32 b, f32 c) {
  return __builtin_elementwise_fma(a, b, c);
}
inline f32 fabs(f32 x) {
  return __builtin_elementwise_abs(x);
}
inline f32 copysign(f32 x, f32 sign) {
  return __builtin_elementwise_copysign(x, sign);
}
inline f32 floor(f32 x) {
  return __builtin_elementwise_floor(x);
}
inline f32 trunc(f32 x) {
  return __builtin_elementwise_trunc(x);
}
inline f32 rint(f32 x) {
  return __builtin_elementwise_roundeven(x);
}
inline f32 sqrt(f32 x) {
  return __builtin_elementwise_sqrt(x);
}

inline bool isnan(f32 x) {
  return x != x;
}
inline bool isfinite(f32 x) {
  return (bitsOf(x) & 0x7fffffff) < 0x7f800000;
}
inline bool signbit(f32 x) {
  return bitsOf(x) >> 31;
}

/// c[0] + x (c[1] + x (c[2] + …)).
template <class... Rest> inline f32 polynomial(f32 x, f32 first, Rest... rest) {
  if constexpr (sizeof...(rest) == 0)
    return first;
  else
    return fma(polynomial(x, rest...), x, first);
}

/// 2**n for n in [-126, 127].
inline f32 powerOfTwo(i32 n) {
  return fromBits(u32(n + 127) << 23);
}

/// Adding this to a float of magnitude below 2**22 rounds it to an integer, which then stands in
/// the low bits of the sum; unlike a conversion this is defined for every input.
constexpr f32 roundingBias = 0x1.8p+23f;

/// The nearest integer to a b, as float and (low bits, two's complement) as integer.
struct Rounded {
  f32 value;
  i32 integer;
};
inline Rounded roundProduct(f32 a, f32 b) {
  f32 biased = fma(a, b, roundingBias);
  return {biased - roundingBias, i32(bitsOf(biased) - bitsOf(roundingBias))};
}

} // namespace air
