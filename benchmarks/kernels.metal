// SPDX-License-Identifier: Apache-2.0
// The kernels of `./dev bench cpu`; kernels.cl has the same in OpenCL C.
#include <metal_stdlib>
using namespace metal;

kernel void vector_add(device const float* a, device const float* b, device float* c,
                       uint i [[thread_position_in_grid]]) {
  c[i] = a[i] + b[i];
}

kernel void saxpy(device const float* x, device float* y, constant float& a, constant uint& count,
                  uint i [[thread_position_in_grid]]) {
  if (i >= count)
    return;
  y[i] = a * x[i] + y[i];
}

kernel void matmul(device const float* a, device const float* b, device float* c,
                   constant uint& n, uint2 position [[thread_position_in_grid]],
                   uint2 local [[thread_position_in_threadgroup]]) {
  threadgroup float left[16][16], right[16][16];
  float sum = 0;
  for (uint tile = 0; tile < n; tile += 16) {
    left[local.y][local.x] = a[position.y * n + tile + local.x];
    right[local.y][local.x] = b[(tile + local.y) * n + position.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < 16; ++k)
      sum += left[local.y][k] * right[k][local.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  c[position.y * n + position.x] = sum;
}

kernel void tree_reduce(device const float* x, device float* sums,
                        uint i [[thread_position_in_grid]],
                        uint local [[thread_position_in_threadgroup]],
                        uint group [[threadgroup_position_in_grid]]) {
  threadgroup float partial[256];
  partial[local] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 128; step > 0; step >>= 1) {
    if (local < step)
      partial[local] += partial[local + step];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (local == 0)
    sums[group] = partial[0];
}

kernel void softmax(device const float* x, device float* out,
                    uint local [[thread_position_in_threadgroup]],
                    uint row [[threadgroup_position_in_grid]],
                    uint lane [[thread_index_in_simdgroup]],
                    uint simdgroup [[simdgroup_index_in_threadgroup]]) {
  threadgroup float shared[8];
  device const float* p = x + row * 1024 + local * 4;
  float v[4];
  float largest = -INFINITY;
  for (int k = 0; k < 4; ++k) {
    v[k] = p[k];
    largest = max(largest, v[k]);
  }
  largest = simd_max(largest);
  if (lane == 0)
    shared[simdgroup] = largest;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  largest = simd_max(lane < 8 ? shared[lane] : -INFINITY);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (int k = 0; k < 4; ++k) {
    v[k] = exp(v[k] - largest);
    sum += v[k];
  }
  sum = simd_sum(sum);
  if (lane == 0)
    shared[simdgroup] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  sum = simd_sum(lane < 8 ? shared[lane] : 0.0f);
  for (int k = 0; k < 4; ++k)
    out[row * 1024 + local * 4 + k] = v[k] / sum;
}

kernel void exponential(device const float* x, device float* out,
                        uint i [[thread_position_in_grid]]) {
  out[i] = exp(x[i]);
}

kernel void mandelbrot(device int* out, constant uint& width, constant uint& height,
                       uint2 p [[thread_position_in_grid]]) {
  float cx = -2.0f + 3.0f * p.x / width, cy = -1.5f + 3.0f * p.y / height;
  float x = 0, y = 0;
  int n = 0;
  while (n < 256 && x * x + y * y < 4.0f) {
    float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    ++n;
  }
  out[p.y * width + p.x] = n;
}

kernel void histogram(device const uchar* x, device atomic_uint* bins,
                      uint i [[thread_position_in_grid]]) {
  atomic_fetch_add_explicit(&bins[x[i]], 1u, memory_order_relaxed);
}

// One row a thread: 4-bit weights, a scale for each 32 of them.
kernel void gemv4(device const uint* weights, device const float* scales, device const float* x,
                  device float* out, constant uint& columns, uint row [[thread_position_in_grid]]) {
  float sum = 0;
  for (uint group = 0; group < columns / 32; ++group) {
    float part = 0;
    for (uint w = 0; w < 4; ++w) {
      uint word = weights[row * (columns / 8) + group * 4 + w];
      for (uint k = 0; k < 8; ++k)
        part += float(int((word >> (4 * k)) & 15) - 8) * x[group * 32 + w * 8 + k];
    }
    sum += part * scales[row * (columns / 32) + group];
  }
  out[row] = sum;
}

// Heat along a rod, 64 steps in threadgroup memory: a barrier in a loop, neighbours exchanged.
kernel void heat(device const float* x, device float* out, uint i [[thread_position_in_grid]],
                 uint local [[thread_position_in_threadgroup]]) {
  threadgroup float rod[256];
  float here = x[i];
  for (int step = 0; step < 64; ++step) {
    rod[local] = here;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float left = rod[local == 0 ? 0 : local - 1], right = rod[local == 255 ? 255 : local + 1];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    here = here + 0.25f * (left - 2.0f * here + right);
  }
  out[i] = here;
}

kernel void empty() {}
