// SPDX-License-Identifier: Apache-2.0
// array<T, N> is a value: it is copied, passed and returned, in every address space.
// RUN: metalloid-msl %s
#include <metal_array>
#include <metal_stdlib>
using namespace metal;

constexpr array<int, 3> values = {1, 2, 3};
static_assert(values.size() == 3 && !values.empty() && values[2] == 3);
constant array<float, 4> table = {1, 2, 4, 8};

array<int, 3> reversed(array<int, 3> a) { return {a[2], a[1], a[0]}; }

struct Parameters {
  array<float3, 2> directions;
};
kernel void use(device array<int, 3>* p, constant Parameters& q, threadgroup array<half, 8>* shared,
                device float* out, uint i [[thread_position_in_grid]]) {
  p[i] = reversed(p[i + 1]);
  shared[0][i & 7] = half(q.directions[1].y);
  out[i] = shared[0][3] + table[i & 3] + p[0][1];
  array<float, 4> local = table;
  local[i & 3] += 1;
  out[i] += local[2];
}
