// SPDX-License-Identifier: Apache-2.0
// Vectors of normalised numbers packed into one integer, first element lowest. Packing limits to
// the format's range (NaN is 0) and rounds to the nearest; unpacking divides by the greatest value.
#include "exponential.h"

namespace air {
namespace {

/// Where an element lies: `bits` wide from bit `offset` on.
struct Field {
  u32 offset;
  u32 bits;
};

f32 between(f32 x, f32 low, f32 high) {
  x = select(x > low, x, low);
  return select(x < high, x, high);
}
constexpr f32 greatestUnsigned(u32 bits) {
  return f32((u64(1) << bits) - 1);
}
constexpr f32 greatestSigned(u32 bits) {
  return f32((u64(1) << (bits - 1)) - 1);
}

u32 packUnsigned(f32 x, Field field) {
  return u32(rint(between(x, 0, 1) * greatestUnsigned(field.bits))) << field.offset;
}
f32 unpackUnsigned(u32 packed, Field field) {
  return f32((packed >> field.offset) & u32((u64(1) << field.bits) - 1)) /
         greatestUnsigned(field.bits);
}

u32 packSigned(f32 x, Field field) {
  x = select(isnan(x), 0.0f, between(x, -1, 1));
  u32 mask = u32((u64(1) << field.bits) - 1);
  return (u32(i32(rint(x * greatestSigned(field.bits)))) & mask) << field.offset;
}
/// The least integer is -1 as its successor is.
f32 unpackSigned(u32 packed, Field field) {
  i32 value = i32(packed << (32 - field.bits - field.offset)) >> (32 - field.bits);
  return __builtin_elementwise_max(f32(value) / greatestSigned(field.bits), -1.0f);
}

/// The transfer function of sRGB.
f32 toSrgb(f32 x) {
  f32 curve = fma(1.055f, exp2(log2(x) * (1 / 2.4f)), -0.055f);
  return select(x <= 0.0031308f, x * 12.92f, curve);
}
f32 fromSrgb(f32 x) {
  f32 curve = exp2(log2((x + 0.055f) / 1.055f) * 2.4f);
  return select(x <= 0.04045f, x / 12.92f, curve);
}

constexpr Field four8[] = {{0, 8}, {8, 8}, {16, 8}, {24, 8}};
constexpr Field two16[] = {{0, 16}, {16, 16}};
constexpr Field rgb10a2[] = {{0, 10}, {10, 10}, {20, 10}, {30, 2}};
/// Red is the highest.
constexpr Field rgb565[] = {{11, 5}, {5, 6}, {0, 5}};

template <class V, class Element>
u32 packAll(V v, const Field (&fields)[widthOf<V>], Element element) {
  u32 packed = 0;
#pragma clang loop unroll(full)
  for (int i = 0; i < widthOf<V>; ++i)
    packed |= element(f32(v[i]), fields[i]);
  return packed;
}

template <class V, class Element>
V unpackAll(u32 packed, const Field (&fields)[widthOf<V>], Element element) {
  V v;
#pragma clang loop unroll(full)
  for (int i = 0; i < widthOf<V>; ++i)
    v[i] = element(packed, fields[i]);
  return v;
}

/// Alpha, the fourth element, is linear.
u32 packSrgb(f32 x, Field field) {
  return packUnsigned(field.offset == 24 ? x : toSrgb(between(x, 0, 1)), field);
}
f32 unpackSrgb(u32 packed, Field field) {
  f32 x = unpackUnsigned(packed, field);
  return field.offset == 24 ? x : fromSrgb(x);
}

} // namespace

#define AIR_PACKED_OF(label, Packed, T, width, fields, packElement, unpackElement)                 \
  AIR_DEFINE("pack." label ".v" #width #T, pack_##fields##_##packElement##_##T, Packed,            \
             (T##x##width v)) {                                                                    \
    return Packed(packAll(v, fields, packElement));                                                \
  }                                                                                                \
  AIR_DEFINE("unpack." label ".v" #width #T, unpack_##fields##_##unpackElement##_##T, T##x##width, \
             (Packed packed)) {                                                                    \
    return unpackAll<T##x##width>(packed, fields, unpackElement);                                  \
  }
#define AIR_PACKED(label, Packed, width, fields, packElement, unpackElement)                       \
  AIR_PACKED_OF(label, Packed, f32, width, fields, packElement, unpackElement)                     \
  AIR_PACKED_OF(label, Packed, f16, width, fields, packElement, unpackElement)
AIR_PACKED("unorm4x8", u32, 4, four8, packUnsigned, unpackUnsigned)
AIR_PACKED("snorm4x8", u32, 4, four8, packSigned, unpackSigned)
AIR_PACKED("unorm4x8.srgb", u32, 4, four8, packSrgb, unpackSrgb)
AIR_PACKED("unorm2x16", u32, 2, two16, packUnsigned, unpackUnsigned)
AIR_PACKED("snorm2x16", u32, 2, two16, packSigned, unpackSigned)
AIR_PACKED("unorm.rgb10a2", u32, 4, rgb10a2, packUnsigned, unpackUnsigned)
AIR_PACKED("snorm.rgb10a2", u32, 4, rgb10a2, packSigned, unpackSigned)
AIR_PACKED("unorm.rgb565", u16, 3, rgb565, packUnsigned, unpackUnsigned)

} // namespace air
