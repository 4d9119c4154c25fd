// SPDX-License-Identifier: Apache-2.0
#include "runtime/fibers.h"

#include <functional>
#include <vector>

#include <gtest/gtest.h>

namespace metalloid::runtime {
namespace {

struct FiberRun {
  FiberGroup group;
  std::function<void(uint32_t)> body;

  bool operator()(uint32_t count) {
    EXPECT_TRUE(group.reserve(count));
    return group.run(
        count, [](void* self, uint32_t index) { static_cast<FiberRun*>(self)->body(index); }, this);
  }
};

TEST(Fibers, MeetAtEveryBarrier) {
  FiberRun run;
  std::vector<uint32_t> phase(32, 0);
  bool inStep = true;
  run.body = [&](uint32_t index) {
    for (uint32_t round = 0; round < 100; ++round) {
      phase[index] = round;
      run.group.barrier(round % 3);
      for (uint32_t other : phase)
        inStep &= other == round;
      run.group.barrier(7);
    }
  };
  for (uint32_t count : {32u, 32u})
    EXPECT_TRUE(run(count));
  EXPECT_TRUE(inStep);
}

TEST(Fibers, KeepTheirRegistersAndStack) {
  FiberRun run;
  std::vector<double> result(5);
  run.body = [&](uint32_t index) {
    double value = index + 0.5;
    volatile char block[20000];
    for (int i = 0; i < 50; ++i) {
      block[i * 400] = static_cast<char>(index);
      run.group.barrier(0);
      value += block[i * 400];
    }
    result[index] = value;
  };
  ASSERT_TRUE(run(5));
  for (uint32_t i = 0; i < 5; ++i)
    EXPECT_EQ(result[i], i + 0.5 + 50.0 * i);
}

TEST(Fibers, ThoseThatEndedDoNotCount) {
  FiberRun run;
  std::vector<uint32_t> rounds(8, 0);
  run.body = [&](uint32_t index) {
    for (uint32_t round = 0; round < (index * 5) % 8; ++round) {
      run.group.barrier(round);
      ++rounds[index];
    }
  };
  ASSERT_TRUE(run(8));
  for (uint32_t i = 0; i < 8; ++i)
    EXPECT_EQ(rounds[i], (i * 5) % 8);
}

TEST(Fibers, DifferentBarriersAreReportedAndTheGroupWorksAgain) {
  FiberRun run;
  for (uint32_t odd : {0u, 1u, 3u}) {
    run.body = [&, odd](uint32_t index) { run.group.barrier(index == odd ? 1 : 2); };
    EXPECT_FALSE(run(4)) << odd;
    EXPECT_FALSE(run.group.isRunning());
    run.body = [&](uint32_t) { run.group.barrier(0); };
    EXPECT_TRUE(run(4));
  }
}

TEST(Fibers, ASingleOneNeedsNobody) {
  FiberRun run;
  uint32_t passed = 0;
  run.body = [&](uint32_t) {
    run.group.barrier(0);
    run.group.barrier(1);
    ++passed;
  };
  EXPECT_TRUE(run(1));
  EXPECT_EQ(passed, 1u);
}

} // namespace
} // namespace metalloid::runtime
