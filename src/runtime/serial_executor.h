// SPDX-License-Identifier: Apache-2.0
// Tasks one after another, on a thread of their own that starts with the first task, or on a thread
// that has to wait for them anyway. Queues run command lists with it and the Metal API its
// handlers.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace metalloid::runtime {

class Task {
public:
  virtual ~Task() = default;
  virtual void run() = 0;
};

/// The executor is shared between its owner and its thread. The owner calls close() and lets go;
/// the thread runs what is left and ends. Nobody ever joins it, so the owner may be destroyed by a
/// task.
class SerialExecutor : public std::enable_shared_from_this<SerialExecutor> {
public:
  /// `threadName`: at most 15 characters.
  static std::shared_ptr<SerialExecutor> make(const char* threadName);

  /// Returns at once (where no thread can be started, after running the task).
  void post(std::unique_ptr<Task> task);
  /// Runs on this thread what is pending now, unless a task is running already.
  void help();
  /// Whether no task is pending or running.
  bool isIdle();
  /// Whether the calling thread is running a task of this executor.
  bool isRunningHere();
  /// Within a task: runs the tasks behind it until `done`, which one of them brings about.
  void runUntil(const std::function<bool()>& done);
  void close();

private:
  explicit SerialExecutor(const char* threadName) : threadName_(threadName) {}

  void drain(std::unique_lock<std::mutex>& lock, size_t count);
  void runNext(std::unique_lock<std::mutex>& lock);
  bool startThread();
  void serve();
  bool shouldWake() const { return threadSleeps_ && !running_ && (!pending_.empty() || closed_); }

  const char* const threadName_;
  std::mutex mutex_;
  std::condition_variable wake_; ///< For the thread.
  std::condition_variable more_; ///< For runUntil.
  std::deque<std::unique_ptr<Task>> pending_;
  bool running_ = false;        ///< Somebody is running tasks …
  std::thread::id runner_ = {}; ///< … namely this thread.
  bool hasThread_ = false;
  bool threadSleeps_ = false;
  bool nestedWaits_ = false;
  int looks_ = 0; ///< How often the thread will look for tasks before it sleeps.
  bool closed_ = false;
};

/// Counts the forks between the first process and this one. What was posted under another number
/// will never run here.
uint64_t forkGeneration();

/// An executor that starts over, empty, in the child of a fork: threads are not copied, and a lock
/// that one of them held would stay locked.
class ForkAwareExecutor {
public:
  explicit ForkAwareExecutor(const char* threadName);
  ~ForkAwareExecutor();

  SerialExecutor* operator->() { return &get(); }

private:
  SerialExecutor& get();
  void abandon();

  const char* const threadName_;
  std::mutex restart_;
  uint64_t generation_;
  std::shared_ptr<SerialExecutor> executor_;
};

} // namespace metalloid::runtime
