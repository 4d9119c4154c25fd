// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu_memory.h"

#include <gtest/gtest.h>

namespace metalloid::runtime {
namespace {

TEST(CpuMemory, IsZeroedAndAligned) {
  for (uint64_t length : {0ull, 1ull, 64ull, 100000ull, 300000ull, 8ull << 20}) {
    auto memory = allocateCpuMemory(length, StorageMode::Shared);
    ASSERT_TRUE(memory) << length;
    EXPECT_EQ((*memory)->length(), length);
    EXPECT_EQ((*memory)->deviceAddress() % 64, 0u);
    const auto* bytes = static_cast<const char*>((*memory)->contents());
    ASSERT_NE(bytes, nullptr);
    EXPECT_EQ(std::count(bytes, bytes + length, 0), static_cast<int64_t>(length));
  }
}

TEST(CpuMemory, PrivateHasNoContents) {
  auto memory = allocateCpuMemory(128, StorageMode::Private);
  ASSERT_TRUE(memory);
  EXPECT_EQ((*memory)->contents(), nullptr);
  EXPECT_NE((*memory)->deviceAddress(), 0u);
}

TEST(CpuMemory, TooMuchIsAnError) {
  for (uint64_t length : {~0ull, ~0ull >> 1, 1ull << 60}) {
    auto memory = allocateCpuMemory(length, StorageMode::Shared);
    ASSERT_FALSE(memory) << length;
    EXPECT_EQ(memory.error().kind, Error::Kind::OutOfMemory);
    EXPECT_NE(memory.error().message.find(std::to_string(length)), std::string::npos);
  }
}

TEST(CpuMemory, ReleasesWhatItWraps) {
  int value = 5, released = 0;
  {
    auto memory = wrapCpuMemory(&value, sizeof value, [&] { ++released; });
    auto second = memory;
    EXPECT_EQ(memory->contents(), &value);
    memory.reset();
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
}

} // namespace
} // namespace metalloid::runtime
