// SPDX-License-Identifier: Apache-2.0
// Kernels that Apple's compiler made, out of MLX's archive: every form of the back end gives the
// same bits, and they are what the kernel promises.
#include "air_kernel.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "support/fetched.h"

namespace metalloid::cpu::test {
namespace {

using Floats = std::vector<float>;

template <typename T> Bytes bytesOf(const std::vector<T>& values) {
  auto* first = reinterpret_cast<const std::byte*>(values.data());
  return Bytes(first, first + values.size() * sizeof(T));
}
template <typename T> Bytes wordOf(T value) {
  return bytesOf(std::vector<T>{value});
}

Floats floatsOf(const Bytes& bytes) {
  Floats values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

Floats random(size_t count, uint32_t seed) {
  Floats values(count);
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = float(seed >> 8) / float(1 << 24) * 4 - 2;
  }
  return values;
}

/// A kernel, how it is launched, and what must come out.
struct Case {
  std::string name;
  runtime::Size3 threadgroup;
  runtime::Extent threads;
  std::vector<Bytes> buffers; ///< buffers[n] is [[buffer(n)]]; empty: not bound.
  size_t output;
  std::function<double(size_t)> expected; ///< Element of the output.
  double tolerance;                       ///< Relative to 1 + |expected|.
  std::vector<air::ConstantValue> constants = {};
};

Case addition() {
  constexpr uint32_t n = 1000;
  Floats a = random(n, 1), b = random(n, 2);
  return {"vv_Addfloat32",
          {256, 1, 1},
          {n, 1, 1},
          {bytesOf(a), bytesOf(b), bytesOf(Floats(n)), wordOf(n)},
          2,
          [=](size_t i) { return double(a[i] + b[i]); },
          0};
}

Case exponential() {
  constexpr uint32_t n = 777;
  Floats a = random(n, 3);
  return {"v_Expfloat32float32",
          {128, 1, 1},
          {n, 1, 1},
          {bytesOf(a), bytesOf(Floats(n)), wordOf(n)},
          1,
          [=](size_t i) { return std::exp(double(a[i])); },
          1e-6};
}

Case softmax() {
  constexpr int rows = 5, n = 900;
  Floats a = random(rows * n, 4);
  auto sum = [=](size_t row) {
    return std::accumulate(a.begin() + row * n, a.begin() + (row + 1) * n, 0.0,
                           [](double total, float x) { return total + std::exp(double(x)); });
  };
  std::vector<double> sums;
  for (int row = 0; row < rows; row++)
    sums.push_back(sum(row));
  return {"block_softmax_float32",
          {256, 1, 1},
          {rows * 256, 1, 1},
          {bytesOf(a), bytesOf(Floats(rows * n)), wordOf(n)},
          1,
          [=](size_t i) { return std::exp(double(a[i])) / sums[i / n]; },
          1e-6};
}

Case layerNorm() {
  constexpr uint32_t rows = 4, n = 700;
  Floats x = random(rows * n, 5), w = random(n, 6), b = random(n, 7);
  std::vector<double> mean(rows), scale(rows);
  for (uint32_t row = 0; row < rows; row++) {
    for (uint32_t i = 0; i < n; i++)
      mean[row] += double(x[row * n + i]) / n;
    for (uint32_t i = 0; i < n; i++)
      scale[row] += std::pow(x[row * n + i] - mean[row], 2) / n;
    scale[row] = 1 / std::sqrt(scale[row] + 1e-5);
  }
  return {"layer_normfloat32",
          {96, 1, 1},
          {rows * 96, 1, 1},
          {bytesOf(x), bytesOf(w), bytesOf(b), bytesOf(Floats(rows * n)), wordOf(1e-5f), wordOf(n),
           wordOf(1u), wordOf(1u)},
          3,
          [=](size_t i) { return (x[i] - mean[i / n]) * scale[i / n] * w[i % n] + b[i % n]; },
          1e-5};
}

Case scan() {
  constexpr int64_t rows = 3, n = 2500;
  Floats a = random(rows * n, 8);
  std::vector<double> sums(a.size());
  for (size_t i = 0; i < a.size(); i++)
    sums[i] = a[i] + (i % n ? sums[i - 1] : 0);
  return {"contig_scan_inclusive_sum_float32_float32",
          {256, 1, 1},
          {256, rows, 1},
          {bytesOf(a), bytesOf(Floats(a.size())), wordOf(n)},
          1,
          [=](size_t i) { return sums[i]; },
          1e-4};
}

Case sort() {
  constexpr int rows = 3, n = 1000;
  Floats a = random(rows * n, 9), sorted = a;
  for (int row = 0; row < rows; row++)
    std::sort(sorted.begin() + row * n, sorted.begin() + (row + 1) * n);
  return {"c_block_sort_float32_float32_bn256_tn4",
          {256, 1, 1},
          {256, rows, 1},
          {bytesOf(a), bytesOf(Floats(a.size())), wordOf(n), wordOf(1), wordOf(1), wordOf(n),
           wordOf(n)},
          1,
          [=](size_t i) { return double(sorted[i]); },
          0};
}

Case gemv() {
  constexpr int n = 256;
  Floats m = random(n * n, 10), v = random(n, 11);
  return {"gemv_float32_bm8_bn1_sm1_sn32_tm4_tn4_nc0_axpby0",
          {32, 1, 8},
          {n / 32 * 32, 1, 8},
          {bytesOf(m),
           bytesOf(v),
           {},
           bytesOf(Floats(n)),
           wordOf(n),
           wordOf(n),
           wordOf(n),
           {},
           {},
           wordOf(1),
           wordOf(1),
           wordOf(int64_t(0)),
           wordOf(int64_t(0))},
          3,
          [=](size_t i) {
            double sum = 0;
            for (int k = 0; k < n; k++)
              sum += double(m[i * n + k]) * v[k];
            return sum;
          },
          1e-4};
}

Case quantizedGemv() {
  constexpr int n = 512, group = 64;
  std::vector<uint32_t> words(n * n / 8);
  std::iota(words.begin(), words.end(), 1u);
  for (uint32_t& word : words)
    word *= 2654435761u;
  Floats scales = random(n * n / group, 12), biases = random(n * n / group, 13), x = random(n, 14);
  return {"affine_qmv_fast_float_gs_64_b_4_batch_0_pr_0_hgs_0_r_4",
          {32, 2, 1},
          {32, n / 8 * 2, 1},
          {bytesOf(words), bytesOf(scales), bytesOf(biases), bytesOf(x), bytesOf(Floats(n)),
           wordOf(n), wordOf(n)},
          4,
          [=](size_t row) {
            double sum = 0;
            for (int k = 0; k < n; k++) {
              size_t at = row * n + k;
              double q = words[at / 8] >> (at % 8 * 4) & 15;
              sum += (q * scales[at / group] + biases[at / group]) * x[k];
            }
            return sum;
          },
          1e-3};
}

Case matrixProduct() {
  constexpr int n = 128;
  Floats a = random(n * n, 15), b = random(n * n, 16);
  std::vector<int32_t> sizes = {n, n, n, n, n, n, n / 64, n / 64};
  Bytes parameters = bytesOf(sizes);
  parameters.resize(56);
  Bytes tail = bytesOf(std::vector<int32_t>{0, n / 16, 1, 0});
  parameters.insert(parameters.end(), tail.begin(), tail.end());
  std::vector<air::ConstantValue> constants;
  for (int index : {200, 201, 202})
    constants.push_back(constant(index, "bool", 1));
  for (int index : {10, 100, 110})
    constants.push_back(constant(index, "bool", 0));
  return {"steel_gemm_fused_nn_float32_float32_bm64_bn64_bk16_wm2_wn2",
          {32, 2, 2},
          {n / 64 * 32, n / 64 * 2, 2},
          {bytesOf(a), bytesOf(b), {}, bytesOf(Floats(n * n)), parameters},
          3,
          [=](size_t i) {
            double sum = 0;
            for (int k = 0; k < n; k++)
              sum += double(a[i / n * n + k]) * b[k * n + i % n];
            return sum;
          },
          1e-4,
          constants};
}

/// The forms that a kernel is run in: all must give the bits of the first.
struct Form {
  BarrierMode barriers;
  uint32_t chunk;
};
constexpr Form forms[] = {{BarrierMode::Regions, 16},
                          {BarrierMode::Regions, 8},
                          {BarrierMode::Regions, 4},
                          {BarrierMode::Fibers, 16}};

class ArchiveKernels : public testing::TestWithParam<Case (*)()> {};

TEST_P(ArchiveKernels, GiveTheSameRightBitsInEveryForm) {
  std::string path = metalloid::test::fetchedPath("mlx.metallib");
  if (!std::ifstream(path))
    GTEST_SKIP() << "SKIPPED: no file " << path << "; run tools/fetch.py or set METALLOID_FETCHED";
  Case test = GetParam()();
  auto source = readArchiveKernel(path, test.name, test.constants);
  ASSERT_TRUE(source) << source.error().message;
  Bytes first;
  for (const Form& form : forms) {
    SCOPED_TRACE(std::string(form.barriers == BarrierMode::Fibers ? "fibers " : "regions ") +
                 std::to_string(form.chunk));
    Options options;
    options.threads = test.threadgroup;
    options.barriers = form.barriers;
    options.chunk = form.chunk;
    auto kernel = RunnableKernel::compile(*source, options);
    ASSERT_TRUE(kernel) << kernel.error().message;
    std::vector<Bytes> buffers = test.buffers;
    std::vector<std::span<std::byte>> views(buffers.begin(), buffers.end());
    auto ran = kernel->run(views, test.threads, test.threadgroup);
    ASSERT_TRUE(ran) << ran.error().message;
    const Bytes& output = buffers[test.output];
    if (first.empty()) {
      first = output;
      Floats values = floatsOf(output);
      for (size_t i = 0; i < values.size(); i++) {
        double expected = test.expected(i);
        ASSERT_LE(std::abs(values[i] - expected), test.tolerance * (1 + std::abs(expected)))
            << "element " << i << ": " << values[i] << ", expected " << expected;
      }
    }
    ASSERT_EQ(output, first);
  }
}

INSTANTIATE_TEST_SUITE_P(Families, ArchiveKernels,
                         testing::Values(addition, exponential, softmax, layerNorm, scan, sort,
                                         gemv, quantizedGemv, matrixProduct),
                         [](const auto& info) {
                           return std::to_string(info.index) + "_" + info.param().name;
                         });

} // namespace
} // namespace metalloid::cpu::test
