// SPDX-License-Identifier: Apache-2.0
// Whole kernels through every form the back end has: three vector widths, regions and fibers, sizes
// compiled in or not. What comes out is compared with C++ that does the same.
#include "air_kernel.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <gtest/gtest.h>

#include "runtime/grid.h"

namespace metalloid::cpu::test {
namespace {

template <typename T> std::span<std::byte> bytesOf(std::vector<T>& values) {
  return std::as_writable_bytes(std::span(values));
}

std::vector<uint32_t> randomWords(size_t count, uint32_t seed = 1) {
  std::vector<uint32_t> words(count);
  for (uint32_t& word : words) {
    seed = seed * 1664525u + 1013904223u;
    word = seed ^ seed >> 15;
  }
  return words;
}

/// One way to compile a kernel.
struct Form {
  BarrierMode barriers;
  uint32_t chunk;
  bool fixedSize;
};

std::string nameOf(const testing::TestParamInfo<Form>& info) {
  const char* mode = info.param.barriers == BarrierMode::Fibers ? "Fibers" : "Regions";
  return std::string(mode) + std::to_string(info.param.chunk) +
         (info.param.fixedSize ? "Fixed" : "AnySize");
}

class Kernels : public testing::TestWithParam<Form> {
protected:
  /// Compiles a kernel of features.metal in this form for threadgroups of `threads`.
  Expected<RunnableKernel> compile(const std::string& name, runtime::Size3 threads) {
    auto source = readKernelText(METALLOID_TEST_KERNELS, name);
    if (!source)
      return tl::unexpected(source.error());
    Options options;
    options.barriers = GetParam().barriers;
    options.chunk = GetParam().chunk;
    if (GetParam().fixedSize)
      options.threads = threads;
    return RunnableKernel::compile(*source, options);
  }

  /// Compiles and runs it.
  void run(const std::string& name, std::vector<std::span<std::byte>> buffers,
           runtime::Extent threads, runtime::Size3 threadgroup,
           std::vector<uint64_t> threadgroupBytes = {}) {
    auto kernel = compile(name, threadgroup);
    ASSERT_TRUE(kernel) << kernel.error().message;
    auto ran = kernel->run(buffers, threads, threadgroup, threadgroupBytes);
    ASSERT_TRUE(ran) << ran.error().message;
  }
};

TEST_P(Kernels, BuiltInsSayWhereEachThreadIs) {
  for (runtime::Size3 size : {runtime::Size3{32, 2, 1}, {4, 3, 2}, {70, 1, 1}}) {
    constexpr std::array<uint32_t, 3> groups = {3, 2, 2};
    std::array<uint32_t, 3> grid;
    for (int axis = 0; axis < 3; axis++)
      grid[axis] = groups[axis] * size[axis];
    uint32_t total = size[0] * size[1] * size[2];
    std::vector<uint32_t> out(20 * grid[0] * grid[1] * grid[2]);
    run("built_ins", {bytesOf(out)}, {grid[0], grid[1], grid[2]}, size);
    for (uint32_t thread = 0; thread < out.size() / 20; thread++) {
      uint32_t x = thread % grid[0], y = thread / grid[0] % grid[1], z = thread / grid[0] / grid[1];
      uint32_t tx = x % size[0], ty = y % size[1], tz = z % size[2];
      uint32_t index = tx + size[0] * (ty + size[1] * tz);
      std::vector<uint32_t> expected = {x,
                                        y,
                                        z,
                                        tx,
                                        ty,
                                        tz,
                                        x / size[0],
                                        y / size[1],
                                        z / size[2],
                                        size[0],
                                        size[1],
                                        size[2],
                                        groups[0] + 100 * groups[1] + 10000 * groups[2],
                                        index,
                                        index % 32,
                                        index / 32,
                                        (total + 31) / 32,
                                        32,
                                        index % 4,
                                        index / 4};
      std::vector<uint32_t> got(out.begin() + 20 * thread, out.begin() + 20 * (thread + 1));
      ASSERT_EQ(got, expected) << "thread " << x << ", " << y << ", " << z;
    }
  }
}

TEST_P(Kernels, ThreadsThatReturnedDoNotCountAtBarriers) {
  uint32_t count = 300;
  std::vector<uint32_t> in = randomWords(384), out(384, 5), expected(384, 5);
  std::vector<uint32_t> size = {count};
  run("return_before_barrier", {bytesOf(in), bytesOf(out), bytesOf(size)}, {384, 1, 1},
      {128, 1, 1});
  auto value = [&](uint32_t base, uint32_t t) { return base + t < count ? in[base + t] : 7; };
  for (uint32_t i = 0; i < count; i++) {
    uint32_t t = i % 128, base = i - t;
    expected[i] = value(base, t ^ 1) + (in[i] & 1 ? value(base, t ^ 33) : 0);
  }
  EXPECT_EQ(out, expected);
}

std::vector<uint32_t> carriedValues(const std::vector<uint32_t>& in, uint32_t rounds,
                                    uint32_t threads, uint32_t groups) {
  std::vector<uint32_t> out(threads * groups, 5);
  for (uint32_t group = 0; group < groups; group++) {
    std::vector<uint32_t> values(threads), sum(threads), odd(threads);
    std::vector<std::array<uint32_t, 8>> history(threads);
    for (uint32_t t = 0; t < threads; t++) {
      sum[t] = group * threads + t;
      odd[t] = t / 32 * 3 + 1;
    }
    for (uint32_t round = 0; round < rounds; round++) {
      for (uint32_t t = 0; t < threads; t++)
        values[t] = in[t + round * threads] + sum[t];
      for (uint32_t t = 0; t < threads; t++) {
        uint32_t other = values[(t + round + 1) % threads];
        sum[t] = sum[t] * 5 + other;
        odd[t] = odd[t] * 7 + round;
        history[t][(sum[t] >> 3) & 7] += other ^ odd[t];
      }
    }
    for (uint32_t t = 0; t < threads; t++) {
      if ((sum[t] & 15) == 3)
        continue;
      uint32_t folded = odd[t];
      for (uint32_t part : history[t])
        folded = folded * 31 + part;
      out[group * threads + t] = folded ^ sum[t];
    }
  }
  return out;
}

TEST_P(Kernels, ValuesOutliveBarriers) {
  for (uint32_t threads : {96u, 70u}) {
    std::vector<uint32_t> rounds = {11}, in = randomWords(threads * 12), out(threads * 3, 5);
    run("carried_values", {bytesOf(in), bytesOf(out), bytesOf(rounds)}, {threads * 3, 1, 1},
        {threads, 1, 1});
    EXPECT_EQ(out, carriedValues(in, rounds[0], threads, 3));
  }
}

TEST_P(Kernels, TreeReductionSumsEachThreadgroup) {
  constexpr uint32_t size = 256, groups = 5;
  std::vector<float> in(size * groups), out(groups);
  std::vector<uint32_t> words = randomWords(in.size());
  std::transform(words.begin(), words.end(), in.begin(),
                 [](uint32_t word) { return float(word >> 8) / float(1 << 24) - 0.5f; });
  run("tree_reduction", {bytesOf(in), bytesOf(out)}, {size * groups, 1, 1}, {size, 1, 1});
  for (uint32_t group = 0; group < groups; group++) {
    std::vector<float> partial(in.begin() + group * size, in.begin() + (group + 1) * size);
    for (uint32_t half = size / 2; half > 0; half /= 2)
      for (uint32_t thread = 0; thread < half; thread++)
        partial[thread] += partial[thread + half];
    EXPECT_EQ(out[group], partial[0]);
  }
}

TEST_P(Kernels, BarriersMayStandUnderBranchesThatAllThreadsTake) {
  std::vector<uint32_t> in = randomWords(64 * 8), out(in.size()), expected = in;
  run("uniform_branch", {bytesOf(in), bytesOf(out)}, {in.size(), 1, 1}, {64, 1, 1});
  for (uint32_t i = 0; i < in.size(); i++) {
    uint32_t flags = in[i / 64];
    if (flags & 1)
      expected[i] += in[i / 64 * 64 + 63 - i % 64] * 3;
    else if (flags & 2)
      expected[i] += 1000;
  }
  EXPECT_EQ(out, expected);
}

TEST_P(Kernels, ThreadgroupMemoryOfTheEncodersSizeFollowsTheKernelsOwn) {
  std::vector<uint32_t> in = randomWords(64 * 3), out(in.size()), expected(in.size());
  run("threadgroup_argument", {bytesOf(in), bytesOf(out)}, {in.size(), 1, 1}, {64, 1, 1},
      {64 * 4, 64});
  for (uint32_t i = 0; i < in.size(); i++) {
    uint32_t other = in[i / 64 * 64 + 63 - i % 64];
    expected[i] = other + other * 2 + uint8_t(other * 3);
  }
  EXPECT_EQ(out, expected);
}

TEST_P(Kernels, StructuresAndVectorsAreSeenAsOtherTypes) {
  struct Pixel {
    uint8_t colour[4];
    uint16_t where[2];
    float weight[2];
    bool operator==(const Pixel&) const = default;
  };
  std::vector<Pixel> in(96), out(96), expected(96);
  std::vector<uint64_t> bits(96), expectedBits(96);
  std::vector<uint32_t> words = randomWords(96 * 2);
  for (uint32_t i = 0; i < 96; i++) {
    std::memcpy(&in[i], &words[2 * i], 8);
    in[i].weight[0] = float(i);
    in[i].weight[1] = float(i * i);
  }
  run("reinterpreted", {bytesOf(in), bytesOf(out), bytesOf(bits)}, {96, 1, 1}, {32, 1, 1});
  for (uint32_t i = 0; i < 96; i++) {
    Pixel pixel = in[i].colour[0] & 1 ? in[i ^ 1] : in[i];
    std::reverse(pixel.colour, pixel.colour + 4);
    pixel.weight[0] += pixel.weight[1];
    expected[i] = pixel;
    uint32_t colour, where;
    std::memcpy(&colour, pixel.colour, 4);
    std::memcpy(&where, pixel.where, 4);
    expectedBits[i] = uint64_t(colour) << 32 | where;
  }
  EXPECT_EQ(out, expected);
  EXPECT_EQ(bits, expectedBits);
}

TEST_P(Kernels, DifferentBarriersAreAnError) {
  auto kernel = compile("different_barriers", {64, 1, 1});
  if (GetParam().barriers == BarrierMode::Regions) {
    ASSERT_FALSE(kernel);
    EXPECT_NE(kernel.error().message.find("barrier"), std::string::npos) << kernel.error().message;
    return;
  }
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<uint32_t> out(64);
  std::vector<std::span<std::byte>> buffers = {bytesOf(out)};
  auto ran = kernel->run(buffers, {64, 1, 1}, {64, 1, 1});
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().kind, metalloid::Error::Kind::Fault);
}

TEST_P(Kernels, EndlessOnesCanBeInterrupted) {
  for (const char* name : {"endless", "endless_barrier"}) {
    auto kernel = compile(name, {64, 1, 1});
    ASSERT_TRUE(kernel) << kernel.error().message;
    EXPECT_TRUE(kernel->traits().polls);
    std::vector<uint32_t> out(1 + 128);
    std::vector<std::span<std::byte>> buffers = {bytesOf(out)};
    runtime::setKernelTimeLimit(0.05);
    auto ran = kernel->run(buffers, {128, 1, 1}, {64, 1, 1});
    runtime::setKernelTimeLimit(0);
    ASSERT_FALSE(ran) << name;
    EXPECT_EQ(ran.error().kind, metalloid::Error::Kind::Fault);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Kernels,
    testing::Values(Form{BarrierMode::Regions, 4, true}, Form{BarrierMode::Regions, 8, true},
                    Form{BarrierMode::Regions, 16, true}, Form{BarrierMode::Regions, 16, false},
                    Form{BarrierMode::Regions, 32, true}, Form{BarrierMode::Fibers, 8, false},
                    Form{BarrierMode::Fibers, 16, true}),
    nameOf);

} // namespace
} // namespace metalloid::cpu::test
