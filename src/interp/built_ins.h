// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include "interp/bits.h"

#include "llvm/ADT/SmallVector.h"

namespace metalloid::interp {

/// Where a threadgroup stands in its grid.
struct Position {
  std::array<uint32_t, 3> threadgroup;
  std::array<uint32_t, 3> threadgroups; ///< In the grid.
  std::array<uint32_t, 3> threads;      ///< In the grid.
  std::array<uint32_t, 3> dispatchThreadsPerThreadgroup;
  std::array<uint32_t, 3> threadsPerThreadgroup; ///< Of this one, which may be cut short.
};

/// The value `name` ("thread_position_in_grid") of thread `index` of the threadgroup, as scalars of
/// the integer or vector `type`. False for a name that is not known.
bool builtInValue(std::string_view name, const llvm::Type& type, const Position& position,
                  uint32_t index, llvm::SmallVectorImpl<Bits>& scalars);

} // namespace metalloid::interp
