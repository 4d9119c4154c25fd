// SPDX-License-Identifier: Apache-2.0
// Random kernels: nested loops, switches, early returns, barriers, private arrays, SIMD-group
// functions, integers of 8 to 64 bits, half and float, with the operands that go wrong most easily.
#pragma once

#include <cstdint>
#include <vector>

#include "support/bytes.h"

namespace metalloid::test {

/// A kernel and what to run it on. Its buffers: 0 is `device ulong* out`, a word a thread; 1 is
/// `device const uint* in`, InputWords; 2 is `device atomic_uint* counters`, CounterWords.
struct RandomKernel {
  static constexpr uint32_t InputWords = 64;
  static constexpr uint32_t CounterWords = 16;
  Bytes bitcode; ///< Kernel "k".
  uint32_t threads = 0;
  uint32_t threadsPerThreadgroup = 0;
  std::vector<uint32_t> input;
};

/// The same kernel for the same seed. No thread reads what another may be writing; every barrier is
/// met by all threads that have not returned; every loop ends.
RandomKernel makeRandomKernel(uint64_t seed);

} // namespace metalloid::test
