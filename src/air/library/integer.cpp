// SPDX-License-Identifier: Apache-2.0
// Integer functions of 8 to 64 bits, signed and unsigned.
#include "define.h"

namespace air {
namespace {

template <class T> constexpr int bitCount = 8 * sizeof(T);
template <class T> constexpr bool isSigned = T(-1) < T(0);
template <class T> constexpr bool isUnsigned = !isSigned<T>;

/// 64 bits with T's sign.
template <bool isSigned> struct WideType {
  using Type = u64;
};
template <> struct WideType<true> {
  using Type = i64;
};
template <class T> using WideOf = typename WideType<isSigned<T>>::Type;
template <class T> using UnsignedOf = __make_unsigned(T);

template <class T> T min(T a, T b) {
  return __builtin_elementwise_min(a, b);
}
template <class T> T max(T a, T b) {
  return __builtin_elementwise_max(a, b);
}
template <class T> T min3(T a, T b, T c) {
  return min(min(a, b), c);
}
template <class T> T max3(T a, T b, T c) {
  return max(max(a, b), c);
}
template <class T> T median3(T a, T b, T c) {
  return max(min(a, b), min(max(a, b), c));
}
template <class T> T clamp(T x, T low, T high) {
  return min(max(x, low), high);
}

/// The least integer stays as it is.
template <class T> T abs(T x) {
  if constexpr (isSigned<T>)
    return T(x < 0 ? UnsignedOf<T>(0) - UnsignedOf<T>(x) : UnsignedOf<T>(x));
  else
    return x;
}
/// Modulo 2**bits, as the unsigned number that it is.
template <class T> T abs_diff(T a, T b) {
  using U = UnsignedOf<T>;
  return T(a < b ? U(U(b) - U(a)) : U(U(a) - U(b)));
}

template <class T> T add_sat(T a, T b) {
  return __builtin_elementwise_add_sat(a, b);
}
template <class T> T sub_sat(T a, T b) {
  return __builtin_elementwise_sub_sat(a, b);
}
template <class T> T hadd(T a, T b) {
  return T((a & b) + ((a ^ b) >> 1));
}
template <class T> T rhadd(T a, T b) {
  return T((a | b) - ((a ^ b) >> 1));
}

/// The upper half of the product of two 64-bit numbers, from four products of halves.
u64 upperHalf(u64 a, u64 b) {
  u64 aLow = u32(a), aHigh = a >> 32, bLow = u32(b), bHigh = b >> 32;
  u64 middle = aHigh * bLow + (aLow * bLow >> 32);
  u64 other = aLow * bHigh + u32(middle);
  return aHigh * bHigh + (middle >> 32) + (other >> 32);
}

template <class T> T mul_hi(T a, T b) {
  if constexpr (bitCount<T> < 64)
    return T(WideOf<T>(a) * WideOf<T>(b) >> bitCount<T>);
  else if constexpr (isUnsigned<T>)
    return upperHalf(a, b);
  else
    return T(upperHalf(u64(a), u64(b)) - (u64(a >> 63) & u64(b)) - (u64(b >> 63) & u64(a)));
}
template <class T> T mad_hi(T a, T b, T c) {
  return T(UnsignedOf<T>(mul_hi(a, b)) + UnsignedOf<T>(c));
}

template <class T> constexpr T greatest = T(UnsignedOf<T>(-1) >> (isSigned<T> ? 1 : 0));
template <class T> constexpr T least = isSigned<T> ? T(~greatest<T>) : T(0);

/// a b + c, limited to T.
template <class T> T mad_sat(T a, T b, T c) {
  if constexpr (bitCount<T> < 64) {
    WideOf<T> sum = WideOf<T>(a) * WideOf<T>(b) + WideOf<T>(c);
    return T(min(max(sum, WideOf<T>(least<T>)), WideOf<T>(greatest<T>)));
  } else {
    u64 low = u64(a) * u64(b);
    u64 sum = low + u64(c);
    u64 carry = sum < low;
    u64 upper = u64(mul_hi(a, b)) + carry;
    if constexpr (isUnsigned<T>)
      return upper != 0 ? greatest<T> : T(sum);
    upper += u64(i64(c) >> 63);
    bool fits = i64(upper) == i64(sum) >> 63;
    return fits ? T(sum) : (i64(upper) < 0 ? least<T> : greatest<T>);
  }
}

/// The low 24 bits, with their sign.
template <class T> T low24(T x) {
  return T(T(u32(x) << 8) >> 8);
}
template <class T> T mul24(T a, T b) {
  return T(u32(low24(a)) * u32(low24(b)));
}
template <class T> T mad24(T a, T b, T c) {
  return T(u32(mul24(a, b)) + u32(c));
}

template <class T> T popcount(T x) {
  return __builtin_elementwise_popcount(x);
}
template <class T> T reverse_bits(T x) {
  return __builtin_elementwise_bitreverse(x);
}
/// By the amount modulo the width.
template <class T> T rotate(T x, T amount) {
  return __builtin_elementwise_fshl(x, x, amount);
}
/// The width for 0, whatever the flag says.
template <class T> T clz(T x, i1) {
  return __builtin_elementwise_clzg(x, T(bitCount<T>));
}
template <class T> T ctz(T x, i1) {
  return __builtin_elementwise_ctzg(x, T(bitCount<T>));
}

/// `count` ones, for any count.
template <class T> UnsignedOf<T> ones(u32 count) {
  u64 mask = count < 64 ? (u64(1) << (count & 63)) - 1 : ~u64(0);
  return UnsignedOf<T>(mask);
}
template <class T> UnsignedOf<T> shiftLeft(UnsignedOf<T> x, u32 by) {
  return by < bitCount<T> ? UnsignedOf<T>(x << (by & (bitCount<T> - 1))) : UnsignedOf<T>(0);
}

/// `count` bits from `offset` on, sign-extended where T is signed. Bits beyond the width are 0.
template <class T> T extract_bits(T x, u32 offset, u32 count) {
  using U = UnsignedOf<T>;
  U shifted = offset < bitCount<T> ? U(U(x) >> (offset & (bitCount<T> - 1))) : U(0);
  U field = U(shifted & ones<T>(count));
  if constexpr (isUnsigned<T>)
    return field;
  U sign = U(shiftLeft<T>(1, count - 1)); // 0 for a count of 0: the difference wraps.
  return T((field ^ sign) - sign);
}

/// `base` with `count` bits from `offset` on replaced by the low bits of `x`.
template <class T> T insert_bits(T base, T x, u32 offset, u32 count) {
  using U = UnsignedOf<T>;
  U mask = shiftLeft<T>(ones<T>(count), offset);
  return T((U(base) & ~mask) | (shiftLeft<T>(U(x), offset) & mask));
}

} // namespace

AIR_INTEGER(abs, 1, abs)
AIR_INTEGER(abs_diff, 2, abs_diff)
AIR_INTEGER(add_sat, 2, add_sat)
AIR_INTEGER(clamp, 3, clamp)
AIR_INTEGER(hadd, 2, hadd)
AIR_INTEGER(mad_hi, 3, mad_hi)
AIR_INTEGER(mad_sat, 3, mad_sat)
AIR_INTEGER(max, 2, max)
AIR_INTEGER(max3, 3, max3)
AIR_INTEGER(median3, 3, median3)
AIR_INTEGER(min, 2, min)
AIR_INTEGER(min3, 3, min3)
AIR_INTEGER(mul_hi, 2, mul_hi)
AIR_INTEGER(rhadd, 2, rhadd)
AIR_INTEGER(sub_sat, 2, sub_sat)
AIR_ELEMENTWISE(mul24, "mul24.s", "i32", i32, i32, 2, mul24)
AIR_ELEMENTWISE(mul24, "mul24.u", "i32", u32, u32, 2, mul24)
AIR_ELEMENTWISE(mad24, "mad24.s", "i32", i32, i32, 3, mad24)
AIR_ELEMENTWISE(mad24, "mad24.u", "i32", u32, u32, 3, mad24)
// The sign does not matter to these.
AIR_INTEGER_SIGN(popcount, "popcount", u, 1, popcount)
AIR_INTEGER_SIGN(reverse_bits, "reverse_bits", u, 1, reverse_bits)
AIR_INTEGER_SIGN(rotate, "rotate", u, 2, rotate)

/// air.<id>.<int>: T (T, i1).
#define AIR_COUNT_ZEROS(id, tag, T)                                                                \
  AIR_DEFINE(#id "." tag, id##_##T, T, (T a, i1 isZeroUndefined)) {                                \
    return id(a, isZeroUndefined);                                                                 \
  }                                                                                                \
  AIR_COUNT_ZEROS_VECTOR(id, tag, T, 2)                                                            \
  AIR_COUNT_ZEROS_VECTOR(id, tag, T, 3)                                                            \
  AIR_COUNT_ZEROS_VECTOR(id, tag, T, 4)
#define AIR_COUNT_ZEROS_VECTOR(id, tag, T, width)                                                  \
  AIR_DEFINE(#id ".v" #width tag, id##_##T##x##width, T##x##width,                                 \
             (T##x##width a, i1 isZeroUndefined)) {                                                \
    return map<T##x##width>([=](T x) { return id##_##T(x, isZeroUndefined); }, a);                 \
  }

/// air.<id>.<kind>.<int>: T (T…, i32 offset, i32 size), `count` T.
#define AIR_BITS(id, kind, tag, T, count)                                                          \
  AIR_DEFINE(#id kind tag, id##_##T, T, (AIR_PARAMETERS_##count(T), u32 offset, u32 size)) {       \
    return id(AIR_ARGUMENTS_##count, offset, size);                                                \
  }                                                                                                \
  AIR_BITS_VECTOR(id, kind, tag, T, count, 2)                                                      \
  AIR_BITS_VECTOR(id, kind, tag, T, count, 3)                                                      \
  AIR_BITS_VECTOR(id, kind, tag, T, count, 4)
#define AIR_BITS_VECTOR(id, kind, tag, T, count, width)                                            \
  AIR_DEFINE(#id kind "v" #width tag, id##_##T##x##width, T##x##width,                             \
             (AIR_PARAMETERS_##count(T##x##width), u32 offset, u32 size)) {                        \
    auto scalar = [=](auto... elements) { return id##_##T(elements..., offset, size); };           \
    return map<T##x##width>(scalar, AIR_ARGUMENTS_##count);                                        \
  }

#define AIR_BIT_FUNCTIONS(tag, width)                                                              \
  AIR_COUNT_ZEROS(clz, tag, u##width)                                                              \
  AIR_COUNT_ZEROS(ctz, tag, u##width)                                                              \
  AIR_BITS(extract_bits, ".s.", tag, i##width, 1)                                                  \
  AIR_BITS(extract_bits, ".u.", tag, u##width, 1)                                                  \
  AIR_BITS(insert_bits, ".s.", tag, i##width, 2)                                                   \
  AIR_BITS(insert_bits, ".u.", tag, u##width, 2)
AIR_BIT_FUNCTIONS("i8", 8)
AIR_BIT_FUNCTIONS("i16", 16)
AIR_BIT_FUNCTIONS("i32", 32)
AIR_BIT_FUNCTIONS("i64", 64)

} // namespace air
