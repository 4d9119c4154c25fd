// SPDX-License-Identifier: Apache-2.0
// Cutting a grid into boxes of equal threadgroups, and choosing the code that runs each.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/device.h"

namespace metalloid::runtime {

using Size3 = std::array<uint32_t, 3>;

/// Threadgroups of one size, side by side.
struct Box {
  Size3 first;   ///< Position in the grid of the first threadgroup.
  Size3 groups;  ///< Threadgroups along each axis, none 0.
  Size3 threads; ///< Threads of each threadgroup.

  uint64_t groupCount() const { return uint64_t(groups[0]) * groups[1] * groups[2]; }
  uint32_t threadCount() const { return threads[0] * threads[1] * threads[2]; }
};

/// At most eight boxes: an axis whose threads do not divide evenly has a ragged end of its own.
struct Boxes {
  std::array<Box, 8> box;
  uint32_t count = 0;

  const Box* begin() const { return box.data(); }
  const Box* end() const { return box.data() + count; }
};

/// `threads` along an axis must be at most 2^32 - 1, `threadgroup` at least 1. No box where the
/// grid is empty.
Boxes cutGrid(const Extent& threads, const Size3& threadgroup);

/// Whether a threadgroup size deserves code of its own: whole SIMD-groups along x, or powers of
/// two. Others would seldom be met again, or gain little.
bool deservesOwnCode(const Size3& threadgroup);

/// The size to compile for where it gets no code of its own: 0 (any) along each axis but those of y
/// and z that are 1.
Size3 anySize(const Size3& threadgroup);

} // namespace metalloid::runtime
