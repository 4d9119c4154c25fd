// SPDX-License-Identifier: Apache-2.0
// Runs kernels of features.metal on fixed inputs and prints a checksum of what each wrote. Compiled
// once a machine and linked with objects of one instruction-set level: all levels must print the
// same (levels_test.py). No threads, no fibers, nothing of the run time.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "cpu/launch.h"

using namespace metalloid::cpu;

#define KERNELS(X)                                                                                 \
  X(built_ins, 20 * 96 * 2, 96, 2)                                                                 \
  X(carried_values, 1024, 70, 3)                                                                   \
  X(exchanges, 1024, 64, 3)                                                                        \
  X(reinterpreted, 4096, 96, 1)                                                                    \
  X(return_before_barrier, 1024, 128, 3)                                                           \
  X(rounding, 4096, 96, 4)                                                                         \
  X(threadgroup_argument, 1024, 64, 4)                                                             \
  X(tree_reduction, 1024, 256, 4)                                                                  \
  X(uniform_branch, 1024, 64, 8)

#define DECLARE(name, words, threads, groups)                                                      \
  extern "C" void name(const Launch*, Worker*, uint64_t, uint64_t);
KERNELS(DECLARE)

namespace {

void* aligned(size_t bytes) {
  void* memory = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
  std::memset(memory, 0, bytes);
  return memory;
}

uint32_t checksum(const std::vector<uint32_t>& words) {
  uint32_t sum = 2166136261u;
  for (uint32_t word : words)
    sum = (sum ^ word) * 16777619u;
  return sum;
}

void run(const char* name, Entry entry, size_t words, uint32_t threads, uint32_t groups) {
  std::vector<uint32_t> buffers[3];
  uint32_t seed = 1;
  for (auto& buffer : buffers)
    for (size_t i = 0; i < words; i++) {
      seed = seed * 1664525u + 1013904223u;
      // Read as a count or as a float, a word is small; as bits, it is anything.
      buffer.push_back(&buffer == &buffers[2] ? 300 + i : (seed >> 9) | 0x3f000000u);
    }
  // Threadgroup arguments are byte offsets behind the kernel's own memory.
  bool hasArguments = std::strcmp(name, "threadgroup_argument") == 0;
  void* arguments[16] = {buffers[0].data(), buffers[1].data(), buffers[2].data()};
  if (std::strcmp(name, "carried_values") == 0)
    buffers[2][0] = 5;
  if (hasArguments) {
    arguments[2] = reinterpret_cast<void*>(uintptr_t(4096));
    arguments[3] = reinterpret_cast<void*>(uintptr_t(8192));
  }
  Launch launch = {arguments,      {threads, 1, 1},          {threads, 1, 1},
                   {groups, 1, 1}, {threads * groups, 1, 1}, {0, 0, 0},
                   {groups, 1, 1}};
  static const Services services = {[](Worker*, uint32_t) { std::abort(); },
                                    [](Worker*) { return false; },
                                    [](Worker*, uint32_t) { std::abort(); }};
  Worker worker = {&services, aligned(32768), aligned(1 << 20), 0, 0};
  entry(&launch, &worker, 0, groups);
  std::printf("%s %08x %08x %08x\n", name, checksum(buffers[0]), checksum(buffers[1]),
              checksum(buffers[2]));
  std::free(worker.threadgroupMemory);
  std::free(worker.scratch);
}

} // namespace

int main() {
#define RUN(name, words, threads, groups) run(#name, name, words, threads, groups);
  KERNELS(RUN)
}
