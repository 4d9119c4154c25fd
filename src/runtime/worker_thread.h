// SPDX-License-Identifier: Apache-2.0
// What one thread needs to run threadgroups: its memory, its fibers, and the way back from a fault.
#pragma once

#include <array>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include <signal.h>

#include "cpu/launch.h"
#include "runtime/fibers.h"
#include "support/bytes.h"
#include "support/error.h"

namespace metalloid::runtime {

/// Says when running kernels must give up. Asked from many threads.
class StopCondition {
public:
  virtual ~StopCondition() = default;
  virtual bool mustStop() const = 0;
};

/// Threadgroups of equal size with all that their code needs: one box of a grid.
struct BoxCall {
  cpu::Launch launch;
  cpu::Entry entry = nullptr;
  const cpu::Traits* traits = nullptr;
  ByteView code; ///< The image's mapping: a fault outside it is not the kernel's.
  uint32_t simdgroups = 0;
  const StopCondition* stop = nullptr;
};

/// Why threadgroups were not run to their end.
struct Fault {
  enum class Kind : uint8_t { Signal, DivergentBarrier, Stopped };
  Kind kind = Kind::Stopped;
  int signal = 0;
  uintptr_t address = 0; ///< Of a SIGSEGV or SIGBUS: the memory touched.
};

class WorkerThread {
public:
  /// Bytes of threadgroup memory that a threadgroup can have, static and dynamic together.
  static constexpr uint32_t ThreadgroupMemoryBytes = 32768;

  /// That of the calling thread.
  static WorkerThread& current();

  WorkerThread();
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;
  ~WorkerThread();

  /// Makes what `call` needs: scratch memory, fibers.
  Expected<void> prepare(const BoxCall& call);

  /// Runs threadgroups [first, first + count) of the box; `call` must be prepared.
  std::optional<Fault> run(const BoxCall& call, uint64_t first, uint64_t count);

private:
  struct Linked : cpu::Worker {
    WorkerThread* thread;
  };
  struct AlignedDelete {
    void operator()(std::byte* memory) const;
  };
  using AlignedBytes = std::unique_ptr<std::byte[], AlignedDelete>;
  static AlignedBytes allocateAligned(size_t bytes);

  static void barrier(cpu::Worker* worker, uint32_t number);
  static bool interrupted(cpu::Worker* worker);
  static void divergentBarrier(cpu::Worker* worker, uint32_t number);
  static void runFiber(void* thread, uint32_t simdgroup);
  static constexpr cpu::Services services = {barrier, interrupted, divergentBarrier};

  void runThreadgroups(const BoxCall& call, uint64_t first, uint64_t count);
  [[noreturn]] static void jumpBack();

  static void installSignalHandlers();
  static void handleSignal(int signal, siginfo_t* info, void* context);
  bool takeSignal(int signal, uintptr_t address, void* context);

  Linked worker_{};
  AlignedBytes threadgroupMemory_, scratch_;
  size_t scratchBytes_ = 0;
  FiberGroup fibers_;
  AlignedBytes signalStack_; ///< Empty where the thread had one already.

  const BoxCall* call_ = nullptr; ///< Being run now.
  uint64_t fiberThreadgroup_ = 0; ///< The threadgroup whose fibers run.
  uint32_t polls_ = 0;
  bool failed_ = false;
  Fault fault_;
  std::jmp_buf recovery_;
  alignas(64) std::array<std::byte, 8192> jumpStack_; ///< For jumpBack() after a fault.
};

} // namespace metalloid::runtime
