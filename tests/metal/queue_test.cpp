// SPDX-License-Identifier: Apache-2.0
#include "runtime/queue.h"

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/event.h"
#include "runtime/serial_executor.h"

namespace metalloid::runtime {
namespace {

using namespace std::chrono_literals;

/// Fill commands carry a number; the recorder notes which ran, in which order, on which thread.
struct Recorder {
  std::mutex mutex;
  std::vector<int> ran;
  std::vector<std::thread::id> threads;

  RunCommand run() {
    return [this](const Command& command) -> Expected<void> {
      std::lock_guard lock(mutex);
      ran.push_back(std::get<Fill>(command).value);
      threads.push_back(std::this_thread::get_id());
      if (ran.back() == 99)
        return fail(Error::Kind::Fault, "kernel 'broken': fault");
      return {};
    };
  }
};

Command number(uint8_t value) {
  return Fill{{}, 0, value};
}

std::unique_ptr<CommandList> list(std::vector<Command> commands) {
  auto result = std::make_unique<CommandList>();
  result->commands = std::move(commands);
  return result;
}

/// Submits and hands back the completion.
std::future<Completion> submit(Queue& queue, std::vector<Command> commands) {
  auto promise = std::make_shared<std::promise<Completion>>();
  queue.submit(list(std::move(commands)),
               [promise](const Completion& completion) { promise->set_value(completion); });
  return promise->get_future();
}

TEST(Queue, RunsListsInOrder) {
  Recorder recorder;
  auto queue = makeInOrderQueue(recorder.run());
  std::future<Completion> last;
  for (uint8_t i = 0; i < 50; ++i)
    last = submit(*queue, {number(i), number(i)});
  EXPECT_FALSE(last.get().failed);
  ASSERT_EQ(recorder.ran.size(), 100u);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(recorder.ran[i], i / 2);
}

TEST(Queue, SubmitReturnsWhileTheListWaitsForAnEvent) {
  Recorder recorder;
  auto queue = makeInOrderQueue(recorder.run());
  auto event = makeHostEvent();
  auto done = submit(*queue, {WaitEvent{event, 3}, number(1)});
  EXPECT_EQ(done.wait_for(20ms), std::future_status::timeout);
  event->signal(2);
  EXPECT_EQ(done.wait_for(20ms), std::future_status::timeout);
  event->signal(3);
  EXPECT_FALSE(done.get().failed);
}

TEST(Queue, AWaitingQueueHoldsUpNoOther) {
  Recorder recorder;
  auto blocked = makeInOrderQueue(recorder.run());
  auto other = makeInOrderQueue(recorder.run());
  auto event = makeHostEvent();
  auto first = submit(*blocked, {WaitEvent{event, 1}, number(1)});
  submit(*other, {number(2), SignalEvent{event, 1}}).get();
  first.get();
  EXPECT_EQ(recorder.ran, (std::vector<int>{2, 1}));
}

TEST(Queue, AWaiterRunsAnIdleQueueItself) {
  Recorder recorder;
  auto queue = makeInOrderQueue(recorder.run());
  auto event = makeHostEvent();
  // Worker and waiter race for each list; over many, the waiter wins some.
  int mine = 0;
  for (int attempt = 0; attempt < 200 && mine == 0; ++attempt) {
    auto done = submit(*queue, {number(1)});
    queue->help();
    done.get();
    for (std::thread::id thread : recorder.threads)
      mine += thread == std::this_thread::get_id();
  }
  EXPECT_GT(mine, 0);
}

TEST(Queue, AListForWhichNobodyWaitsRunsAllTheSame) {
  Recorder recorder;
  auto queue = makeInOrderQueue(recorder.run());
  for (int i = 0; i < 50; ++i) {
    auto waited = submit(*queue, {number(1)});
    queue->help();
    waited.get();
  }
  EXPECT_EQ(submit(*queue, {number(2)}).wait_for(5s), std::future_status::ready);
  EXPECT_EQ(recorder.ran.back(), 2);
}

TEST(Queue, AFailedListStopsAtTheFaultAndLeavesLaterListsAlone) {
  Recorder recorder;
  auto queue = makeInOrderQueue(recorder.run());
  auto event = makeHostEvent();
  auto broken = submit(*queue, {number(99), number(1), SignalEvent{event, 1}});
  auto later = submit(*queue, {number(2)});
  Completion completion = broken.get();
  EXPECT_TRUE(completion.failed);
  EXPECT_EQ(completion.error.message, "kernel 'broken': fault");
  EXPECT_FALSE(later.get().failed);
  EXPECT_EQ(event->value(), 0u);
  EXPECT_EQ(recorder.ran, (std::vector<int>{99, 2}));
}

TEST(Queue, GridsOfNothingDoNotRun) {
  Recorder recorder;
  auto queue = makeInOrderQueue(recorder.run());
  Dispatch nothing;
  nothing.threads = {4, 0, 1};
  EXPECT_FALSE(submit(*queue, {nothing}).get().failed);
  EXPECT_TRUE(recorder.ran.empty());
}

TEST(Queue, TheLastReferenceMayGoOnTheWorker) {
  Recorder recorder;
  auto queue = makeInOrderQueue(recorder.run());
  std::promise<void> gone;
  Queue& borrowed = *queue;
  borrowed.submit(list({number(1)}), [queue = std::move(queue), &gone](const Completion&) mutable {
    queue.reset();
    gone.set_value();
  });
  EXPECT_EQ(gone.get_future().wait_for(5s), std::future_status::ready);
}

TEST(Queue, WhatIsPendingRunsAfterTheQueueIsReleased) {
  Recorder recorder;
  auto event = makeHostEvent();
  std::future<Completion> done;
  {
    auto queue = makeInOrderQueue(recorder.run());
    submit(*queue, {WaitEvent{event, 1}, number(1)});
    done = submit(*queue, {number(2)});
  }
  event->signal(1);
  ASSERT_EQ(done.wait_for(5s), std::future_status::ready);
  EXPECT_EQ(recorder.ran, (std::vector<int>{1, 2}));
}

TEST(Queue, TimesLeaveOutTheWaitBeforeTheWork) {
  Recorder recorder;
  auto queue = makeInOrderQueue(recorder.run());
  auto event = makeHostEvent();
  const double submitted = now();
  auto done = submit(*queue, {WaitEvent{event, 1}, number(1)});
  std::this_thread::sleep_for(20ms);
  event->signal(1);
  Completion completion = done.get();
  EXPECT_GE(completion.startTime, submitted + 0.02);
  EXPECT_GE(completion.endTime, completion.startTime);
  EXPECT_LE(completion.endTime, now());
}

TEST(Queue, TheChildOfAForkStartsOver) {
  Recorder recorder;
  auto queue = makeInOrderQueue(recorder.run());
  submit(*queue, {number(1)}).get();
  auto event = makeHostEvent();
  auto parents = submit(*queue, {WaitEvent{event, 1}});
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    const bool works = !submit(*queue, {number(2)}).get().failed && recorder.ran.back() == 2;
    _exit(works ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  event->signal(1);
  EXPECT_FALSE(parents.get().failed);
}

class Call final : public Task {
public:
  explicit Call(std::function<void()> function) : function_(std::move(function)) {}
  void run() override { function_(); }

private:
  std::function<void()> function_;
};

TEST(SerialExecutor, ATaskRunsTheTasksItWaitsFor) {
  ForkAwareExecutor executor("test");
  std::vector<int> order;
  std::promise<void> finished;
  executor->post(std::make_unique<Call>([&] {
    EXPECT_TRUE(executor->isRunningHere());
    bool done = false;
    std::thread poster([&] {
      std::this_thread::sleep_for(5ms);
      executor->post(std::make_unique<Call>([&] { order.push_back(1); }));
      std::this_thread::sleep_for(5ms);
      executor->post(std::make_unique<Call>([&] {
        order.push_back(2);
        done = true;
      }));
    });
    executor->runUntil([&] { return done; });
    order.push_back(3);
    poster.join();
    finished.set_value();
  }));
  ASSERT_EQ(finished.get_future().wait_for(5s), std::future_status::ready);
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
  EXPECT_FALSE(executor->isRunningHere());
}

TEST(Event, NeverGoesBack) {
  auto event = makeHostEvent();
  event->signal(5);
  event->signal(3);
  EXPECT_EQ(event->value(), 5u);
  EXPECT_TRUE(event->wait(4, 0));
  EXPECT_FALSE(event->wait(6, 10));
}

} // namespace
} // namespace metalloid::runtime
