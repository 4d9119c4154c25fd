// SPDX-License-Identifier: Apache-2.0
#include "runtime/grid.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <new>

#include <fmt/format.h>

#include "runtime/arch.h"
#include "runtime/cpu_pipeline.h"
#include "runtime/grid_boxes.h"
#include "runtime/thread_pool.h"
#include "runtime/worker_thread.h"

namespace metalloid::runtime {

namespace {

using Clock = std::chrono::steady_clock;

std::atomic<uint32_t> interruptions{0};
std::atomic<double> timeLimitSeconds{0};

/// A grid whose rest is expected to take less than this is not worth waking other threads for …
constexpr double WorthSharing = 10e-6;
/// … and a part that another thread takes should last about this long.
constexpr double PartSeconds = 40e-6;

/// Ends a dispatch that was interrupted or has run too long.
class Stop : public StopCondition {
public:
  Stop()
      : limit_(timeLimitSeconds.load(std::memory_order_relaxed)),
        begin_(limit_ > 0 ? Clock::now() : Clock::time_point()) {}

  bool mustStop() const override { return interrupted() || overtime(); }
  bool interrupted() const { return interruptions.load(std::memory_order_relaxed) != seen_; }
  double limit() const { return limit_; }

private:
  bool overtime() const {
    return limit_ > 0 && std::chrono::duration<double>(Clock::now() - begin_).count() > limit_;
  }
  uint32_t seen_ = interruptions.load(std::memory_order_relaxed);
  double limit_;
  Clock::time_point begin_;
};

class FloatingPointScope {
public:
  explicit FloatingPointScope(bool flushDenormals)
      : saved_(arch::enterFloatingPoint(flushDenormals)) {}
  FloatingPointScope(const FloatingPointScope&) = delete;
  ~FloatingPointScope() { arch::restoreFloatingPoint(saved_); }

private:
  uint64_t saved_;
};

Error outOfMemory(const Dispatch& dispatch) {
  return {Error::Kind::OutOfMemory, fmt::format("kernel '{}': no memory left to run it",
                                                dispatch.pipeline->reflection().name)};
}

/// One dispatch while it runs. Threadgroups are numbered through all boxes.
class Execution {
public:
  explicit Execution(const Dispatch& dispatch) : dispatch_(dispatch) {}

  Expected<void> run();

private:
  Expected<void> makeCalls();
  void layArguments(uint32_t call, const cpu::Traits& traits);
  void runRange(uint64_t begin, uint64_t end) noexcept;
  void report(const Fault& fault);
  void report(Error error);

  const Dispatch& dispatch_;
  Stop stop_;
  std::array<BoxCall, 8> calls_;
  std::array<uint64_t, 9> firstGroup_{}; ///< Of each box, and after the last the total.
  uint32_t callCount_ = 0;
  std::vector<void*> arguments_; ///< A table a box: static threadgroup memory may differ.

  std::atomic<bool> failed_{false};
  std::mutex errorMutex_;
  Error error_;
};

const void* bufferAddress(const Dispatch& dispatch, int32_t location) {
  auto index = static_cast<size_t>(location);
  if (index >= dispatch.buffers.size())
    return nullptr;
  const BoundArgument& bound = dispatch.buffers[index];
  if (const auto* buffer = std::get_if<BoundBuffer>(&bound); buffer && buffer->memory)
    return reinterpret_cast<const void*>(buffer->memory->deviceAddress() + buffer->offset);
  if (const auto* bytes = std::get_if<BoundBytes>(&bound); bytes && bytes->bytes)
    return bytes->bytes->data();
  return nullptr;
}

/// Dynamic threadgroup memory follows the static one, each argument aligned to 16 bytes.
uint64_t threadgroupOffset(const Dispatch& dispatch, uint64_t fixedBytes, int32_t location) {
  uint64_t offset = (fixedBytes + 15) / 16 * 16;
  for (int32_t i = 0; i < location; ++i)
    if (static_cast<size_t>(i) < dispatch.threadgroupLengths.size())
      offset += (dispatch.threadgroupLengths[i] + 15) / 16 * 16;
  return offset;
}

void Execution::layArguments(uint32_t call, const cpu::Traits& traits) {
  const auto& arguments = dispatch_.pipeline->reflection().arguments;
  void** table = arguments_.data() + call * arguments.size();
  for (const air::Argument& argument : arguments) {
    void*& slot = table[argument.parameter];
    slot = nullptr;
    if (!argument.active)
      continue;
    if (argument.kind == air::ArgumentKind::ThreadgroupMemory)
      slot = reinterpret_cast<void*>(
          threadgroupOffset(dispatch_, traits.threadgroupBytes, argument.location));
    else if (argument.kind == air::ArgumentKind::Buffer ||
             argument.kind == air::ArgumentKind::IndirectBuffer)
      slot = const_cast<void*>(bufferAddress(dispatch_, argument.location));
  }
  calls_[call].launch.arguments = table;
}

Expected<void> Execution::makeCalls() {
  auto& pipeline = static_cast<CpuPipeline&>(*dispatch_.pipeline);
  const Size3& whole = dispatch_.threadsPerThreadgroup;
  Boxes boxes = cutGrid(dispatch_.threads, whole);
  arguments_.resize(boxes.count * pipeline.reflection().arguments.size());
  for (const Box& box : boxes) {
    auto image = pipeline.image(box.threads);
    if (!image)
      return tl::unexpected(image.error());
    BoxCall& call = calls_[callCount_];
    call.entry = (*image)->entry();
    call.traits = &(*image)->traits();
    call.code = (*image)->code();
    call.simdgroups = (box.threadCount() + cpu::SimdWidth - 1) / cpu::SimdWidth;
    call.stop = &stop_;
    for (int axis = 0; axis < 3; ++axis) {
      auto threads = static_cast<uint32_t>(dispatch_.threads[axis]);
      call.launch.threadsPerThreadgroup[axis] = box.threads[axis];
      call.launch.dispatchThreadsPerThreadgroup[axis] = whole[axis];
      call.launch.threadgroupsPerGrid[axis] = (threads - 1) / whole[axis] + 1;
      call.launch.threadsPerGrid[axis] = threads;
      call.launch.firstThreadgroup[axis] = box.first[axis];
      call.launch.boxThreadgroups[axis] = box.groups[axis];
    }
    layArguments(callCount_, *call.traits);
    firstGroup_[callCount_ + 1] = firstGroup_[callCount_] + box.groupCount();
    ++callCount_;
  }
  return {};
}

/// Runs threadgroups [begin, end) on the calling thread; what goes wrong is reported.
void Execution::runRange(uint64_t begin, uint64_t end) noexcept try {
  WorkerThread& thread = WorkerThread::current();
  for (uint32_t i = 0; i < callCount_ && begin < end; ++i) {
    if (begin >= firstGroup_[i + 1])
      continue;
    if (failed_.load(std::memory_order_relaxed))
      return;
    uint64_t last = std::min(end, firstGroup_[i + 1]);
    const BoxCall& call = calls_[i];
    if (auto prepared = thread.prepare(call); !prepared)
      return report(std::move(prepared.error()));
    FloatingPointScope scope(call.traits->flushDenormals);
    if (auto fault = thread.run(call, begin - firstGroup_[i], last - begin))
      return report(*fault);
    begin = last;
  }
} catch (const std::bad_alloc&) {
  report(outOfMemory(dispatch_));
}

std::string describeFault(const Fault& fault, const Stop& stop) {
  switch (fault.kind) {
  case Fault::Kind::DivergentBarrier:
    return "threads of one threadgroup waited at different threadgroup barriers, or some at none; "
           "a barrier must be reached by all threads that have not returned";
  case Fault::Kind::Stopped:
    return stop.interrupted() ? "interrupted"
                              : fmt::format("stopped after the time limit of {} s", stop.limit());
  case Fault::Kind::Signal:
    break;
  }
  if (fault.signal == SIGSEGV || fault.signal == SIGBUS)
    return fmt::format("touched unmapped memory at address {:#x}; check indices against the "
                       "lengths of the buffers",
                       fault.address);
  return fmt::format("was ended by signal {}", fault.signal);
}

void Execution::report(const Fault& fault) {
  report({Error::Kind::Fault, fmt::format("kernel '{}': {}", dispatch_.pipeline->reflection().name,
                                          describeFault(fault, stop_))});
}

void Execution::report(Error error) {
  std::lock_guard lock(errorMutex_);
  if (!failed_.exchange(true))
    error_ = std::move(error);
}

Expected<void> Execution::run() {
  if (auto made = makeCalls(); !made)
    return made;
  uint64_t total = firstGroup_[callCount_];
  // The first threadgroups, run here and timed, tell whether the rest is worth sharing.
  uint64_t perGroup = calls_[0].simdgroups * cpu::SimdWidth;
  uint64_t probe = std::min(total, std::max<uint64_t>(1, 512 / perGroup));
  if (probe == total) {
    runRange(0, total);
  } else {
    auto begin = Clock::now();
    runRange(0, probe);
    double each = std::chrono::duration<double>(Clock::now() - begin).count() / double(probe);
    uint64_t rest = total - probe;
    if (each * double(rest) < WorthSharing) {
      runRange(probe, total);
    } else {
      uint64_t evenly = std::max<uint64_t>(1, rest / (poolThreads() * 4ull));
      auto grain = std::clamp<uint64_t>(static_cast<uint64_t>(PartSeconds / std::max(each, 1e-9)),
                                        1, evenly);
      parallelFor(rest, grain,
                  [&](uint64_t first, uint64_t last) { runRange(probe + first, probe + last); });
    }
  }
  if (failed_)
    return tl::unexpected(std::move(error_));
  return {};
}

} // namespace

Expected<void> executeDispatch(const Dispatch& dispatch) {
  if (dispatch.threads[0] == 0 || dispatch.threads[1] == 0 || dispatch.threads[2] == 0)
    return {};
  try {
    return Execution(dispatch).run();
  } catch (const std::bad_alloc&) {
    return tl::unexpected(outOfMemory(dispatch));
  }
}

void interruptKernels() {
  interruptions.fetch_add(1);
}

void setKernelTimeLimit(double seconds) {
  timeLimitSeconds.store(seconds);
}

} // namespace metalloid::runtime
