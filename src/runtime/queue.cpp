// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

#include <pthread.h>

namespace metalloid::runtime {
namespace {

std::atomic<uint64_t> generation = 0;

struct Pending {
  std::unique_ptr<CommandList> list;
  std::function<void(const Completion&)> completed;
};

template <class... Cases> struct Overloaded : Cases... {
  using Cases::operator()...;
};

bool isEmpty(const Extent& threads) {
  return threads[0] == 0 || threads[1] == 0 || threads[2] == 0;
}

/// The dispatch with its grid read from memory.
Expected<Dispatch> resolveIndirect(const Dispatch& dispatch) {
  const BoundBuffer& source = *dispatch.indirectThreadgroups;
  uint32_t threadgroups[3];
  const uint64_t length = source.memory->length();
  if (source.offset > length || length - source.offset < sizeof threadgroups)
    return fail(Error::Kind::InvalidArgument,
                "dispatchThreadgroups: the indirect buffer has " + std::to_string(length) +
                    " bytes, but 12 are read at offset " + std::to_string(source.offset));
  // Memory of these devices is this process's, private memory too.
  std::memcpy(threadgroups,
              reinterpret_cast<const char*>(source.memory->deviceAddress()) + source.offset,
              sizeof threadgroups);
  Dispatch direct = dispatch;
  direct.indirectThreadgroups.reset();
  for (int axis = 0; axis < 3; ++axis)
    direct.threads[axis] = uint64_t(threadgroups[axis]) * dispatch.threadsPerThreadgroup[axis];
  return direct;
}

/// Runs a list from start to end, or to its first failure.
Completion execute(const CommandList& list, const RunCommand& run) {
  Completion completion;
  auto dispatch = [&](const Dispatch& direct) -> Expected<void> {
    if (isEmpty(direct.threads))
      return {};
    return run(direct);
  };
  auto step = Overloaded{
      [](const Barrier&) -> Expected<void> { return {}; }, // Commands run one after another.
      [](const WaitEvent& wait) -> Expected<void> {
        wait.event->wait(wait.value, UINT64_MAX);
        return {};
      },
      [](const SignalEvent& signal) -> Expected<void> {
        signal.event->signal(signal.value);
        return {};
      },
      [&](const Dispatch& command) -> Expected<void> {
        if (!command.indirectThreadgroups)
          return dispatch(command);
        return resolveIndirect(command).and_then(dispatch);
      },
      [&](const auto& copyOrFill) -> Expected<void> { return run(copyOrFill); },
  };

  for (const Command& command : list.commands) {
    if (completion.startTime == 0 && !std::holds_alternative<WaitEvent>(command))
      completion.startTime = now();
    if (Expected<void> result = std::visit(step, command); !result) {
      completion.failed = true;
      completion.error = std::move(result.error());
      break;
    }
  }
  completion.endTime = now();
  if (completion.startTime == 0)
    completion.startTime = completion.endTime;
  return completion;
}

/// What the queue and its worker share; lives as long as either.
class Work : public std::enable_shared_from_this<Work> {
public:
  explicit Work(RunCommand run) : run_(std::move(run)) {}

  const RunCommand& run() const { return run_; }
  uint64_t generation() const { return generation_; }

  void submit(Pending pending) {
    std::unique_lock lock(mutex_);
    pending_.push_back(std::move(pending));
    if (!hasWorker_ && !startWorker()) {
      drain(lock, pending_.size()); // No thread to be had: the submitting one has to do.
      return;
    }
    const bool wake = workerSleeps_ && !running_;
    lock.unlock();
    if (wake)
      wake_.notify_one();
  }

  void help() {
    std::unique_lock lock(mutex_);
    drain(lock, pending_.size());
    // What came in meanwhile is the worker's.
    const bool wake = workerSleeps_ && !running_ && (!pending_.empty() || closed_);
    lock.unlock();
    if (wake)
      wake_.notify_one();
  }

  void close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    wake_.notify_one();
  }

private:
  /// Runs up to `count` lists unless somebody else is at it. `lock` is held on entry and exit.
  void drain(std::unique_lock<std::mutex>& lock, size_t count) {
    if (running_)
      return;
    running_ = true;
    for (; count > 0 && !pending_.empty(); --count) {
      Pending next = std::move(pending_.front());
      pending_.pop_front();
      lock.unlock();
      next.completed(execute(*next.list, run_));
      next = {}; // What the list kept alive goes while no lock is held.
      lock.lock();
    }
    running_ = false;
  }

  bool startWorker() {
    // Signals are the program's; its threads handle them.
    sigset_t all, before;
    sigfillset(&all);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
      sigdelset(&all, fault);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      std::thread([work = shared_from_this()] { work->serve(); }).detach();
      hasWorker_ = true;
    } catch (const std::system_error&) {
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return hasWorker_;
  }

  void serve() {
    pthread_setname_np(pthread_self(), "metalloid-queue");
    std::unique_lock lock(mutex_);
    for (;;) {
      drain(lock, SIZE_MAX);
      if (closed_ && pending_.empty())
        return;
      workerSleeps_ = true;
      wake_.wait(lock, [&] { return !running_ && (!pending_.empty() || closed_); });
      workerSleeps_ = false;
    }
  }

  const RunCommand run_;
  const uint64_t generation_ = forkGeneration();
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Pending> pending_;
  bool running_ = false; ///< Somebody is between taking a list and its completion.
  bool hasWorker_ = false;
  bool workerSleeps_ = false;
  bool closed_ = false;
};

class InOrderQueue final : public Queue {
public:
  explicit InOrderQueue(RunCommand run) : work_(std::make_shared<Work>(std::move(run))) {}
  // The worker ends by itself: this may well be the worker's own thread.
  ~InOrderQueue() override {
    if (work_->generation() == forkGeneration())
      work_->close();
    else
      abandon();
  }

  void submit(std::unique_ptr<CommandList> list,
              std::function<void(const Completion&)> completed) override {
    work().submit({std::move(list), std::move(completed)});
  }

  void help() override { work().help(); }

private:
  /// Fork copies no threads and may copy a held lock: the child starts over.
  Work& work() {
    if (work_->generation() != forkGeneration()) [[unlikely]] {
      std::lock_guard lock(restart_);
      if (work_->generation() != forkGeneration()) {
        auto fresh = std::make_shared<Work>(work_->run());
        abandon();
        work_ = std::move(fresh);
      }
    }
    return *work_;
  }

  /// Leaves the parent's work where it is: its lock may be held by a thread that is not here.
  void abandon() { new std::shared_ptr<Work>(std::move(work_)); }

  std::mutex restart_;
  std::shared_ptr<Work> work_;
};

} // namespace

std::shared_ptr<Queue> makeInOrderQueue(RunCommand run) {
  return std::make_shared<InOrderQueue>(std::move(run));
}

uint64_t forkGeneration() {
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1, std::memory_order_relaxed); });
  (void)registered;
  return generation.load(std::memory_order_relaxed);
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace metalloid::runtime
