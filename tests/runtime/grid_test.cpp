// SPDX-License-Identifier: Apache-2.0
#include "runtime/grid.h"

#include <atomic>
#include <cfenv>
#include <chrono>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <signal.h>

#include "native_kernel.h"

namespace metalloid::runtime {
namespace {

/// buffer0[position] += 1 for each thread.
void countThreads(const cpu::Launch* launch, cpu::Worker*, uint64_t first, uint64_t count) {
  auto* counts = static_cast<uint32_t*>(launch->arguments[0]);
  const uint32_t* grid = launch->threadsPerGrid;
  for (uint64_t i = first; i < first + count; ++i)
    forEachThread(launch, i, [&](uint64_t x, uint64_t y, uint64_t z) {
      std::atomic_ref(counts[x + grid[0] * (y + grid[1] * z)]).fetch_add(1);
    });
}

TEST(CutGrid, CoversEveryThreadOnce) {
  for (Extent grid : {Extent{1, 1, 1}, {100, 1, 1}, {64, 64, 1}, {33, 17, 5}, {7, 300, 2}})
    for (Size3 group : {Size3{1, 1, 1}, {32, 1, 1}, {16, 16, 1}, {8, 4, 2}, {10, 3, 3}}) {
      std::vector<uint32_t> counts(grid[0] * grid[1] * grid[2]);
      Dispatch dispatch =
          dispatchOf(nativePipeline(countThreads, 1), grid, group, {memoryOf(counts)});
      auto ran = executeDispatch(dispatch);
      ASSERT_TRUE(ran) << ran.error().message;
      for (uint32_t each : counts)
        ASSERT_EQ(each, 1u);
    }
}

TEST(CutGrid, RaggedAxesMakeAtMostEightBoxes) {
  EXPECT_EQ(cutGrid({64, 64, 64}, {8, 8, 8}).count, 1u);
  EXPECT_EQ(cutGrid({65, 64, 64}, {8, 8, 8}).count, 2u);
  EXPECT_EQ(cutGrid({65, 65, 65}, {8, 8, 8}).count, 8u);
  EXPECT_EQ(cutGrid({5, 5, 5}, {8, 8, 8}).count, 1u);
  EXPECT_EQ(cutGrid({0, 5, 5}, {8, 8, 8}).count, 0u);
  EXPECT_EQ(cutGrid({0xffffffff, 1, 1}, {1024, 1, 1}).begin()->groups[0], 4194303u);
}

TEST(Grid, EmptyDoesNothing) {
  for (Extent grid : {Extent{0, 1, 1}, {1, 0, 1}, {1, 1, 0}})
    EXPECT_TRUE(executeDispatch(dispatchOf(nativePipeline(nullptr, 0), grid, {32, 1, 1})));
}

TEST(Grid, LargeOnesRunOnSeveralThreads) {
  static std::mutex mutex;
  static std::set<std::thread::id> threads;
  threads.clear();
  auto entry = [](const cpu::Launch*, cpu::Worker*, uint64_t, uint64_t count) {
    auto end = std::chrono::steady_clock::now() + count * std::chrono::microseconds(200);
    while (std::chrono::steady_clock::now() < end)
      ;
    std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  };
  setenv("METALLOID_NUM_THREADS", "2", 0);
  for (int i = 0; i < 20 && threads.size() < 2; ++i)
    EXPECT_TRUE(
        executeDispatch(dispatchOf(nativePipeline(entry, 0), {32 * 400, 1, 1}, {32, 1, 1})));
  EXPECT_GE(threads.size(), 2u);
}

TEST(Pipeline, SizesBeyondEightShareOneImage) {
  std::vector<Size3> made;
  CpuPipeline pipeline({}, [&](const Size3& threads) -> Expected<std::shared_ptr<const Image>> {
    made.push_back(threads);
    return std::make_shared<NativeImage>(nullptr, cpu::Traits{});
  });
  for (uint32_t repeat = 0; repeat < 2; ++repeat)
    for (uint32_t x = 32; x <= 1024; x += 32)
      ASSERT_TRUE(pipeline.image({x, 1, 1}));
  ASSERT_EQ(made.size(), 9u);
  EXPECT_EQ(made.back(), (Size3{0, 1, 1}));
  ASSERT_TRUE(pipeline.image({100, 1, 1}));
  ASSERT_TRUE(pipeline.image({10, 10, 1}));
  ASSERT_TRUE(pipeline.image({10, 10, 3}));
  ASSERT_EQ(made.size(), 11u);
  EXPECT_EQ(made[9], (Size3{0, 0, 1}));
  EXPECT_EQ(made[10], (Size3{0, 0, 0}));
}

TEST(Grid, ThreadgroupMemoryFollowsTheStaticPart) {
  static std::vector<std::pair<uintptr_t, uintptr_t>> seen;
  auto entry = [](const cpu::Launch* launch, cpu::Worker* worker, uint64_t, uint64_t) {
    seen.emplace_back(reinterpret_cast<uintptr_t>(launch->arguments[0]),
                      reinterpret_cast<uintptr_t>(launch->arguments[1]));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(worker->threadgroupMemory) % 64, 0u);
    std::fill_n(static_cast<char*>(worker->threadgroupMemory), 32768, 1);
  };
  air::Reflection reflection;
  for (uint32_t i : {0u, 1u}) {
    air::Argument argument;
    argument.parameter = i;
    argument.kind = air::ArgumentKind::ThreadgroupMemory;
    argument.location = static_cast<int32_t>(i);
    reflection.arguments.push_back(argument);
  }
  auto pipeline = std::make_shared<CpuPipeline>(
      reflection, [&](const Size3&) -> Expected<std::shared_ptr<const Image>> {
        return std::make_shared<NativeImage>(entry, cpu::Traits{.threadgroupBytes = 100});
      });
  Dispatch dispatch = dispatchOf(pipeline, {1, 1, 1}, {1, 1, 1});
  dispatch.threadgroupLengths = {20, 40};
  ASSERT_TRUE(executeDispatch(dispatch));
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0], (std::pair<uintptr_t, uintptr_t>(112, 144)));
}

/// Each SIMD-group adds its neighbour's number after a barrier.
void exchangeInFibers(const cpu::Launch* launch, cpu::Worker* worker, uint64_t first, uint64_t) {
  auto* tile = static_cast<uint32_t*>(worker->threadgroupMemory);
  auto* out = static_cast<uint32_t*>(launch->arguments[0]);
  uint32_t groups = launch->threadsPerThreadgroup[0] / 32;
  tile[worker->simdgroup] = worker->simdgroup + 1000 * static_cast<uint32_t>(first);
  worker->services->barrier(worker, 0);
  uint32_t value = tile[(worker->simdgroup + 1) % groups];
  worker->services->barrier(worker, 1);
  out[first * groups + worker->simdgroup] = value;
}

TEST(Grid, FiberImagesRunASimdGroupInEachFiber) {
  std::vector<uint32_t> out(50 * 8);
  ASSERT_TRUE(executeDispatch(dispatchOf(nativePipeline(exchangeInFibers, 1, {.fibers = 1}),
                                         {50 * 256, 1, 1}, {256, 1, 1}, {memoryOf(out)})));
  for (uint32_t i = 0; i < out.size(); ++i)
    ASSERT_EQ(out[i], (i % 8 + 1) % 8 + 1000 * (i / 8)) << i;
}

std::string faultOf(const Dispatch& dispatch) {
  auto ran = executeDispatch(dispatch);
  if (ran)
    return "no fault";
  EXPECT_EQ(ran.error().kind, Error::Kind::Fault);
  return ran.error().message;
}

void expectHealthy() {
  std::vector<uint32_t> counts(1000);
  ASSERT_TRUE(executeDispatch(
      dispatchOf(nativePipeline(countThreads, 1), {1000, 1, 1}, {32, 1, 1}, {memoryOf(counts)})));
  ASSERT_EQ(std::count(counts.begin(), counts.end(), 1u), 1000);
}

#define EXPECT_HAS(text, part)                                                                     \
  do {                                                                                             \
    std::string has = (text);                                                                      \
    EXPECT_NE(has.find(part), std::string::npos) << has;                                           \
  } while (false)

TEST(Faults, DivergentBarriersInFibers) {
  auto entry = [](const cpu::Launch*, cpu::Worker* worker, uint64_t, uint64_t) {
    worker->services->barrier(worker, worker->simdgroup == 2);
  };
  EXPECT_HAS(faultOf(dispatchOf(nativePipeline(entry, 0, {.fibers = 1}), {256, 1, 1}, {128, 1, 1})),
             "kernel 'native': threads of one threadgroup waited at different");
  expectHealthy();
}

TEST(Faults, DivergentBarriersInRegions) {
  auto entry = [](const cpu::Launch*, cpu::Worker* worker, uint64_t, uint64_t) {
    worker->services->divergentBarrier(worker, 3);
  };
  EXPECT_HAS(faultOf(dispatchOf(nativePipeline(entry, 0), {5000, 1, 1}, {32, 1, 1})),
             "different threadgroup barriers");
  expectHealthy();
}

// Sanitizers report these faults before anybody else sees them.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
TEST(Faults, UnmappedMemoryNamesKernelAndAddress) {
  auto entry = [](const cpu::Launch*, cpu::Worker*, uint64_t, uint64_t) {
    *reinterpret_cast<volatile uint32_t*>(0x1234000) = 1;
  };
  for (uint8_t fibers : {0, 1})
    for (uint64_t threads : {32, 320000}) {
      Dispatch dispatch =
          dispatchOf(nativePipeline(entry, 0, {.fibers = fibers}), {threads, 1, 1}, {32, 1, 1});
      EXPECT_HAS(faultOf(dispatch),
                 "kernel 'native': touched unmapped memory at address 0x1234000");
    }
  expectHealthy();
}

[[gnu::noinline]] uint32_t recurse(uint32_t depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return depth == 0 ? 0 : recurse(depth - 1) + static_cast<uint32_t>(frame[0]);
}

TEST(Faults, AFiberThatOverflowsItsStackIsAFault) {
  auto entry = [](const cpu::Launch*, cpu::Worker*, uint64_t, uint64_t) {
    volatile uint32_t result = recurse(100000);
    (void)result;
  };
  EXPECT_HAS(faultOf(dispatchOf(nativePipeline(entry, 0, {.fibers = 1}), {64, 1, 1}, {64, 1, 1})),
             "touched unmapped memory");
  expectHealthy();
}

TEST(Faults, OfOthersGoWhereTheyWentBefore) {
  expectHealthy(); // The handlers are installed.
  EXPECT_EXIT(*reinterpret_cast<volatile int*>(8) = 1, testing::KilledBySignal(SIGSEGV), "");
  EXPECT_EXIT(raise(SIGFPE), testing::KilledBySignal(SIGFPE), "");
}
#endif

void spinForEver(const cpu::Launch*, cpu::Worker* worker, uint64_t, uint64_t) {
  while (!worker->services->interrupted(worker))
    ;
}

TEST(Faults, EndlessKernelsMeetTheTimeLimit) {
  setKernelTimeLimit(0.05);
  for (uint8_t fibers : {0, 1})
    EXPECT_HAS(faultOf(dispatchOf(nativePipeline(spinForEver, 0, {.fibers = fibers, .polls = 1}),
                                  {6400, 1, 1}, {64, 1, 1})),
               "stopped after the time limit of 0.05 s");
  setKernelTimeLimit(0);
  expectHealthy();
}

TEST(Faults, EndlessKernelsCanBeInterrupted) {
  std::thread other([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    interruptKernels();
  });
  EXPECT_HAS(
      faultOf(dispatchOf(nativePipeline(spinForEver, 0, {.polls = 1}), {64, 1, 1}, {64, 1, 1})),
      "kernel 'native': interrupted");
  other.join();
  expectHealthy();
}

TEST(Grid, FlushesDenormalsAsTheKernelSaysAndRestoresTheCaller) {
  static float result;
  auto entry = [](const cpu::Launch*, cpu::Worker*, uint64_t, uint64_t) {
    volatile float tiny = 1e-38f, tenth = 0.1f;
    result = tiny * tenth;
  };
  std::fesetround(FE_UPWARD);
  for (uint8_t flush : {0, 1}) {
    ASSERT_TRUE(executeDispatch(
        dispatchOf(nativePipeline(entry, 0, {.flushDenormals = flush}), {1, 1, 1}, {1, 1, 1})));
    EXPECT_EQ(result != 0, flush == 0);
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
  }
  std::fesetround(FE_TONEAREST);
}

} // namespace
} // namespace metalloid::runtime
