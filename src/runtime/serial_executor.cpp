// SPDX-License-Identifier: Apache-2.0
#include "runtime/serial_executor.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <system_error>

#include <pthread.h>

namespace metalloid::runtime {
namespace {

/// A program that posts and waits runs its tasks itself; waking the thread each time would cost it
/// more than a small task does. While it goes on like this, the thread is not woken but looks in by
/// itself, so that a task for which nobody waits starts this much later, once.
constexpr std::chrono::microseconds LookInterval(100);
constexpr int LooksAfterHelp = 20;

} // namespace

std::shared_ptr<SerialExecutor> SerialExecutor::make(const char* threadName) {
  return std::shared_ptr<SerialExecutor>(new SerialExecutor(threadName));
}

void SerialExecutor::post(std::unique_ptr<Task> task) {
  std::unique_lock lock(mutex_);
  pending_.push_back(std::move(task));
  if (!hasThread_ && !startThread()) {
    lock.unlock();
    help();
    return;
  }
  const bool wake = shouldWake(), nested = nestedWaits_;
  lock.unlock();
  if (wake)
    wake_.notify_one();
  if (nested)
    more_.notify_one();
}

void SerialExecutor::help() {
  auto self = shared_from_this(); // A task may end the owner.
  std::unique_lock lock(mutex_);
  looks_ = LooksAfterHelp;
  drain(lock, pending_.size()); // What comes in meanwhile is the thread's.
  const bool wake = shouldWake();
  lock.unlock();
  if (wake)
    wake_.notify_one();
}

bool SerialExecutor::isIdle() {
  std::lock_guard lock(mutex_);
  return !running_ && pending_.empty();
}

bool SerialExecutor::isRunningHere() {
  std::lock_guard lock(mutex_);
  return running_ && runner_ == std::this_thread::get_id();
}

void SerialExecutor::runUntil(const std::function<bool()>& done) {
  std::unique_lock lock(mutex_);
  while (!done()) {
    nestedWaits_ = true;
    more_.wait(lock, [&] { return !pending_.empty(); });
    nestedWaits_ = false;
    runNext(lock);
  }
}

void SerialExecutor::close() {
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
  }
  wake_.notify_one();
}

/// Runs up to `count` tasks unless somebody else is at it. `lock` is held on entry and exit.
void SerialExecutor::drain(std::unique_lock<std::mutex>& lock, size_t count) {
  if (running_)
    return;
  running_ = true;
  runner_ = std::this_thread::get_id();
  for (; count > 0 && !pending_.empty(); --count)
    runNext(lock);
  running_ = false;
}

void SerialExecutor::runNext(std::unique_lock<std::mutex>& lock) {
  std::unique_ptr<Task> task = std::move(pending_.front());
  pending_.pop_front();
  lock.unlock();
  task->run();
  task.reset(); // What it kept alive goes while no lock is held.
  lock.lock();
}

bool SerialExecutor::startThread() {
  // Signals are the program's; its own threads handle them.
  sigset_t all, before;
  sigfillset(&all);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
    sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread([self = shared_from_this()] { self->serve(); }).detach();
    hasThread_ = true;
  } catch (const std::system_error&) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return hasThread_;
}

void SerialExecutor::serve() {
  pthread_setname_np(pthread_self(), threadName_);
  std::unique_lock lock(mutex_);
  for (;;) {
    drain(lock, SIZE_MAX);
    if (closed_ && pending_.empty() && !running_)
      return;
    if (looks_ > 0) {
      --looks_;
      wake_.wait_for(lock, LookInterval, [&] { return closed_; });
      if (!running_ && !pending_.empty())
        looks_ = 0; // A task for which nobody waits.
      continue;
    }
    threadSleeps_ = true;
    wake_.wait(lock, [&] { return !running_ && (!pending_.empty() || closed_); });
    threadSleeps_ = false;
  }
}

uint64_t forkGeneration() {
  static std::atomic<uint64_t> generation = 0;
  static const int registered =
      pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1, std::memory_order_relaxed); });
  (void)registered;
  return generation.load(std::memory_order_relaxed);
}

ForkAwareExecutor::ForkAwareExecutor(const char* threadName)
    : threadName_(threadName), generation_(forkGeneration()),
      executor_(SerialExecutor::make(threadName)) {}

ForkAwareExecutor::~ForkAwareExecutor() {
  if (generation_ == forkGeneration())
    executor_->close();
  else
    abandon();
}

SerialExecutor& ForkAwareExecutor::get() {
  if (generation_ != forkGeneration()) [[unlikely]] {
    std::lock_guard lock(restart_);
    if (generation_ != forkGeneration()) {
      abandon();
      executor_ = SerialExecutor::make(threadName_);
      generation_ = forkGeneration();
    }
  }
  return *executor_;
}

/// Leaves the parent's tasks and lock where they are.
void ForkAwareExecutor::abandon() {
  new std::shared_ptr<SerialExecutor>(std::move(executor_));
}

} // namespace metalloid::runtime
