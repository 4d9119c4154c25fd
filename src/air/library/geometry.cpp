// SPDX-License-Identifier: Apache-2.0
// Geometry of vectors of 2 to 4: dot, length, distance, normalize, faceforward, reflect, refract,
// cross. Halves are computed as floats and rounded at the end.
#include "bits.h"

namespace air {
namespace {

/// T's vector type as floats.
template <class V> struct FloatsOf;
#define AIR_FLOATS(width)                                                                          \
  template <> struct FloatsOf<f32x##width> {                                                       \
    using Type = f32x##width;                                                                      \
  };                                                                                               \
  template <> struct FloatsOf<f16x##width> {                                                       \
    using Type = f32x##width;                                                                      \
  };
AIR_FLOATS(2)
AIR_FLOATS(3)
AIR_FLOATS(4)
#undef AIR_FLOATS

template <class V> auto widen(V v) {
  return __builtin_convertvector(v, typename FloatsOf<V>::Type);
}
template <class V> V narrow(typename FloatsOf<V>::Type v) {
  return __builtin_convertvector(v, V);
}

template <class V> f32 dot(V a, V b) {
  auto x = widen(a), y = widen(b);
  f32 sum = x[0] * y[0];
#pragma clang loop unroll(full)
  for (int i = 1; i < widthOf<V>; ++i)
    sum = fma(x[i], y[i], sum);
  return sum;
}

/// The length of a vector of floats whose squares may overflow or vanish: scaled by a power of two.
template <class V> f32 length(V a) {
  auto x = widen(a);
  f32 greatest = 0;
#pragma clang loop unroll(full)
  for (int i = 0; i < widthOf<V>; ++i)
    greatest = select(fabs(x[i]) > greatest, fabs(x[i]), greatest);
  f32 factor = select(greatest > 0x1p+60f, 0x1p-70f, select(greatest < 0x1p-40f, 0x1p+80f, 1.0f));
  f32 back = select(greatest > 0x1p+60f, 0x1p+70f, select(greatest < 0x1p-40f, 0x1p-80f, 1.0f));
  auto scaled = x * factor;
  return sqrt(dot(scaled, scaled)) * back;
}

template <class V> f32 length_squared(V a) {
  return dot(a, a);
}
template <class V> f32 distance(V a, V b) {
  return length(widen(a) - widen(b));
}
template <class V> f32 distance_squared(V a, V b) {
  return length_squared(widen(a) - widen(b));
}

/// A vector of length 0 stays as it is.
template <class V> V normalize(V a) {
  f32 size = length(a);
  auto unit = widen(a) / select(size == 0, 1.0f, size);
  return narrow<V>(unit);
}

template <class V> V faceforward(V normal, V incident, V reference) {
  return dot(incident, reference) < 0 ? normal : -normal;
}

template <class V> V reflect(V incident, V normal) {
  typename FloatsOf<V>::Type twice = -2 * dot(normal, incident);
  return narrow<V>(__builtin_elementwise_fma(twice, widen(normal), widen(incident)));
}

template <class V> V refract(V incident, V normal, f32 eta) {
  f32 cosine = dot(normal, incident);
  f32 k = fma(-eta * eta, fma(-cosine, cosine, 1.0f), 1.0f);
  auto bent = eta * widen(incident) - fma(eta, cosine, sqrt(k)) * widen(normal);
  typename FloatsOf<V>::Type none = 0;
  return narrow<V>(k < 0 ? none : bent);
}

template <class V> V cross(V a, V b) {
  auto x = widen(a), y = widen(b);
  auto difference = [](f32 p, f32 q, f32 r, f32 s) { return fma(p, q, -(r * s)); };
  f32x3 result = {difference(x[1], y[2], x[2], y[1]), difference(x[2], y[0], x[0], y[2]),
                  difference(x[0], y[1], x[1], y[0])};
  return narrow<V>(result);
}

template <class V> bool all(V a) {
  return __builtin_reduce_and(a);
}
template <class V> bool any(V a) {
  return __builtin_reduce_or(a);
}

} // namespace

/// air.<id> and air.fast_<id> of one vector type, its result R.
#define AIR_GEOMETRIC_OF(id, R, count, T, width)                                                   \
  AIR_GEOMETRIC_FORM(id, #id, id, R, count, T, width)                                              \
  AIR_GEOMETRIC_FORM(fast_##id, "fast_" #id, id, R, count, T, width)
#define AIR_GEOMETRIC_FORM(name, label, id, R, count, T, width)                                    \
  AIR_DEFINE(label ".v" #width #T, name##_##T##x##width, R,                                        \
             (AIR_PARAMETERS_##count(T##x##width))) {                                              \
    return R(id(AIR_ARGUMENTS_##count));                                                           \
  }

#define AIR_TO_SCALAR(id, count)                                                                   \
  AIR_GEOMETRIC_OF(id, f32, count, f32, 2)                                                         \
  AIR_GEOMETRIC_OF(id, f32, count, f32, 3)                                                         \
  AIR_GEOMETRIC_OF(id, f32, count, f32, 4)                                                         \
  AIR_GEOMETRIC_OF(id, f16, count, f16, 2)                                                         \
  AIR_GEOMETRIC_OF(id, f16, count, f16, 3)                                                         \
  AIR_GEOMETRIC_OF(id, f16, count, f16, 4)
AIR_TO_SCALAR(dot, 2)
AIR_TO_SCALAR(length, 1)
AIR_TO_SCALAR(length_squared, 1)
AIR_TO_SCALAR(distance, 2)
AIR_TO_SCALAR(distance_squared, 2)

#define AIR_TO_VECTOR(id, count)                                                                   \
  AIR_GEOMETRIC_OF(id, f32x2, count, f32, 2)                                                       \
  AIR_GEOMETRIC_OF(id, f32x3, count, f32, 3)                                                       \
  AIR_GEOMETRIC_OF(id, f32x4, count, f32, 4)                                                       \
  AIR_GEOMETRIC_OF(id, f16x2, count, f16, 2)                                                       \
  AIR_GEOMETRIC_OF(id, f16x3, count, f16, 3)                                                       \
  AIR_GEOMETRIC_OF(id, f16x4, count, f16, 4)
AIR_TO_VECTOR(normalize, 1)
AIR_TO_VECTOR(faceforward, 3)
AIR_TO_VECTOR(reflect, 2)
AIR_GEOMETRIC_OF(cross, f32x3, 2, f32, 3)
AIR_GEOMETRIC_OF(cross, f16x3, 2, f16, 3)

#define AIR_REFRACT(label, name, T, width)                                                         \
  AIR_DEFINE(label ".v" #width #T, name##_##T##x##width, T##x##width,                              \
             (T##x##width a, T##x##width b, T eta)) {                                              \
    return refract(a, b, eta);                                                                     \
  }
#define AIR_REFRACT_BOTH(T, width)                                                                 \
  AIR_REFRACT("refract", refract, T, width)                                                        \
  AIR_REFRACT("fast_refract", fast_refract, T, width)
AIR_REFRACT_BOTH(f32, 2)
AIR_REFRACT_BOTH(f32, 3)
AIR_REFRACT_BOTH(f32, 4)
AIR_REFRACT_BOTH(f16, 2)
AIR_REFRACT_BOTH(f16, 3)
AIR_REFRACT_BOTH(f16, 4)

#define AIR_REDUCE_BOOLS(id, width)                                                                \
  AIR_DEFINE(#id ".v" #width "i1", id##_##width, i1, (i1x##width a)) {                             \
    return id(a);                                                                                  \
  }
AIR_REDUCE_BOOLS(all, 2)
AIR_REDUCE_BOOLS(all, 3)
AIR_REDUCE_BOOLS(all, 4)
AIR_REDUCE_BOOLS(any, 2)
AIR_REDUCE_BOOLS(any, 3)
AIR_REDUCE_BOOLS(any, 4)

} // namespace air
