// SPDX-License-Identifier: Apache-2.0
#include "runtime/thread_pool.h"

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/cpu_count.h"

namespace metalloid::runtime {
namespace {

void expectEachIndexOnce(uint64_t total, uint64_t grain) {
  std::vector<std::atomic<uint32_t>> seen(total);
  parallelFor(total, grain, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i)
      ++seen[i];
  });
  for (uint64_t i = 0; i < total; ++i)
    ASSERT_EQ(seen[i], 1u) << "index " << i << " of " << total << ", grain " << grain;
}

TEST(ThreadPool, RunsEachIndexOnce) {
  for (uint64_t total : {0, 1, 2, 7, 1000, 65537})
    for (uint64_t grain : {0, 1, 3, 1000, 100000})
      expectEachIndexOnce(total, grain);
}

TEST(ThreadPool, ServesMoreCallersThanSlots) {
  std::vector<std::thread> callers;
  for (int i = 0; i < 20; ++i)
    callers.emplace_back([] {
      for (int round = 0; round < 50; ++round)
        expectEachIndexOnce(500, 7);
    });
  for (std::thread& caller : callers)
    caller.join();
}

TEST(ThreadPool, MayBeCalledFromWithinItself) {
  std::atomic<uint32_t> calls{0};
  parallelFor(8, 1, [&](uint64_t, uint64_t) {
    parallelFor(8, 1, [&](uint64_t begin, uint64_t end) { calls += end - begin; });
  });
  EXPECT_EQ(calls, 64u);
}

TEST(ThreadPool, ChildOfForkHasThreadsOfItsOwn) {
  expectEachIndexOnce(1000, 1);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20); // A hang is a failure.
    std::atomic<uint32_t> sum{0};
    parallelFor(1000, 1, [&](uint64_t begin, uint64_t end) { sum += end - begin; });
    _exit(sum == 1000 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  expectEachIndexOnce(1000, 1);
}

TEST(ThreadPool, HookReplacesIt) {
  static uint64_t hooked;
  hooked = 0;
  setParallelFor([](uint64_t total, uint64_t, RangeFunction function, void* context) {
    hooked += total;
    function(context, 0, total);
  });
  expectEachIndexOnce(123, 10);
  setParallelFor(nullptr);
  EXPECT_EQ(hooked, 123u);
  expectEachIndexOnce(123, 10);
  EXPECT_EQ(hooked, 123u);
}

TEST(CpuCount, TakesTheVariableWhereItIsANumber) {
  const char* old = std::getenv("METALLOID_NUM_THREADS");
  std::string before = old ? old : "";
  unsetenv("METALLOID_NUM_THREADS");
  unsigned own = usableCpus();
  EXPECT_GE(own, 1u);
  setenv("METALLOID_NUM_THREADS", "3", 1);
  EXPECT_EQ(usableCpus(), 3u);
  for (const char* nonsense : {"", "0", "-2", "two", "3x"}) {
    setenv("METALLOID_NUM_THREADS", nonsense, 1);
    EXPECT_EQ(usableCpus(), own) << nonsense;
  }
  if (old)
    setenv("METALLOID_NUM_THREADS", before.c_str(), 1);
  else
    unsetenv("METALLOID_NUM_THREADS");
}

} // namespace
} // namespace metalloid::runtime
