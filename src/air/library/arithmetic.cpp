// SPDX-License-Identifier: Apache-2.0
// Float functions that are exact or one rounding away from it: rounding, comparison, parts of a
// number, roots, division, remainder, and Metal's common functions (clamp, mix, step, …).
#include "bits.h"

namespace air {
namespace {

f32 ceil(f32 x) {
  return __builtin_elementwise_ceil(x);
}
/// Halves go away from zero.
f32 round(f32 x) {
  return __builtin_elementwise_round(x);
}

/// The operand that is a number, where the other is NaN. Of two zeros the second.
f32 fmin(f32 a, f32 b) {
  f32 smaller = select(a < b, a, b);
  return select(isnan(b), a, smaller);
}
f32 fmax(f32 a, f32 b) {
  f32 larger = select(a > b, a, b);
  return select(isnan(b), a, larger);
}
f32 fmin3(f32 a, f32 b, f32 c) {
  return fmin(fmin(a, b), c);
}
f32 fmax3(f32 a, f32 b, f32 c) {
  return fmax(fmax(a, b), c);
}
f32 fmedian3(f32 a, f32 b, f32 c) {
  return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

f32 clamp(f32 x, f32 low, f32 high) {
  return fmin(fmax(x, low), high);
}
f32 saturate(f32 x) {
  return clamp(x, 0, 1);
}
f32 mix(f32 a, f32 b, f32 weight) {
  return fma(b - a, weight, a);
}
f32 step(f32 edge, f32 x) {
  return select(x < edge, 0.0f, 1.0f);
}
f32 smoothstep(f32 low, f32 high, f32 x) {
  f32 t = saturate((x - low) / (high - low));
  return t * t * fma(-2.0f, t, 3.0f);
}
/// Zeros keep their sign; NaN gives 0.
f32 sign(f32 x) {
  f32 one = copysign(1, x);
  return select(x == 0, x, select(isnan(x), 0.0f, one));
}

f32 fdim(f32 a, f32 b) {
  return select(a <= b, 0.0f, a - b);
}
f32 divide(f32 a, f32 b) {
  return a / b;
}
f32 recip(f32 x) {
  return 1 / x;
}
f32 rsqrt(f32 x) {
  return 1 / sqrt(x);
}

f32 fusedOnce(f32 a, f32 b, f32 c) {
  return fma(a, b, c);
}

/// a b + c as a float that is not rounded but made odd where it is not exact, for a and b whose
/// product is exact: an odd float is never halfway between two numbers of a narrower type.
f32 oddSum(f32 a, f32 b, f32 c) {
  f32 product = a * b;
  f32 sum = product + c;
  f32 part = sum - product;
  f32 error = (product - (sum - part)) + (c - part);
  bool isOdd = bitsOf(sum) & 1;
  bool grows = (error > 0) == (sum > 0);
  u32 odd = bitsOf(sum) + select(grows, 1u, ~0u);
  bool inexact = (error != 0) & isfinite(sum) & !isOdd;
  return select(inexact, fromBits(odd), sum);
}
f16 fusedOnce(f16 a, f16 b, f16 c) {
  return f16(oddSum(a, b, c));
}
/// A product of bfloats may be beyond a float where the sum is not.
bf16 fusedOnce(bf16 a, bf16 b, bf16 c) {
  f32 x = fromBfloat(a), y = fromBfloat(b), z = fromBfloat(c);
  bool isLarge = !(fabs(x * y) < 0x1p+120f), isLeft = fabs(x) > fabs(y);
  f32 factor = select(isLarge, 0x1p-4f, 1.0f), back = select(isLarge, 0x1p+4f, 1.0f);
  x *= select(isLeft, factor, 1.0f);
  y *= select(isLeft, 1.0f, factor);
  return toBfloat(oddSum(x, y, z * factor) * back);
}

/// Just below 1, so that the result is below 1 even where x is a tiny negative number.
f32 fract(f32 x) {
  f32 part = x - floor(x);
  return select(part >= 1, 0x1.fffffep-1f, part);
}
f16 fract(f16 x) {
  f16 part = f16(f32(x) - floor(x));
  return select<f16>(part >= 1, 0x1.ffcp-1f16, part);
}

template <class T> T modf(T x, T* whole) {
  f32 integral = trunc(x);
  *whole = T(integral);
  f32 part = select(fabs(x) == infinity, 0.0f, f32(x) - integral);
  return T(copysign(part, x));
}

/// x 2**n. The middle factors keep a subnormal result from being rounded twice.
f32 ldexp(f32 x, i32 n) {
  i32 first = select(n < -126, -102, select(n > 127, 127, 0));
  i32 rest = __builtin_elementwise_min(__builtin_elementwise_max(n, -400), 400) - first;
  i32 second = select(rest < -126, -102, select(rest > 127, 127, 0));
  rest = __builtin_elementwise_min(__builtin_elementwise_max(rest - second, -126), 127);
  return x * powerOfTwo(first) * powerOfTwo(second) * powerOfTwo(rest);
}

/// The remainder of x / y, exactly, for positive x and y with x / y < 2**24.
f32 remainderNear(f32 x, f32 y) {
  // Away from the smallest numbers, or flushing would take a tiny negative rest for 0.
  bool isSmall = y < 0x1p-80f;
  f32 factor = select(isSmall, 0x1p+40f, 1.0f), back = select(isSmall, 0x1p-40f, 1.0f);
  x *= factor;
  y *= factor;
  // The rounded quotient may be one too large, never too small.
  f32 rest = fma(-trunc(x / y), y, x);
  return select(rest < 0, rest + y, rest) * back;
}

/// The quotients of floats reach 2**277: twelve steps of 22 bits, skipped where no lane needs them.
f32 fmod(f32 x, f32 y) {
  f32 size = fabs(x), divisor = fabs(y);
  if (__builtin_expect(size >= divisor * 0x1p+22f, false)) {
    for (i32 shift = 12 * 22; shift > 0; shift -= 22) {
      f32 large = ldexp(divisor, shift);
      size = select(size >= large, remainderNear(size, large), size);
    }
  }
  f32 result = select(size >= divisor, remainderNear(size, divisor), size);
  bool isUndefined = divisor == 0 || !isfinite(x) || isnan(y);
  return select(isUndefined, notANumber, copysign(result, x));
}

/// Exponent and bits of |x| in [1, 2), for finite x other than 0; x may be subnormal.
struct Exponent {
  i32 exponent;
  u32 normal;
};
Exponent exponentOf(f32 x) {
  bool tiny = fabs(x) < smallestNormal;
  u32 bits = bitsOf(select(tiny, x * 0x1p+24f, x));
  return {i32((bits >> 23) & 255) - select(tiny, 151, 127), bits};
}

template <class T> T frexp(T x, i32* exponent) {
  Exponent parts = exponentOf(x);
  bool isPlain = isfinite(x) && f32(x) != 0;
  *exponent = select(isPlain, parts.exponent + 1, 0);
  f32 mantissa = fromBits((parts.normal & 0x807fffff) | 0x3f000000);
  return select(isPlain, T(mantissa), x);
}

/// The least int for 0, the greatest for infinity and NaN.
i32 ilogb(f32 x) {
  i32 exponent = exponentOf(x).exponent;
  exponent = select(isfinite(x), exponent, i32(0x7fffffff));
  return select(x == 0, i32(0x80000000), exponent);
}

/// Floats of one sign are ordered as their bits are.
template <class T, class Bits> T nextafterBits(T x, T y, Bits bits, Bits signBit) {
  bool grows = (x < y) == (x > 0);
  Bits next = select<Bits>(grows, bits + 1, bits - 1);
  Bits smallest = (__builtin_bit_cast(Bits, y) & signBit) | 1;
  T result = __builtin_bit_cast(T, select<Bits>(x == 0, smallest, next));
  result = select(x == y, y, result);
  return select(x != x || y != y, T(notANumber), result);
}
f32 nextafter(f32 x, f32 y) {
  return nextafterBits<f32, u32>(x, y, bitsOf(x), 0x80000000);
}
f16 nextafter(f16 x, f16 y) {
  return nextafterBits<f16, u16>(x, y, bitsOf(x), 0x8000);
}

bool isinf(f32 x) {
  return fabs(x) == infinity;
}
bool isnormal(f32 x) {
  return isfinite(x) && fabs(x) >= smallestNormal;
}
bool isnormal(f16 x) {
  return isfinite(x) && fabs(x) >= 0x1p-14f;
}
bool isordered(f32 x, f32 y) {
  return x == x && y == y;
}
bool isunordered(f32 x, f32 y) {
  return x != x || y != y;
}

} // namespace

/// The fast form of these is the precise one.
#define AIR_FLOAT_BOTH(id, count) AIR_FLOAT_AND_FAST(id, count, id, id)
AIR_FLOAT_BOTH(ceil, 1)
AIR_FLOAT_BOTH(clamp, 3)
AIR_FLOAT_BOTH(copysign, 2)
AIR_FLOAT_BOTH(divide, 2)
AIR_FLOAT_BOTH(fabs, 1)
AIR_FLOAT_BOTH(fdim, 2)
AIR_FLOAT_BOTH(floor, 1)
AIR_FLOAT_AND_FAST(fma, 3, fusedOnce, fusedOnce)
AIR_ELEMENTWISE(fma, "fma", "bf16", bf16, bf16, 3, fusedOnce)
AIR_FLOAT_BOTH(fmax, 2)
AIR_FLOAT_BOTH(fmax3, 3)
AIR_FLOAT_BOTH(fmedian3, 3)
AIR_FLOAT_BOTH(fmin, 2)
AIR_FLOAT_BOTH(fmin3, 3)
AIR_FLOAT_BOTH(fmod, 2)
AIR_FLOAT_BOTH(fract, 1)
AIR_FLOAT_BOTH(mix, 3)
AIR_FLOAT_BOTH(nextafter, 2)
AIR_FLOAT_BOTH(recip, 1)
AIR_FLOAT_BOTH(rint, 1)
AIR_FLOAT_BOTH(round, 1)
AIR_FLOAT_BOTH(rsqrt, 1)
AIR_FLOAT_BOTH(saturate, 1)
AIR_FLOAT_BOTH(sign, 1)
AIR_FLOAT_BOTH(smoothstep, 3)
AIR_FLOAT_BOTH(sqrt, 1)
AIR_FLOAT_BOTH(step, 2)
AIR_FLOAT_BOTH(trunc, 1)

AIR_FLOAT_WITH_RESULT(modf, modf)
AIR_FLOAT_WITH_RESULT(fast_modf, modf)
AIR_WITH_RESULT(frexp, "frexp", f32, i32, frexp)
AIR_WITH_RESULT(frexp, "frexp", f16, i32, frexp)
AIR_WITH_RESULT(fast_frexp, "fast_frexp", f32, i32, frexp)
AIR_WITH_RESULT(fast_frexp, "fast_frexp", f16, i32, frexp)

/// air.<id>: R of T's width, of one or two T.
#define AIR_FLOAT_TO(id, R, count)                                                                 \
  AIR_ELEMENTWISE(id, #id, "f32", R, f32, count, id)                                               \
  AIR_ELEMENTWISE(id, #id, "f16", R, f16, count, id)
AIR_FLOAT_TO(ilogb, i32, 1)
AIR_ELEMENTWISE(fast_ilogb, "fast_ilogb", "f32", i32, f32, 1, ilogb)
AIR_ELEMENTWISE(fast_ilogb, "fast_ilogb", "f16", i32, f16, 1, ilogb)
AIR_FLOAT_TO(isfinite, i1, 1)
AIR_FLOAT_TO(isinf, i1, 1)
AIR_FLOAT_TO(isnan, i1, 1)
AIR_FLOAT_TO(isnormal, i1, 1)
AIR_FLOAT_TO(isordered, i1, 2)
AIR_FLOAT_TO(isunordered, i1, 2)
AIR_FLOAT_TO(signbit, i1, 1)

/// air.<id>: T (T, i32 of T's width).
#define AIR_LDEXP(id, T)                                                                           \
  AIR_DEFINE(#id "." #T, id##_##T, T, (T a, i32 b)) {                                              \
    return T(ldexp(a, b));                                                                         \
  }                                                                                                \
  AIR_LDEXP_VECTOR(id, T, 2)                                                                       \
  AIR_LDEXP_VECTOR(id, T, 3)                                                                       \
  AIR_LDEXP_VECTOR(id, T, 4)
#define AIR_LDEXP_VECTOR(id, T, width)                                                             \
  AIR_DEFINE(#id ".v" #width #T, id##_##T##x##width, T##x##width,                                  \
             (T##x##width a, i32x##width b)) {                                                     \
    return map<T##x##width>(id##_##T, a, b);                                                       \
  }
AIR_LDEXP(ldexp, f32)
AIR_LDEXP(ldexp, f16)
AIR_LDEXP(fast_ldexp, f32)
AIR_LDEXP(fast_ldexp, f16)

} // namespace air
