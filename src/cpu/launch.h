// SPDX-License-Identifier: Apache-2.0
// The binary interface between an image's code and the run time that calls it. Plain C layout; any
// change bumps LaunchVersion, which is part of every cache key.
#pragma once

#include <cstdint>

namespace metalloid::cpu {

inline constexpr uint32_t LaunchVersion = 1;
inline constexpr uint32_t SimdWidth = 32;

/// What is the same for every threadgroup of a dispatch. A grid with ragged edges is dispatched as
/// up to eight boxes of equal threadgroups; a box is one Launch.
struct Launch {
  /// One entry an IR parameter of the kernel. Buffer: the address. Threadgroup memory: its byte
  /// offset from Worker::threadgroupMemory. Built-in values and inactive arguments: null.
  void* const* arguments;
  uint32_t threadsPerThreadgroup[3];         ///< Of the threadgroups of this box.
  uint32_t dispatchThreadsPerThreadgroup[3]; ///< Of the whole threadgroups of the grid.
  uint32_t threadgroupsPerGrid[3];
  uint32_t threadsPerGrid[3];
  uint32_t firstThreadgroup[3]; ///< Position in the grid of the box's first threadgroup.
  uint32_t boxThreadgroups[3];  ///< Extent of the box; linear index = x + X * (y + Y * z).
};

struct Worker;

/// Services of the run time, called by image code.
struct Services {
  /// Fiber images: all SIMD-groups of the threadgroup meet here. `barrier` numbers the barrier in
  /// the code. Returns after every live SIMD-group arrived at the same one; where they did not, it
  /// records the fault and never returns.
  void (*barrier)(Worker*, uint32_t barrier);
  /// Polled on loop back edges of loops that may not end (see Traits::polls): true to give up.
  bool (*interrupted)(Worker*);
  /// Region images: live threads disagree about the next barrier. Records the fault, never returns.
  void (*divergentBarrier)(Worker*, uint32_t barrier);
};

/// What belongs to the thread that runs the threadgroup.
struct Worker {
  const Services* services;
  void* threadgroupMemory; ///< 64-byte aligned: Traits::threadgroupBytes, then dynamic memory.
  void* scratch;           ///< Region images: 64-byte aligned, Traits::scratchBytes(simdgroups).
  uint32_t simdgroup;      ///< Fiber images: the SIMD-group this fiber runs.
  uint32_t reserved;
};

/// The entry: runs threadgroups [first, first + count) of the box, one after another. A fiber image
/// (Traits::fibers) is entered once in each SIMD-group's fiber with count 1.
using Entry = void (*)(const Launch*, Worker*, uint64_t first, uint64_t count);

/// What the run time must know to call the entry.
struct Traits {
  uint32_t threadgroupBytes = 0;         ///< Static threadgroup memory.
  uint32_t scratchFixedBytes = 0;        ///< Region images: bytes a threadgroup …
  uint32_t scratchBytesPerSimdgroup = 0; ///< … and bytes a SIMD-group of it.
  uint32_t barriers = 0;                 ///< Number of barriers in the code.
  uint32_t fixedThreads[3] = {0, 0, 0};  ///< Threadgroup size compiled in; 0: any.
  uint8_t fibers = 0;                    ///< Needs one fiber a SIMD-group.
  uint8_t flushDenormals = 0;            ///< Set FTZ and DAZ (FPCR.FZ) around the call.
  uint8_t polls = 0;                     ///< Calls Services::interrupted.
  uint8_t reserved = 0;
};

} // namespace metalloid::cpu
