// SPDX-License-Identifier: Apache-2.0
// Whole kernels through every form the back end has: three vector widths, regions and fibers, sizes
// compiled in or not. What comes out is compared with C++ that does the same.
#include "air_kernel.h"

#include <numeric>

#include <gtest/gtest.h>

#include "support/fetched.h"

namespace metalloid::cpu::test {
namespace {

template <typename T> std::span<std::byte> bytesOf(std::vector<T>& values) {
  return std::as_writable_bytes(std::span(values));
}

std::vector<float> randomFloats(size_t count, uint32_t seed = 1) {
  std::vector<float> values(count);
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = float(seed >> 8) / float(1 << 24) - 0.5f;
  }
  return values;
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
  /// Compiles tests/cpu/kernels/NAME.ll in this form for threadgroups of `threads`.
  RunnableKernel compile(const std::string& name, runtime::Size3 threads) {
    auto source = readKernelText(METALLOID_TEST_KERNELS "/" + name + ".ll", name);
    if (!source)
      throw std::runtime_error(source.error().message);
    Options options;
    options.barriers = GetParam().barriers;
    options.chunk = GetParam().chunk;
    if (GetParam().fixedSize)
      options.threads = threads;
    auto kernel = RunnableKernel::compile(*source, options);
    if (!kernel)
      throw std::runtime_error(kernel.error().message);
    return std::move(*kernel);
  }

  void run(const RunnableKernel& kernel, std::vector<std::span<std::byte>> buffers,
           runtime::Extent threads, runtime::Size3 threadgroup,
           std::vector<uint64_t> threadgroupBytes = {}) {
    auto ran = kernel.run(buffers, threads, threadgroup, threadgroupBytes);
    ASSERT_TRUE(ran) << ran.error().message;
  }
};

TEST_P(Kernels, TreeReductionSumsEachThreadgroup) {
  constexpr uint32_t size = 256, groups = 5;
  RunnableKernel kernel = compile("tree_reduction", {size, 1, 1});
  std::vector<float> in = randomFloats(size * groups), out(groups);
  run(kernel, {bytesOf(in), bytesOf(out)}, {size * groups, 1, 1}, {size, 1, 1});
  for (uint32_t group = 0; group < groups; group++) {
    std::vector<float> partial(in.begin() + group * size, in.begin() + (group + 1) * size);
    for (uint32_t half = size / 2; half > 0; half /= 2)
      for (uint32_t thread = 0; thread < half; thread++)
        partial[thread] += partial[thread + half];
    EXPECT_EQ(out[group], partial[0]);
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, Kernels,
                         testing::Values(Form{BarrierMode::Regions, 4, true},
                                         Form{BarrierMode::Regions, 8, true},
                                         Form{BarrierMode::Regions, 16, true},
                                         Form{BarrierMode::Regions, 16, false},
                                         Form{BarrierMode::Regions, 32, true},
                                         Form{BarrierMode::Fibers, 8, false},
                                         Form{BarrierMode::Fibers, 16, true}),
                         nameOf);

} // namespace
} // namespace metalloid::cpu::test
