// SPDX-License-Identifier: Apache-2.0
#include "interp/built_ins.h"

#include <optional>

#include "llvm/IR/DerivedTypes.h"

namespace metalloid::interp {
namespace {

constexpr uint32_t SimdWidth = 32, QuadWidth = 4;

uint32_t total(const std::array<uint32_t, 3>& extent) {
  return extent[0] * extent[1] * extent[2];
}
uint32_t groupsOf(uint32_t threads, uint32_t width) {
  return (threads + width - 1) / width;
}

std::optional<uint32_t> axisValue(std::string_view name, const Position& position, uint32_t index,
                                  unsigned axis) {
  const auto& extent = position.threadsPerThreadgroup;
  uint32_t thread = axis == 0   ? index % extent[0]
                    : axis == 1 ? index / extent[0] % extent[1]
                                : index / extent[0] / extent[1];
  if (name == "thread_position_in_threadgroup")
    return thread;
  if (name == "thread_position_in_grid")
    return position.threadgroup[axis] * position.dispatchThreadsPerThreadgroup[axis] + thread;
  if (name == "threadgroup_position_in_grid")
    return position.threadgroup[axis];
  if (name == "threads_per_threadgroup")
    return extent[axis];
  if (name == "dispatch_threads_per_threadgroup")
    return position.dispatchThreadsPerThreadgroup[axis];
  if (name == "threadgroups_per_grid")
    return position.threadgroups[axis];
  if (name == "threads_per_grid" || name == "grid_size")
    return position.threads[axis];
  if (name == "grid_origin")
    return 0;
  return std::nullopt;
}

std::optional<uint32_t> plainValue(std::string_view name, const Position& position,
                                   uint32_t index) {
  uint32_t threads = total(position.threadsPerThreadgroup);
  uint32_t dispatched = total(position.dispatchThreadsPerThreadgroup);
  if (name == "thread_index_in_threadgroup")
    return index;
  if (name == "thread_index_in_simdgroup")
    return index % SimdWidth;
  if (name == "simdgroup_index_in_threadgroup")
    return index / SimdWidth;
  if (name == "thread_index_in_quadgroup")
    return index % QuadWidth;
  if (name == "quadgroup_index_in_threadgroup")
    return index / QuadWidth;
  if (name == "threads_per_simdgroup" || name == "thread_execution_width")
    return SimdWidth;
  if (name == "simdgroups_per_threadgroup")
    return groupsOf(threads, SimdWidth);
  if (name == "quadgroups_per_threadgroup")
    return groupsOf(threads, QuadWidth);
  if (name == "dispatch_simdgroups_per_threadgroup")
    return groupsOf(dispatched, SimdWidth);
  if (name == "dispatch_quadgroups_per_threadgroup")
    return groupsOf(dispatched, QuadWidth);
  return std::nullopt;
}

} // namespace

bool builtInValue(std::string_view name, const llvm::Type& type, const Position& position,
                  uint32_t index, llvm::SmallVectorImpl<Bits>& scalars) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(&type);
  unsigned width = type.getScalarSizeInBits();
  for (unsigned axis = 0, count = vector ? vector->getNumElements() : 1; axis < count; ++axis) {
    auto value = axis < 3 ? axisValue(name, position, index, axis) : std::nullopt;
    if (!value && !vector)
      value = plainValue(name, position, index);
    if (!value)
      return false;
    scalars.push_back(*value & lowBits(width));
  }
  return true;
}

} // namespace metalloid::interp
