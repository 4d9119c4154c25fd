// SPDX-License-Identifier: Apache-2.0
// C++ that kernels use: lambdas, unions, enums, operators, variadic templates, if constexpr, static
// tables.
// RUN: metalloid-msl %s | FileCheck %s
#include <metal_stdlib>
using namespace metal;

// CHECK: define void @language(
union Bits {
  float f;
  uint u;
};
enum class Mode : uint8_t { Add, Multiply };

struct Pair {
  int2 value;
  Pair operator+(Pair other) const { return {value + other.value}; }
  int operator[](int i) const { return value[i]; }
};

template <typename... Ts> int sum(Ts... values) { return (0 + ... + int(values)); }

template <Mode mode, typename T> T apply(T a, T b) {
  if constexpr (mode == Mode::Add)
    return a + b;
  else
    return a * b;
}

struct Table {
  static constant constexpr float values[3] = {1, 2.5, 4};
};

constant int lookup[2][2] = {{1, 2}, {3, 4}};

kernel void language(device float* out [[buffer(0)]], device Pair* pairs [[buffer(1)]],
                     uint i [[thread_position_in_grid]]) {
  Bits bits;
  bits.f = out[i];
  auto twice = [&](float x) { return 2 * x + bits.u; };
  const Pair both = pairs[0] + pairs[1];
  out[0] = twice(out[1]) + both[1] + sum(1, 2.5, i) + Table::values[i % 3] + lookup[i & 1][0];
  out[1] = apply<Mode::Multiply>(out[2], out[3]) + as_type<float>(bits.u) + half(2.0h);
  float copies[4] = {};
  for (thread float& copy : copies)
    copy += 1;
  switch (i & 3) {
  case 0:
    out[2] = copies[1];
    [[fallthrough]];
  default:
    out[3] = i > 2 ? out[4] : copies[0];
  }
  pairs[2] = i > 1 ? pairs[0] : both;
}
