// SPDX-License-Identifier: Apache-2.0
// What a C++ programmer writes first: plain loops, -O3 -march=native, two threads. C entry points
// for ctypes; STREAM's add is the ceiling for vector_add.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

/// body(begin, end) over halves of [0, count), one in this thread.
template <typename Body> void halves(size_t count, const Body& body) {
  std::thread other([&] { body(count / 2, count); });
  body(0, count / 2);
  other.join();
}

} // namespace

extern "C" {

void vector_add(const float* a, const float* b, float* c, size_t count) {
  halves(count, [=](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      c[i] = a[i] + b[i];
  });
}

void saxpy(const float* x, float* y, float a, size_t count) {
  halves(count, [=](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      y[i] = a * x[i] + y[i];
  });
}

void matmul(const float* a, const float* b, float* c, size_t n) {
  halves(n, [=](size_t begin, size_t end) {
    for (size_t y = begin; y < end; ++y) {
      std::fill(c + y * n, c + (y + 1) * n, 0.0f);
      for (size_t k = 0; k < n; ++k)
        for (size_t x = 0; x < n; ++x)
          c[y * n + x] += a[y * n + k] * b[k * n + x];
    }
  });
}

void tree_reduce(const float* x, float* sums, size_t groups) {
  halves(groups, [=](size_t begin, size_t end) {
    for (size_t group = begin; group < end; ++group) {
      float sum = 0;
      for (size_t i = 0; i < 256; ++i)
        sum += x[group * 256 + i];
      sums[group] = sum;
    }
  });
}

void softmax(const float* x, float* out, size_t rows) {
  halves(rows, [=](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      const float* p = x + row * 1024;
      float largest = *std::max_element(p, p + 1024), sum = 0;
      for (size_t i = 0; i < 1024; ++i)
        sum += out[row * 1024 + i] = std::exp(p[i] - largest);
      for (size_t i = 0; i < 1024; ++i)
        out[row * 1024 + i] /= sum;
    }
  });
}

void exponential(const float* x, float* out, size_t count) {
  halves(count, [=](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      out[i] = std::exp(x[i]);
  });
}

void mandelbrot(int* out, size_t width, size_t height) {
  // interleaved rows: the set is not spread evenly
  auto rows = [=](size_t first) {
    for (size_t py = first; py < height; py += 2)
      for (size_t px = 0; px < width; ++px) {
        float cx = -2.0f + 3.0f * px / width, cy = -1.5f + 3.0f * py / height, x = 0, y = 0;
        int n = 0;
        while (n < 256 && x * x + y * y < 4.0f) {
          float next = x * x - y * y + cx;
          y = 2.0f * x * y + cy;
          x = next;
          ++n;
        }
        out[py * width + px] = n;
      }
  };
  std::thread other([&] { rows(1); });
  rows(0);
  other.join();
}

void histogram(const uint8_t* x, uint32_t* bins, size_t count) {
  halves(count, [=](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      std::atomic_ref<uint32_t>(bins[x[i]]).fetch_add(1, std::memory_order_relaxed);
  });
}

void gemv4(const uint32_t* weights, const float* scales, const float* x, float* out, size_t rows,
           size_t columns) {
  halves(rows, [=](size_t begin, size_t end) {
    for (size_t row = begin; row < end; ++row) {
      float sum = 0;
      for (size_t group = 0; group < columns / 32; ++group) {
        float part = 0;
        for (size_t w = 0; w < 4; ++w) {
          uint32_t word = weights[row * (columns / 8) + group * 4 + w];
          for (size_t k = 0; k < 8; ++k)
            part += float(int((word >> (4 * k)) & 15) - 8) * x[group * 32 + w * 8 + k];
        }
        sum += part * scales[row * (columns / 32) + group];
      }
      out[row] = sum;
    }
  });
}

void heat(const float* x, float* out, size_t groups) {
  halves(groups, [=](size_t begin, size_t end) {
    for (size_t group = begin; group < end; ++group) {
      float rod[256], next[256];
      std::copy_n(x + group * 256, 256, rod);
      for (int step = 0; step < 64; ++step) {
        for (int i = 0; i < 256; ++i) {
          float left = rod[i == 0 ? 0 : i - 1], right = rod[i == 255 ? 255 : i + 1];
          next[i] = rod[i] + 0.25f * (left - 2.0f * rod[i] + right);
        }
        std::copy_n(next, 256, rod);
      }
      std::copy_n(rod, 256, out + group * 256);
    }
  });
}
}
