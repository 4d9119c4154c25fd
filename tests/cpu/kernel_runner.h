// SPDX-License-Identifier: Apache-2.0
// Runs a small thread-form kernel two ways: thread by thread as it is written, and vectorised.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "cpu/launch.h"
#include "cpu/thread_form.h"

namespace metalloid::cpu::test {

/// Memory a kernel works on: the parameters %in, %out and %n.
struct Memory {
  std::vector<uint8_t> in, out;
  uint32_t n = 0;

  template <typename T> static std::vector<uint8_t> bytes(const std::vector<T>& values) {
    std::vector<uint8_t> raw(values.size() * sizeof(T));
    std::memcpy(raw.data(), values.data(), raw.size());
    return raw;
  }
  template <typename T> std::vector<T> outAs() const {
    std::vector<T> values(out.size() / sizeof(T));
    std::memcpy(values.data(), out.data(), values.size() * sizeof(T));
    return values;
  }
};

/// What is run, and on how many threads.
struct Kernel {
  /// Body of: define void @k(ptr %launch, ptr %worker, i32 %simdgroup, ptr %memory, i32 %gx,
  ///                         i32 %gy, i32 %gz, ptr %in, ptr %out, i32 %n) { … }
  std::string body;
  ThreadgroupShape shape = {{32, 1, 1}};
  /// The real size; where `shape` has zeros it is known at run time only.
  std::array<uint32_t, 3> threads = {0, 0, 0};
  std::array<uint32_t, 3> group = {0, 0, 0};
  std::string globals = {}; ///< Module-level text.
};

/// One way of vectorising, for a test to go through.
struct Way {
  unsigned chunk;
  const char* cpu;
};
/// Every chunk width on a target it is meant for, as far as this machine runs it.
const std::vector<Way>& ways();

/// Thread after thread.
Memory runThreads(const Kernel& kernel, Memory memory);
/// SIMD-group after SIMD-group. Throws std::runtime_error with the vectoriser's error.
Memory runVectorised(const Kernel& kernel, const Way& way, Memory memory);
/// The same on several memories, compiled once.
std::vector<Memory> runVectorised(const Kernel& kernel, const Way& way,
                                  std::vector<Memory> memories);
/// How often Services::barrier and Services::divergentBarrier were called by the last run.
struct Calls {
  unsigned barriers = 0, divergent = 0;
};
Calls lastCalls();

/// The vectorised form as text, or the error's.
std::string vectorisedText(const Kernel& kernel, const Way& way);
/// Compiles the vectorised form for AArch64 with NEON; the error's text or "".
std::string compileForNeon(const Kernel& kernel);

} // namespace metalloid::cpu::test
