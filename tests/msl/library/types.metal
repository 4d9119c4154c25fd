// SPDX-License-Identifier: Apache-2.0
// Sizes and alignments of the types, as the tables of Metal's specification give them.
// RUN: metalloid-msl %s
#include <metal_stdlib>
using namespace metal;

template <typename T, size_t size, size_t alignment = size> constexpr bool is_laid_out() {
  return sizeof(T) == size && alignof(T) == alignment;
}

static_assert(is_laid_out<bool, 1>() && is_laid_out<char, 1>() && is_laid_out<uchar, 1>());
static_assert(is_laid_out<int8_t, 1>() && is_laid_out<uint8_t, 1>());
static_assert(is_laid_out<short, 2>() && is_laid_out<ushort, 2>() && is_laid_out<int16_t, 2>());
static_assert(is_laid_out<int, 4>() && is_laid_out<uint, 4>() && is_laid_out<uint32_t, 4>());
static_assert(is_laid_out<long, 8>() && is_laid_out<ulong, 8>() && is_laid_out<int64_t, 8>());
static_assert(is_laid_out<half, 2>() && is_laid_out<bfloat, 2>() && is_laid_out<float, 4>());
static_assert(is_laid_out<size_t, 8>() && is_laid_out<ptrdiff_t, 8>());
static_assert(char(-1) < 0, "char is signed");

static_assert(is_laid_out<bool2, 2>() && is_laid_out<bool3, 4>() && is_laid_out<bool4, 4>());
static_assert(is_laid_out<char2, 2>() && is_laid_out<uchar3, 4>() && is_laid_out<char4, 4>());
static_assert(is_laid_out<short2, 4>() && is_laid_out<ushort3, 8>() && is_laid_out<short4, 8>());
static_assert(is_laid_out<int2, 8>() && is_laid_out<uint3, 16>() && is_laid_out<int4, 16>());
static_assert(is_laid_out<long2, 16>() && is_laid_out<ulong3, 32>() && is_laid_out<long4, 32>());
static_assert(is_laid_out<half2, 4>() && is_laid_out<half3, 8>() && is_laid_out<half4, 8>());
static_assert(is_laid_out<bfloat2, 4>() && is_laid_out<bfloat3, 8>() && is_laid_out<bfloat4, 8>());
static_assert(is_laid_out<float2, 8>() && is_laid_out<float3, 16>() && is_laid_out<float4, 16>());

static_assert(is_laid_out<packed_char2, 2, 1>() && is_laid_out<packed_uchar3, 3, 1>());
static_assert(is_laid_out<packed_short3, 6, 2>() && is_laid_out<packed_ushort4, 8, 2>());
static_assert(is_laid_out<packed_int2, 8, 4>() && is_laid_out<packed_uint3, 12, 4>());
static_assert(is_laid_out<packed_half3, 6, 2>() && is_laid_out<packed_half4, 8, 2>());
static_assert(is_laid_out<packed_bfloat3, 6, 2>());
static_assert(is_laid_out<packed_float3, 12, 4>() && is_laid_out<packed_float4, 16, 4>());

static_assert(is_laid_out<float2x2, 16, 8>() && is_laid_out<float2x3, 32, 16>());
static_assert(is_laid_out<float3x2, 24, 8>() && is_laid_out<float3x3, 48, 16>());
static_assert(is_laid_out<float4x2, 32, 8>() && is_laid_out<float4x4, 64, 16>());
static_assert(is_laid_out<half2x2, 8, 4>() && is_laid_out<half3x3, 24, 8>());
static_assert(is_laid_out<half4x4, 32, 8>());

struct Mixed {
  packed_float3 position;
  float weight;
  float3 colour;
};
static_assert(is_laid_out<Mixed, 32, 16>());
static_assert(is_laid_out<array<float3, 3>, 48, 16>());
static_assert(is_laid_out<atomic_int, 4>() && is_laid_out<atomic_ulong, 8>());

// Names that stand outside metal.
static_assert(is_same_v<::float4, metal::vec<float, 4>> && is_same_v<::uint3, vec<uint, 3>>);
static_assert(is_same_v<::packed_half2, metal::packed_vec<half, 2>>);
static_assert(is_same_v<::float4x3, metal::matrix<float, 4, 3>>);

// Literals have no double.
static_assert(is_same_v<decltype(1.0), float> && is_same_v<decltype(1.0h), half>);
static_assert(is_same_v<decltype(1.0bf), bfloat>);

static_assert(as_type<uint>(1.0f) == 0x3f800000 && as_type<ushort>(1.0h) == 0x3c00);
static_assert(as_type<ushort>(1.0bf) == 0x3f80 && as_type<float>(0x40490fdbu) == M_PI_F);
