// SPDX-License-Identifier: Apache-2.0
// sinh, cosh, tanh, asinh, acosh, atanh.
#include "exponential.h"

namespace air {
namespace {

f32 sinh(f32 x) {
  f32 size = fabs(x);
  f32 square = size * size;
  f32 p = polynomial(square, 0x1.555556p-3f, 0x1.1110ep-7f, 0x1.a022bcp-13f, 0x1.756c1ep-19f);
  f32 half = expScaled(size, -1);
  return copysign(select(size < 1, fma(square * p, size, size), half - 0.25f / half), x);
}

f32 cosh(f32 x) {
  f32 half = expScaled(fabs(x), -1);
  return half + 0.25f / half;
}

f32 tanh(f32 x) {
  f32 size = fabs(x);
  f32 square = size * size;
  f32 p = polynomial(square, -0x1.55554ap-2f, 0x1.110ceep-3f, -0x1.b91e7ep-5f, 0x1.58e518p-6f,
                     -0x1.9921ap-8f);
  f32 big = 1 - 2 / (expScaled(2 * size, 0) + 1);
  return copysign(select(size < 0.55f, fma(square * p, size, size), big), x);
}

/// Beyond this, 1 + x**2 is x**2 and the square may overflow.
constexpr f32 large = 1e9f;

f32 asinh(f32 x) {
  f32 size = fabs(x);
  bool isLarge = size > large;
  f32 square = size * size;
  f32 argument = size + square / (1 + sqrt(square + 1));
  f32 result = log1p(select(isLarge, size, argument)) + select(isLarge, ln2, 0.0f);
  return copysign(result, x);
}

f32 acosh(f32 x) {
  bool isLarge = x > large;
  f32 beyond = x - 1;
  f32 argument = beyond + sqrt(fma(beyond, beyond, 2 * beyond));
  f32 result = log1p(select(isLarge, x, argument)) + select(isLarge, ln2, 0.0f);
  return select(x >= 1, result, notANumber);
}

f32 atanh(f32 x) {
  f32 size = fabs(x);
  f32 result = 0.5f * log1p(2 * size / (1 - size));
  return copysign(select(size == 1, infinity, result), x);
}

} // namespace

AIR_FLOAT_AND_FAST(sinh, 1, sinh, sinh)
AIR_FLOAT_AND_FAST(cosh, 1, cosh, cosh)
AIR_FLOAT_AND_FAST(tanh, 1, tanh, tanh)
AIR_FLOAT_AND_FAST(asinh, 1, asinh, asinh)
AIR_FLOAT_AND_FAST(acosh, 1, acosh, acosh)
AIR_FLOAT_AND_FAST(atanh, 1, atanh, atanh)

} // namespace air
