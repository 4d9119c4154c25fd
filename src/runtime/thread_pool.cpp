// SPDX-License-Identifier: Apache-2.0
#include "runtime/thread_pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <mutex>
#include <system_error>
#include <thread>

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/arch.h"
#include "runtime/cpu_count.h"

namespace metalloid::runtime {

namespace {

/// About 30 microseconds of spinning before a thread sleeps: dispatches that follow each other
/// find the workers awake, idle processes burn nothing.
constexpr int SpinRounds = 1500;

void futexWait(std::atomic<uint32_t>& word, uint32_t expected) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

void futexWake(std::atomic<uint32_t>& word, int count) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

/// A range being worked on. Lives on the stack of the thread that called parallelFor().
struct Job {
  RangeFunction function;
  void* context;
  uint64_t total;
  uint64_t chunk;
  std::atomic<uint64_t> next{0};

  /// Takes chunks until none is left; whether it got any.
  bool work() {
    bool worked = false;
    for (;;) {
      uint64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= total)
        return worked;
      function(context, begin, std::min(begin + chunk, total));
      worked = true;
    }
  }
};

/// Where a job is offered to the workers. `visitors` counts the workers that may hold a pointer to
/// it: a worker counts itself first and reads `job` after, the owner withdraws `job` first and
/// reads `visitors` after, so no worker touches a job whose owner has left.
struct alignas(64) Slot {
  std::atomic<bool> taken{false}; ///< By an owner, from offer() until its job is withdrawn.
  std::atomic<Job*> job{nullptr};
  std::atomic<uint32_t> visitors{0};
  std::atomic<bool> ownerSleeps{false};

  bool offer(Job& offered) {
    if (taken.load(std::memory_order_relaxed) || taken.exchange(true))
      return false;
    job.store(&offered);
    return true;
  }

  bool help() {
    if (!job.load(std::memory_order_relaxed))
      return false;
    visitors.fetch_add(1);
    Job* current = job.load();
    bool worked = current && current->work();
    if (visitors.fetch_sub(1) == 1 && ownerSleeps.load())
      futexWake(visitors, 1);
    return worked;
  }

  void withdraw() {
    job.store(nullptr);
    for (int round = 0; visitors.load() != 0; ++round) {
      if (round < SpinRounds) {
        arch::relax();
        continue;
      }
      ownerSleeps.store(true);
      if (uint32_t count = visitors.load())
        futexWait(visitors, count);
    }
    ownerSleeps.store(false);
    taken.store(false);
  }
};

class ThreadPool {
public:
  /// The pool of this process; the child of a fork makes a new one.
  static ThreadPool& shared();

  unsigned threads() const { return workers_ + 1; }
  void run(Job& job);

private:
  explicit ThreadPool(unsigned wanted);
  void serve();
  void sleepUntilChanged(uint32_t seen);
  Slot* offer(Job& job);

  // More slots than queues that usually run at once; a job that finds none runs on its caller.
  std::array<Slot, 8> slots_;
  alignas(64) std::atomic<uint32_t> offers_{0}; ///< Counts offered jobs; workers wait on it.
  std::atomic<uint32_t> sleepers_{0};
  unsigned workers_ = 0;
};

// Never destroyed: workers may still look at it while the process ends.
std::atomic<ThreadPool*> sharedPool{nullptr};
std::mutex sharedPoolCreation;

ThreadPool& ThreadPool::shared() {
  if (ThreadPool* pool = sharedPool.load(std::memory_order_acquire))
    return *pool;
  // The child's copy of the parent's pool has no threads behind it. Holding the lock across fork
  // leaves it free in the child.
  static const int forkHandlers =
      pthread_atfork([] { sharedPoolCreation.lock(); }, [] { sharedPoolCreation.unlock(); },
                     [] {
                       sharedPool.store(nullptr);
                       sharedPoolCreation.unlock();
                     });
  (void)forkHandlers;
  std::lock_guard lock(sharedPoolCreation);
  if (!sharedPool.load())
    sharedPool.store(new ThreadPool(usableCpus()), std::memory_order_release);
  return *sharedPool.load();
}

ThreadPool::ThreadPool(unsigned wanted) {
  // Signals of the program are for its own threads.
  sigset_t all, before;
  sigfillset(&all);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
    sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    for (; workers_ + 1 < wanted; ++workers_)
      std::thread([this] { serve(); }).detach();
  } catch (const std::system_error&) {
    // The system gives no more threads: work with those there are.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ThreadPool::serve() {
  pthread_setname_np(pthread_self(), "metalloid");
  for (;;) {
    uint32_t seen = offers_.load();
    bool worked = false;
    for (Slot& slot : slots_)
      worked |= slot.help();
    if (!worked)
      sleepUntilChanged(seen);
  }
}

void ThreadPool::sleepUntilChanged(uint32_t seen) {
  for (int round = 0; round < SpinRounds; ++round) {
    if (offers_.load(std::memory_order_acquire) != seen)
      return;
    arch::relax();
  }
  sleepers_.fetch_add(1);
  futexWait(offers_, seen);
  sleepers_.fetch_sub(1);
}

Slot* ThreadPool::offer(Job& job) {
  for (Slot& slot : slots_)
    if (slot.offer(job))
      return &slot;
  return nullptr;
}

void ThreadPool::run(Job& job) {
  Slot* slot = workers_ != 0 ? offer(job) : nullptr;
  if (slot) {
    offers_.fetch_add(1);
    if (uint32_t sleeping = sleepers_.load()) {
      uint64_t chunks = (job.total + job.chunk - 1) / job.chunk;
      futexWake(offers_, static_cast<int>(std::min<uint64_t>({sleeping, chunks - 1, INT_MAX})));
    }
  }
  job.work();
  if (slot)
    slot->withdraw();
}

std::atomic<ParallelFor> hostParallelFor{nullptr};

} // namespace

void setParallelFor(ParallelFor hook) {
  hostParallelFor.store(hook);
}

unsigned poolThreads() {
  return ThreadPool::shared().threads();
}

void parallelFor(uint64_t total, uint64_t grain, RangeFunction function, void* context) {
  if (total == 0)
    return;
  grain = std::max<uint64_t>(grain, 1);
  if (ParallelFor hook = hostParallelFor.load(std::memory_order_relaxed))
    return hook(total, grain, function, context);
  if (total <= grain)
    return function(context, 0, total);
  Job job{function, context, total, grain};
  ThreadPool::shared().run(job);
}

} // namespace metalloid::runtime
