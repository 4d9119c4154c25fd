// SPDX-License-Identifier: Apache-2.0
// numeric_limits and the constants, against the bits that IEEE 754 and two's complement give.
// RUN: metalloid-msl %s
#include <metal_limits>
using namespace metal;

static_assert(numeric_limits<char>::max() == 127 && numeric_limits<char>::min() == -128);
static_assert(numeric_limits<uchar>::max() == 255 && numeric_limits<uchar>::min() == 0);
static_assert(numeric_limits<short>::lowest() == -32768 && numeric_limits<ushort>::max() == 65535);
static_assert(numeric_limits<int>::max() == INT_MAX && numeric_limits<int>::min() == INT_MIN);
static_assert(numeric_limits<uint>::max() == UINT_MAX && UINT_MAX == 0xffffffff);
static_assert(numeric_limits<long>::max() == LONG_MAX && numeric_limits<long>::min() == LONG_MIN);
static_assert(numeric_limits<ulong>::max() == ULONG_MAX && ULONG_MAX == 0xfffffffffffffffful);
static_assert(numeric_limits<bool>::max() && !numeric_limits<bool>::min());
static_assert(numeric_limits<int>::digits == 31 && numeric_limits<uint>::digits == 32);
static_assert(numeric_limits<int>::is_integer && numeric_limits<int>::is_signed);
static_assert(!numeric_limits<uint>::is_signed && !numeric_limits<float>::is_integer);
static_assert(numeric_limits<const float>::digits == 24);

constexpr uint bits(float x) { return as_type<uint>(x); }
constexpr uint bits(half x) { return as_type<ushort>(x); }
constexpr uint bits(bfloat x) { return as_type<ushort>(x); }

static_assert(bits(numeric_limits<float>::max()) == 0x7f7fffff);
static_assert(bits(numeric_limits<float>::lowest()) == 0xff7fffff);
static_assert(bits(numeric_limits<float>::min()) == 0x00800000);
static_assert(bits(numeric_limits<float>::denorm_min()) == 1);
static_assert(bits(numeric_limits<float>::epsilon()) == 0x34000000);
static_assert(bits(numeric_limits<float>::infinity()) == 0x7f800000);
static_assert(bits(numeric_limits<float>::quiet_NaN()) == 0x7fc00000);
static_assert(numeric_limits<float>::digits10 == 6 && numeric_limits<float>::max_digits10 == 9);
static_assert(numeric_limits<float>::max_exponent == 128);
static_assert(numeric_limits<float>::min_exponent == -125);
static_assert(numeric_limits<float>::max_exponent10 == 38);
static_assert(numeric_limits<float>::min_exponent10 == -37);

static_assert(bits(numeric_limits<half>::max()) == 0x7bff && HALF_MAX == 65504.0h);
static_assert(bits(numeric_limits<half>::lowest()) == 0xfbff);
static_assert(bits(numeric_limits<half>::min()) == 0x0400 && bits(HALF_MIN) == 0x0400);
static_assert(bits(numeric_limits<half>::epsilon()) == 0x1400 && bits(HALF_EPSILON) == 0x1400);
static_assert(bits(numeric_limits<half>::infinity()) == 0x7c00);
static_assert(bits(numeric_limits<half>::quiet_NaN()) == 0x7e00);
static_assert(numeric_limits<half>::digits == 11 && numeric_limits<half>::digits10 == 3);
static_assert(numeric_limits<half>::max_digits10 == 5 && numeric_limits<half>::max_exponent == 16);

static_assert(bits(numeric_limits<bfloat>::max()) == 0x7f7f);
static_assert(bits(numeric_limits<bfloat>::lowest()) == 0xff7f);
static_assert(bits(numeric_limits<bfloat>::min()) == 0x0080);
static_assert(bits(numeric_limits<bfloat>::epsilon()) == 0x3c00);
static_assert(bits(numeric_limits<bfloat>::infinity()) == 0x7f80);
static_assert(bits(numeric_limits<bfloat>::quiet_NaN()) == 0x7fc0);

static_assert(bits(FLT_MAX) == 0x7f7fffff && bits(FLT_MIN) == 0x00800000);
static_assert(bits(FLT_EPSILON) == 0x34000000 && bits(MAXFLOAT) == bits(FLT_MAX));
static_assert(bits(INFINITY) == 0x7f800000 && bits(HUGE_VALF) == 0x7f800000);
static_assert(bits(MAXHALF) == 0x7bff && bits(HUGE_VALH) == 0x7c00 && NAN != NAN);
static_assert(bits(M_PI_F) == 0x40490fdb && bits(M_PI_2_F) == 0x3fc90fdb);
static_assert(bits(M_PI_4_F) == 0x3f490fdb && bits(M_1_PI_F) == 0x3ea2f983);
static_assert(bits(M_2_PI_F) == 0x3f22f983 && bits(M_2_SQRTPI_F) == 0x3f906ebb);
static_assert(bits(M_E_F) == 0x402df854 && bits(M_LOG2E_F) == 0x3fb8aa3b);
static_assert(bits(M_LOG10E_F) == 0x3ede5bd9 && bits(M_LN2_F) == 0x3f317218);
static_assert(bits(M_LN10_F) == 0x40135d8e && bits(M_SQRT2_F) == 0x3fb504f3);
static_assert(bits(M_SQRT1_2_F) == 0x3f3504f3 && bits(M_PI_H) == 0x4248 && bits(M_E_H) == 0x4170);
static_assert(CHAR_BIT == 8 && SHRT_MIN == -32768 && INT64_MAX == LONG_MAX && UINT8_MAX == 255);
