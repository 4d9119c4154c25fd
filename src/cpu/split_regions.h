// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cpu/thread_form.h"

namespace metalloid::cpu {

/// A parameter of a region function after the thread-form ones.
struct RegionParameter {
  enum Kind : uint8_t {
    UniformIn,  ///< The value of uniform `index`.
    UniformOut, ///< Where to store the new value of uniform `index`.
    Array,      ///< Start of array `index` in scratch.
    LiveOut,    ///< Where to store the mask of the SIMD-group's threads that go on.
  };
  Kind kind;
  uint32_t index = 0;
};

/// A piece of a kernel between two cuts. All SIMD-groups of a threadgroup run it, one after
/// another, before any runs the next.
struct Region {
  llvm::Function* function = nullptr; ///< Thread form; the caller replaces it by SIMD-group form.
  std::vector<RegionParameter> parameters;
  /// What runs next: nothing (the kernel ends), next[0], or, where `condition` names a uniform,
  /// next[0] if it is true and next[1] if not.
  std::vector<uint32_t> next;
  int condition = -1;
  bool finishesThreads = false; ///< Some threads may end here while others go on.
};

/// A kernel cut into regions; region 0 comes first.
struct Regions {
  std::vector<Region> regions;
  std::vector<llvm::Type*> uniforms;  ///< Values that are equal for the whole threadgroup.
  std::vector<uint32_t> arrayOffsets; ///< Of each array in scratch, bytes per SIMD-group before it.
  uint32_t scratchBytesPerSimdgroup = 0;
  uint32_t liveOffset = 0; ///< Of the array of live masks, bytes per SIMD-group before it.
  bool tracksLive = false; ///< Some region finishes threads.
};

/// Cuts `thread` at its threadgroup barriers. The function loses its body. An error says why no cut
/// is possible; the kernel then needs fibers.
llvm::Expected<Regions> splitRegions(llvm::Function& thread, const ThreadgroupShape& shape);

} // namespace metalloid::cpu
