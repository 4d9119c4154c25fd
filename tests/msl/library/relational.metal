// SPDX-License-Identifier: Apache-2.0
// Questions about floats, any, all and select, judged by the compiler's own evaluator. Fast math
// changes none of them.
// RUN: metalloid-msl -math=safe %s
// RUN: metalloid-msl -math=fast %s
#include <metal_stdlib>
using namespace metal;

template <typename T> constexpr bool classifies() {
  constexpr T nan = numeric_limits<T>::quiet_NaN(), infinity = numeric_limits<T>::infinity();
  constexpr T denormal = numeric_limits<T>::denorm_min(), smallest = numeric_limits<T>::min();
  constexpr T largest = numeric_limits<T>::max(), zero = T(0), minus = -zero;
  return isnan(nan) && isnan(-nan) && !isnan(infinity) && !isnan(largest) && !isnan(zero) &&
         isinf(infinity) && isinf(-infinity) && !isinf(nan) && !isinf(largest) &&
         isfinite(largest) && isfinite(denormal) && isfinite(minus) && !isfinite(infinity) &&
         !isfinite(nan) && isnormal(smallest) && isnormal(-largest) && !isnormal(denormal) &&
         !isnormal(zero) && !isnormal(infinity) && !isnormal(nan) && signbit(minus) &&
         signbit(-infinity) && !signbit(zero) && !signbit(largest) && isordered(zero, infinity) &&
         !isordered(nan, zero) && !isordered(zero, nan) && isunordered(nan, nan) &&
         !isunordered(zero, largest);
}
static_assert(classifies<float>());
static_assert(classifies<half>());
static_assert(isnan(numeric_limits<bfloat>::quiet_NaN()) && isinf(bfloat(INFINITY)));

static_assert(any(bool2(false, true)) && !any(bool3(false)) && any(bool4(false, false, false, true)));
static_assert(all(bool2(true)) && !all(bool3(true, true, false)) && all(bool4(true)) && any(true));
static_assert(any(bool3(false, false, true)) && !all(bool4(true, true, true, false)) && !all(false));

static_assert(select(1, 2, true) == 2 && select(1.5f, 2.5f, false) == 1.5f);
constexpr float3 chosen = select(float3(1, 2, 3), float3(4, 5, 6), bool3(true, false, true));
static_assert(chosen.x == 4 && chosen.y == 2 && chosen.z == 6);

kernel void of_vectors(device float3* v, device bool3* b, device half2* h) {
  b[0] = isnan(v[0]);
  b[1] = isinf(v[0]) || isfinite(v[1]);
  b[2] = isnormal(v[0]) && signbit(v[1]);
  b[3] = isordered(v[0], v[1]) == isunordered(v[2], v[3]);
  v[0] = select(v[1], 0.0f, v[2] < 1);
  h[0] = select(h[1], h[2], isnan(h[3]));
}
