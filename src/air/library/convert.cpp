// SPDX-License-Identifier: Apache-2.0
// air.convert.<to>.<from>: float to integer truncates, saturates and makes NaN 0; everything to
// float rounds to the nearest, once; everything to bool asks whether it is not 0.
#include "bits.h"

namespace air {
namespace {

template <class T> constexpr bool isBfloat = __is_same(T, bf16);
template <class T> constexpr bool isHalf = __is_same(T, f16);
template <class T> constexpr bool isFloat = __is_same(T, f32) || isHalf<T> || isBfloat<T>;
template <class T> constexpr bool isBool = __is_same(T, i1);

/// An integer of magnitude 2**24 and more as a float that is not rounded but made odd where bits
/// are lost, so that rounding it to bfloat is the only rounding.
template <class T> f32 toOddFloat(T x) {
  using U = __make_unsigned(T);
  constexpr int width = 8 * sizeof(T), spare = width - 24;
  bool isNegative = x < 0;
  U size = isNegative ? U(0) - U(x) : U(x);
  u32 zeros = u32(__builtin_elementwise_clzg(size, U(width - 1)));
  U top = U(size << zeros);
  U lost = U(top & ((U(1) << spare) - 1));
  f32 value = f32(u32(top >> spare) | u32(lost != 0)) * powerOfTwo(spare - i32(zeros));
  return isNegative ? -value : value;
}

/// x between the limits of the integer type To, and truncated; 0 for NaN. Where the greatest
/// integer is no float, the greatest float below it stands in until it is known that x is beyond.
template <class To> To saturate(f32 x) {
  constexpr int width = 8 * sizeof(To) - (To(-1) < 0 ? 1 : 0);
  constexpr To greatest = To(~u64(0) >> (64 - width)), least = To(-1) < 0 ? To(~greatest) : To(0);
  constexpr f32 beyond = f32(u64(1) << (width - 1)) * 2;
  constexpr f32 high = width <= 24 ? beyond - 1 : beyond * (1 - 0x1p-24f), low = f32(least);
  f32 inside = select(x < low, low, x);
  inside = select(inside > high, high, inside);
  To result = To(select(isnan(x), 0.0f, inside));
  return select(x >= beyond, greatest, result);
}

template <class From> f32 toFloat(From x) {
  if constexpr (isBfloat<From>)
    return fromBfloat(x);
  else
    return f32(x);
}

template <class To, class From> To convert(From x) {
  if constexpr (__is_same(To, From))
    return x;
  else if constexpr (isBool<To>)
    return isFloat<From> ? toFloat(x) != 0 : x != From(0);
  else if constexpr (isBfloat<To> && !isFloat<From> && sizeof(From) >= 4)
    return toBfloat(toOddFloat(x));
  else if constexpr (isBfloat<To>)
    return toBfloat(toFloat(x));
  else if constexpr (isFloat<From> && !isFloat<To>)
    return saturate<To>(toFloat(x));
  else if constexpr (isFloat<To>)
    return To(toFloat(x)); // Exact on the way in or out, but from 64 bits to half, where what a
                           // float cannot hold is infinite.
  else
    return To(x);
}

} // namespace

#define AIR_CONVERT_ONE(toLabel, To, fromLabel, From)                                              \
  AIR_DEFINE("convert." toLabel "." fromLabel, To##_from_##From, To, (From x)) {                   \
    return convert<To>(x);                                                                         \
  }
#define AIR_CONVERT_VECTOR(toKind, toTag, To, fromKind, fromTag, From, width)                      \
  AIR_DEFINE("convert." toKind ".v" #width toTag "." fromKind ".v" #width fromTag,                 \
             To##_from_##From##x##width, To##x##width, (From##x##width x)) {                       \
    return map<To##x##width>(To##_from_##From, x);                                                 \
  }
#define AIR_CONVERT(toKind, toTag, To, fromKind, fromTag, From)                                    \
  AIR_CONVERT_ONE(toKind "." toTag, To, fromKind "." fromTag, From)                                \
  AIR_CONVERT_VECTOR(toKind, toTag, To, fromKind, fromTag, From, 2)                                \
  AIR_CONVERT_VECTOR(toKind, toTag, To, fromKind, fromTag, From, 3)                                \
  AIR_CONVERT_VECTOR(toKind, toTag, To, fromKind, fromTag, From, 4)

/// To one type from every type.
#define AIR_CONVERT_TO(kind, tag, To)                                                              \
  AIR_CONVERT(kind, tag, To, "f", "f32", f32)                                                      \
  AIR_CONVERT(kind, tag, To, "f", "f16", f16)                                                      \
  AIR_CONVERT(kind, tag, To, "f", "bf16", bf16)                                                    \
  AIR_CONVERT(kind, tag, To, "s", "i8", i8)                                                        \
  AIR_CONVERT(kind, tag, To, "s", "i16", i16)                                                      \
  AIR_CONVERT(kind, tag, To, "s", "i32", i32)                                                      \
  AIR_CONVERT(kind, tag, To, "s", "i64", i64)                                                      \
  AIR_CONVERT(kind, tag, To, "u", "i1", i1)                                                        \
  AIR_CONVERT(kind, tag, To, "u", "i8", u8)                                                        \
  AIR_CONVERT(kind, tag, To, "u", "i16", u16)                                                      \
  AIR_CONVERT(kind, tag, To, "u", "i32", u32)                                                      \
  AIR_CONVERT(kind, tag, To, "u", "i64", u64)
AIR_CONVERT_TO("f", "f32", f32)
AIR_CONVERT_TO("f", "f16", f16)
AIR_CONVERT_TO("f", "bf16", bf16)
AIR_CONVERT_TO("s", "i8", i8)
AIR_CONVERT_TO("s", "i16", i16)
AIR_CONVERT_TO("s", "i32", i32)
AIR_CONVERT_TO("s", "i64", i64)
AIR_CONVERT_TO("u", "i1", i1)
AIR_CONVERT_TO("u", "i8", u8)
AIR_CONVERT_TO("u", "i16", u16)
AIR_CONVERT_TO("u", "i32", u32)
AIR_CONVERT_TO("u", "i64", u64)

} // namespace air
