// SPDX-License-Identifier: Apache-2.0
// The libcalls of the lowest level, renamed own_*, against the host's instructions and library.
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

using Int128 = __int128;
using UInt128 = unsigned __int128;

extern "C" {
void* own_memcpy(void*, const void*, size_t);
void* own_memmove(void*, const void*, size_t);
void* own_memset(void*, int, size_t);
int own_memcmp(const void*, const void*, size_t);
UInt128 own___udivti3(UInt128, UInt128);
UInt128 own___umodti3(UInt128, UInt128);
Int128 own___divti3(Int128, Int128);
Int128 own___modti3(Int128, Int128);
Int128 own___fixdfti(double);
UInt128 own___fixunssfti(float);
float own___floattisf(Int128);
double own___floatuntidf(UInt128);
_Float16 own___floattihf(Int128);
float own___extendhfsf2(_Float16);
_Float16 own___truncsfhf2(float);
_Float16 own___truncdfhf2(double);
__bf16 own___truncsfbf2(float);
__bf16 own___truncdfbf2(double);
float own_fmaf(float, float, float);
float own_fmodf(float, float);
float own_floorf(float);
float own_ceilf(float);
float own_truncf(float);
float own_roundf(float);
float own_roundevenf(float);
float own_ldexpf(float, int);
float own_frexpf(float, int*);
}

namespace {

constexpr int Rounds = 300000;

/// Numbers whose exponents and bit patterns reach every corner.
class Numbers {
public:
  uint64_t bits() { return engine_(); }
  float any() { return std::bit_cast<float>(static_cast<uint32_t>(engine_())); }
  /// Of moderate size, often whole, half or at the edge of a format.
  float moderate() {
    float value = static_cast<float>(static_cast<int32_t>(engine_() >> 40)) / 8192;
    return std::ldexp(value, static_cast<int>(engine_() % 60) - 40);
  }
  UInt128 wide() {
    UInt128 value = UInt128(engine_()) << 64 | engine_();
    return value >> engine_() % 128;
  }

private:
  std::mt19937_64 engine_{7};
};

void expectSame(float got, float want, const char* what) {
  if (std::isnan(want))
    ASSERT_TRUE(std::isnan(got)) << what;
  else
    ASSERT_EQ(std::bit_cast<uint32_t>(got), std::bit_cast<uint32_t>(want))
        << what << ": " << got << " for " << want;
}

TEST(Libcalls, FusedMultiplyAddRoundsOnce) {
  Numbers numbers;
  for (int i = 0; i < Rounds; ++i) {
    float a = numbers.any(), b = numbers.any(), c = numbers.any();
    if (i % 2) {
      a = numbers.moderate();
      b = numbers.moderate();
      c = -a * b * (1 + std::ldexp(float(i % 3), -24)); // Cancellation.
    }
    expectSame(own_fmaf(a, b, c), std::fma(a, b, c), "fmaf");
  }
}

TEST(Libcalls, Remainder) {
  Numbers numbers;
  for (int i = 0; i < Rounds; ++i) {
    float a = numbers.any(), b = i % 2 ? numbers.any() : numbers.moderate();
    if (i % 5 == 0)
      b = std::bit_cast<float>(static_cast<uint32_t>(i)); // Subnormal.
    expectSame(own_fmodf(a, b), std::fmod(a, b), "fmodf");
  }
}

TEST(Libcalls, Rounding) {
  Numbers numbers;
  for (int i = 0; i < Rounds; ++i) {
    float x = i % 3 == 0 ? numbers.any() : i % 3 == 1 ? numbers.moderate() : float(i - 1000) / 2;
    expectSame(own_floorf(x), std::floor(x), "floorf");
    expectSame(own_ceilf(x), std::ceil(x), "ceilf");
    expectSame(own_truncf(x), std::trunc(x), "truncf");
    expectSame(own_roundf(x), std::round(x), "roundf");
    expectSame(own_roundevenf(x), std::nearbyint(x), "roundevenf");
  }
}

TEST(Libcalls, Exponents) {
  Numbers numbers;
  for (int i = 0; i < Rounds; ++i) {
    float x = numbers.any();
    int exponent = static_cast<int>(numbers.bits() % 700) - 350;
    if (i % 100 == 0)
      exponent *= 1000000;
    expectSame(own_ldexpf(x, exponent), std::ldexp(x, exponent), "ldexpf");
    int got = 0, want = 0;
    expectSame(own_frexpf(x, &got), std::frexp(x, &want), "frexpf");
    if (std::isfinite(x))
      ASSERT_EQ(got, want);
  }
}

TEST(Libcalls, HalfConversionsAreExhaustive) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    auto half = std::bit_cast<_Float16>(static_cast<uint16_t>(bits));
    float value = own___extendhfsf2(half);
    expectSame(value, static_cast<float>(half), "__extendhfsf2");
    if (std::isnan(value))
      continue;
    ASSERT_EQ(std::bit_cast<uint16_t>(own___truncsfhf2(value)), bits);
    // The number half way to the next, and its neighbours.
    float next = static_cast<float>(std::bit_cast<_Float16>(static_cast<uint16_t>(bits + 1)));
    float middle = value + (next - value) / 2;
    for (float each : {middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e9f)})
      if (std::isfinite(each))
        ASSERT_EQ(std::bit_cast<uint16_t>(own___truncsfhf2(each)),
                  std::bit_cast<uint16_t>(static_cast<_Float16>(each)))
            << each;
  }
}

/// bfloat by its definition: the float's upper half, rounded to even.
uint16_t bfloatOf(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

TEST(Libcalls, NarrowingRoundsOnce) {
  Numbers numbers;
  for (int i = 0; i < Rounds; ++i) {
    float x = i % 2 ? numbers.any() : numbers.moderate();
    if (std::isnan(x))
      continue;
    ASSERT_EQ(std::bit_cast<uint16_t>(own___truncsfhf2(x)),
              std::bit_cast<uint16_t>(static_cast<_Float16>(x)));
    ASSERT_EQ(std::bit_cast<uint16_t>(own___truncsfbf2(x)), bfloatOf(x)) << x;
    ASSERT_EQ(std::bit_cast<uint16_t>(own___truncdfbf2(x)), bfloatOf(x)) << x;
    // A double just above half way between two halves must go up, which float would not see.
    double tie = 1 + 0x1p-11;
    ASSERT_EQ(static_cast<double>(own___extendhfsf2(own___truncdfhf2(tie))), 1.0);
    ASSERT_EQ(static_cast<double>(own___extendhfsf2(own___truncdfhf2(tie + 0x1p-50))), 1 + 0x1p-10);
  }
  float quiet = std::bit_cast<float>(0x7f800001u);
  EXPECT_TRUE(std::isnan(own___extendhfsf2(own___truncsfhf2(quiet))));
  EXPECT_EQ(std::bit_cast<uint16_t>(own___truncsfbf2(quiet)), 0x7fc0);
}

TEST(Libcalls, Integers128) {
  Numbers numbers;
  for (int i = 0; i < Rounds / 10; ++i) {
    UInt128 a = numbers.wide(), b = numbers.wide();
    if (b == 0)
      continue;
    ASSERT_TRUE(own___udivti3(a, b) == a / b && own___umodti3(a, b) == a % b);
    auto c = static_cast<Int128>(a << (i % 3)), d = static_cast<Int128>(b);
    if (c == static_cast<Int128>(UInt128(1) << 127))
      continue;
    ASSERT_TRUE(own___divti3(c, d) == c / d && own___modti3(c, d) == c % d);
    ASSERT_TRUE(own___divti3(-c, d) == -c / d && own___modti3(-c, d) == -c % d);
  }
}

TEST(Libcalls, Integers128AndFloats) {
  Numbers numbers;
  for (int i = 0; i < Rounds; ++i) {
    UInt128 a = numbers.wide();
    auto b = static_cast<Int128>(a);
    expectSame(own___floattisf(b), static_cast<float>(b), "__floattisf");
    ASSERT_EQ(own___floatuntidf(a), static_cast<double>(a));
    double d = std::ldexp(static_cast<double>(numbers.bits()), static_cast<int>(i % 120) - 60);
    if (d < 0x1p127)
      ASSERT_TRUE(own___fixdfti(-d) == static_cast<Int128>(-d)) << d;
    auto f = static_cast<float>(d);
    if (f < 0x1p127f)
      ASSERT_TRUE(own___fixunssfti(f) == static_cast<UInt128>(f)) << f;
    auto small = static_cast<int64_t>(numbers.bits()) >> (40 + i % 20);
    ASSERT_EQ(static_cast<float>(own___floattihf(small)),
              static_cast<float>(static_cast<_Float16>(small)));
  }
  EXPECT_TRUE(own___fixdfti(1e300) == static_cast<Int128>(~UInt128(0) >> 1));
  EXPECT_TRUE(own___fixdfti(NAN) == 0);
}

TEST(Libcalls, Memory) {
  Numbers numbers;
  std::vector<uint8_t> bytes(700), want, got;
  for (uint8_t& byte : bytes)
    byte = static_cast<uint8_t>(numbers.bits());
  for (size_t size = 0; size < 300; ++size)
    for (size_t shift : {0, 1, 7, 16, 33, 100}) {
      want = got = bytes;
      std::memmove(want.data() + 200, want.data() + 200 + shift, size);
      own_memmove(got.data() + 200, got.data() + 200 + shift, size);
      ASSERT_EQ(got, want) << "down by " << shift << ", size " << size;
      std::memmove(want.data() + 200 + shift, want.data() + 200, size);
      own_memmove(got.data() + 200 + shift, got.data() + 200, size);
      ASSERT_EQ(got, want) << "up by " << shift << ", size " << size;
      own_memcpy(got.data() + 5, bytes.data() + 350, size);
      std::memcpy(want.data() + 5, bytes.data() + 350, size);
      own_memset(got.data() + 310 + shift, 0x1a5, size);
      std::memset(want.data() + 310 + shift, 0xa5, size);
      ASSERT_EQ(got, want) << size;
      EXPECT_EQ(own_memcmp(got.data(), want.data(), got.size()), 0);
      ++got[size];
      EXPECT_EQ(own_memcmp(got.data(), want.data(), got.size()) > 0, got[size] > want[size]);
    }
}

} // namespace
