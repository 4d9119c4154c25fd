// SPDX-License-Identifier: Apache-2.0
// Fibers: the SIMD-groups of one threadgroup take turns on one thread, switching at barriers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/error.h"

namespace metalloid::runtime {

/// The fibers of one thread. Stacks are made once, have a guard page below, and are used again.
class FiberGroup {
public:
  /// What fiber `index` does; barrier() may be called in it.
  using Body = void (*)(void* context, uint32_t index);

  /// Bytes of a stack, guard page included. Untouched pages cost nothing.
  static constexpr size_t StackBytes = 1 << 20;

  FiberGroup() = default;
  FiberGroup(const FiberGroup&) = delete;
  FiberGroup& operator=(const FiberGroup&) = delete;
  ~FiberGroup();

  /// Makes at least `count` stacks.
  Expected<void> reserve(uint32_t count);

  /// Runs body(context, 0 … count - 1), each in a fiber of its own, and returns when all are done.
  /// `count` stacks must be reserved. False where fibers met different barriers: then all of them
  /// were given up where they stood.
  bool run(uint32_t count, Body body, void* context);

  /// Called in a fiber: gives the others their turn and returns when each has come to a barrier or
  /// has ended. The fibers of a turn must bring the same `number`.
  void barrier(uint32_t number);

  /// Called on the thread's own stack after code of a fiber was left by a jump: forgets the fibers.
  void abandon();

  bool isRunning() const { return running_; }

private:
  struct Fiber {
    std::byte* stack = nullptr;   ///< Lowest address: the guard page.
    void* stackPointer = nullptr; ///< Where it was left.
    void* fakeStack = nullptr;    ///< AddressSanitizer's.
    void* identity = nullptr;     ///< ThreadSanitizer's.
    uint32_t next = 0, previous = 0;
  };

  static void start(void* group);
  void end();
  void enter();
  void switchTo(uint32_t index);
  [[noreturn]] void leave();

  std::vector<Fiber> fibers_;
  Body body_ = nullptr;
  void* context_ = nullptr;
  uint32_t current_ = 0;
  uint32_t first_ = 0;  ///< The live fiber whose turn begins a round.
  uint32_t number_ = 0; ///< The barrier that this round meets at.
  bool running_ = false;
  bool agreed_ = true;

  Fiber thread_; ///< The thread's own stack; `stack` is known under AddressSanitizer only.
  size_t threadStackBytes_ = 0;
};

} // namespace metalloid::runtime
