// SPDX-License-Identifier: Apache-2.0
// sin, cos, sincos, tan; sinpi, cospi, tanpi; asin, acos, atan, atan2.
#include "trigonometry.h"

namespace air {
namespace {

/// A half is never beyond 100,000: its reduction needs no second path.
Reduced reduceOf(f32 x) {
  return reduce(x);
}
Reduced reduceOf(f16 x) {
  return reduceNear(x);
}

template <class T> struct SineAndCosine {
  T sine;
  T cosine;
};

template <class T> SineAndCosine<T> sineAndCosine(T x) {
  Reduced reduced = reduceOf(__builtin_elementwise_abs(x));
  f32 sine = sinReduced(reduced.angle), cosine = cosReduced(reduced.angle);
  return {T(pick(sine, cosine, reduced.quadrant, signbit(x))),
          T(pick(sine, cosine, reduced.quadrant + 1, false))};
}

template <class T> T sin(T x) {
  return sineAndCosine(x).sine;
}
template <class T> T cos(T x) {
  return sineAndCosine(x).cosine;
}

f32 tanReduced(f32 r) {
  f32 square = r * r;
  f32 p = polynomial(square, 0x1.55556p-2f, 0x1.110d9ap-3f, 0x1.badadap-5f, 0x1.5cb2fp-6f,
                     0x1.631d02p-7f, 0x1.634ff2p-14f, 0x1.1f09bp-8f);
  return fma(square * p, r, r);
}

template <class T> T tan(T x) {
  Reduced reduced = reduceOf(__builtin_elementwise_abs(x));
  f32 tangent = tanReduced(reduced.angle);
  f32 result = select((reduced.quadrant & 1) != 0, -1 / tangent, tangent);
  return T(fromBits(bitsOf(result) ^ (u32(signbit(x)) << 31)));
}

/// |x| = whole turns + quadrant / 2 + angle, |angle| <= 1/4, exactly.
Reduced reduceHalfTurns(f32 x) {
  f32 size = fabs(x);
  f32 rest = fma(-2.0f, floor(size * 0.5f), size);
  Rounded n = roundProduct(rest, 2);
  return {fma(n.value, -0.5f, rest), n.integer};
}

f32 sinOfHalfTurns(f32 r) {
  constexpr f32 pi = 2 * halfPi, piLow = 2 * halfPiLow;
  f32 square = r * r;
  f32 p = polynomial(square, -0x1.4abbcep+2f, 0x1.466b78p+1f, -0x1.32ada8p-1f, 0x1.44396ap-4f);
  return fma(r, pi, r * fma(square, p, piLow));
}

f32 cosOfHalfTurns(f32 r) {
  f32 square = r * r;
  return polynomial(square, 1.0f, -0x1.3bd3ccp+2f, 0x1.03c1bp+2f, -0x1.55b2b6p+0f, 0x1.d4f7eap-3f);
}

f32 sinpi(f32 x) {
  Reduced reduced = reduceHalfTurns(x);
  return pick(sinOfHalfTurns(reduced.angle), cosOfHalfTurns(reduced.angle), reduced.quadrant,
              signbit(x));
}

/// Its zeros are all +0.
f32 cospi(f32 x) {
  Reduced reduced = reduceHalfTurns(x);
  return 0.0f + pick(sinOfHalfTurns(reduced.angle), cosOfHalfTurns(reduced.angle),
                     reduced.quadrant + 1, false);
}

/// For x >= 0: 0 at 0, 2, …, infinity at 1/2, 5/2, …, -0 at 1, 3, …, -infinity at 3/2, 7/2, ….
f32 tanpi(f32 x) {
  Reduced reduced = reduceHalfTurns(x);
  f32 sine = sinOfHalfTurns(reduced.angle), cosine = cosOfHalfTurns(reduced.angle);
  bool turned = (reduced.quadrant & 1) != 0;
  f32 result = select(turned, cosine, sine) / select(turned, -sine, cosine);
  bool isLimit = reduced.angle == 0 && ((reduced.quadrant + 1) & 2) != 0;
  u32 sign = u32(signbit(x) != isLimit) << 31;
  return fromBits(bitsOf(result) ^ sign);
}

/// asin(base) = base + tail; where |x| > 1/2 that is half the angle to a right angle, acos(|x|)
/// / 2.
struct Arc {
  f32 base;
  f32 tail;
};
Arc arc(f32 size, bool isBig) {
  f32 square = select(isBig, fma(-0.5f, size, 0.5f), size * size);
  f32 p = polynomial(square, 0x1.5555c8p-3f, 0x1.330206p-4f, 0x1.747b72p-5f, 0x1.8c415ap-6f,
                     0x1.5959aap-5f);
  f32 base = select(isBig, sqrt(square), size);
  return {base, square * p * base};
}

f32 asin(f32 x) {
  f32 size = fabs(x);
  bool isBig = size > 0.5f;
  Arc half = arc(size, isBig);
  f32 big = fma(-2.0f, half.base, halfPi) - fma(2.0f, half.tail, -halfPiLow);
  return copysign(select(isBig, big, half.base + half.tail), x);
}

f32 acos(f32 x) {
  f32 size = fabs(x);
  bool isBig = size > 0.5f;
  Arc half = arc(size, isBig);
  f32 turned = fma(-2.0f, half.base, 2 * halfPi) - fma(2.0f, half.tail, -2 * halfPiLow);
  f32 big = select(x < 0, turned, 2 * (half.base + half.tail));
  f32 near = halfPi - (x + (copysign(half.tail, x) - halfPiLow));
  return select(isBig, big, near);
}

/// atan(t) for t in [0, 1].
f32 atanReduced(f32 t) {
  f32 square = t * t;
  f32 p =
      polynomial(square, -0x1.55553ep-2f, 0x1.9991e8p-3f, -0x1.2420d8p-3f, 0x1.c09124p-4f,
                 -0x1.581b4p-4f, 0x1.da74f8p-5f, -0x1.fe2b58p-6f, 0x1.64f734p-7f, -0x1.d4fbbap-10f);
  return fma(square * p, t, t);
}

f32 atan(f32 x) {
  f32 size = fabs(x);
  bool isBig = size > 1;
  f32 angle = atanReduced(select(isBig, 1 / size, size));
  return copysign(select(isBig, halfPi - (angle - halfPiLow), angle), x);
}

f32 atan2(f32 y, f32 x) {
  f32 width = fabs(x), height = fabs(y);
  bool isSteep = height > width;
  f32 smaller = select(isSteep, width, height), larger = select(isSteep, height, width);
  f32 ratio = smaller / larger;
  ratio = select(smaller == larger, 1.0f, ratio); // Also of two infinities.
  ratio = select(larger == 0, 0.0f, ratio);
  f32 angle = atanReduced(ratio);
  angle = select(isSteep, halfPi - (angle - halfPiLow), angle);
  angle = select(signbit(x), 2 * halfPi - (angle - 2 * halfPiLow), angle);
  return select(isnan(x) || isnan(y), notANumber, copysign(angle, y));
}

/// air.sincos gives the sine and stores the cosine.
template <class T> T sincos(T x, T* cosine) {
  SineAndCosine<T> both = sineAndCosine(x);
  *cosine = both.cosine;
  return both.sine;
}

} // namespace

AIR_FLOAT_AND_FAST(sin, 1, sin, sin)
AIR_FLOAT_AND_FAST(cos, 1, cos, cos)
AIR_FLOAT_AND_FAST(tan, 1, tan, tan)
AIR_FLOAT_AND_FAST(sinpi, 1, sinpi, sinpi)
AIR_FLOAT_AND_FAST(cospi, 1, cospi, cospi)
AIR_FLOAT_AND_FAST(tanpi, 1, tanpi, tanpi)
AIR_FLOAT_AND_FAST(asin, 1, asin, asin)
AIR_FLOAT_AND_FAST(acos, 1, acos, acos)
AIR_FLOAT_AND_FAST(atan, 1, atan, atan)
AIR_FLOAT_AND_FAST(atan2, 2, atan2, atan2)
AIR_FLOAT_WITH_RESULT(sincos, sincos)
AIR_FLOAT_WITH_RESULT(fast_sincos, sincos)

} // namespace air
