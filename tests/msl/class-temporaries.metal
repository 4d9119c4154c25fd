// SPDX-License-Identifier: Apache-2.0
// A temporary of class type has that very type, without an address space: templates deduce it.
// RUN: metalloid-msl %s | FileCheck %s
#include <metal_stdlib>
using namespace metal;

static_assert(is_same_v<decltype(float2(1, 2)), float2>);
static_assert(is_same_v<decltype(vec<half, 3>()), half3>);

struct Pair {
  int a, b;
  Pair(int a, int b) : a(a), b(b) {}
};
template <typename T> struct Name;
template <> struct Name<Pair> {
  static constexpr int value = 7;
};
template <typename T> int name(const thread T& value) { return Name<T>::value; }

struct Base {
  template <typename T> int inside(const thread T& value) const { return Name<T>::value + 1; }
  int member() const { return inside(Pair(3, 4)); }
};

// CHECK: define void @temporaries
// CHECK: call i32 @_Z4nameI4PairEiRKT_
kernel void temporaries(device int* out [[buffer(0)]]) {
  out[0] = name(Pair(1, 2));
  out[1] = Base().member();
  auto pair = Pair(5, 6);
  static_assert(is_same_v<decltype(pair), Pair>);
  thread Pair* pointer = &pair;
  out[2] = pointer->a;
}
