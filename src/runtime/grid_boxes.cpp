// SPDX-License-Identifier: Apache-2.0
#include "runtime/grid_boxes.h"

#include <algorithm>
#include <bit>

#include "cpu/launch.h"

namespace metalloid::runtime {

Boxes cutGrid(const Extent& threads, const Size3& threadgroup) {
  struct Part {
    uint32_t first, groups, threads;
  };
  std::array<std::array<Part, 2>, 3> parts;
  std::array<unsigned, 3> partCount = {0, 0, 0};
  for (int axis = 0; axis < 3; ++axis) {
    auto whole = static_cast<uint32_t>(threads[axis] / threadgroup[axis]);
    auto rest = static_cast<uint32_t>(threads[axis] % threadgroup[axis]);
    if (whole)
      parts[axis][partCount[axis]++] = {0, whole, threadgroup[axis]};
    if (rest)
      parts[axis][partCount[axis]++] = {whole, 1, rest};
  }
  Boxes boxes;
  for (unsigned z = 0; z < partCount[2]; ++z)
    for (unsigned y = 0; y < partCount[1]; ++y)
      for (unsigned x = 0; x < partCount[0]; ++x) {
        const Part &px = parts[0][x], &py = parts[1][y], &pz = parts[2][z];
        boxes.box[boxes.count++] = {.first = {px.first, py.first, pz.first},
                                    .groups = {px.groups, py.groups, pz.groups},
                                    .threads = {px.threads, py.threads, pz.threads}};
      }
  return boxes;
}

bool deservesOwnCode(const Size3& threadgroup) {
  return threadgroup[0] % cpu::SimdWidth == 0 ||
         std::all_of(threadgroup.begin(), threadgroup.end(),
                     [](uint32_t threads) { return std::has_single_bit(threads); });
}

Size3 anySize(const Size3& threadgroup) {
  return {0, threadgroup[1] == 1 ? 1u : 0u, threadgroup[2] == 1 ? 1u : 0u};
}

} // namespace metalloid::runtime
