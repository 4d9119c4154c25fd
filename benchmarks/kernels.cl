// SPDX-License-Identifier: Apache-2.0
// kernels.metal in OpenCL C, for the runtimes that we compare with.
__kernel void vector_add(__global const float* a, __global const float* b, __global float* c) {
  size_t i = get_global_id(0);
  c[i] = a[i] + b[i];
}

__kernel void saxpy(__global const float* x, __global float* y, float a, uint count) {
  uint i = get_global_id(0);
  if (i >= count)
    return;
  y[i] = a * x[i] + y[i];
}

__kernel void matmul(__global const float* a, __global const float* b, __global float* c, uint n) {
  __local float left[16][16], right[16][16];
  uint x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  float sum = 0;
  for (uint tile = 0; tile < n; tile += 16) {
    left[ly][lx] = a[y * n + tile + lx];
    right[ly][lx] = b[(tile + ly) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 16; ++k)
      sum += left[ly][k] * right[k][lx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[y * n + x] = sum;
}

__kernel void tree_reduce(__global const float* x, __global float* sums) {
  __local float partial[256];
  uint local_id = get_local_id(0);
  partial[local_id] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 128; step > 0; step >>= 1) {
    if (local_id < step)
      partial[local_id] += partial[local_id + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (local_id == 0)
    sums[get_group_id(0)] = partial[0];
}

// Without SIMD-group functions: trees in local memory.
__kernel void softmax(__global const float* x, __global float* out) {
  __local float shared[256];
  uint local_id = get_local_id(0);
  __global const float* p = x + get_group_id(0) * 1024 + local_id * 4;
  float v[4], largest = -INFINITY;
  for (int k = 0; k < 4; ++k) {
    v[k] = p[k];
    largest = fmax(largest, v[k]);
  }
  shared[local_id] = largest;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 128; step > 0; step >>= 1) {
    if (local_id < step)
      shared[local_id] = fmax(shared[local_id], shared[local_id + step]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  largest = shared[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 4; ++k) {
    v[k] = exp(v[k] - largest);
    sum += v[k];
  }
  shared[local_id] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 128; step > 0; step >>= 1) {
    if (local_id < step)
      shared[local_id] += shared[local_id + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sum = shared[0];
  for (int k = 0; k < 4; ++k)
    out[get_group_id(0) * 1024 + local_id * 4 + k] = v[k] / sum;
}

__kernel void exponential(__global const float* x, __global float* out) {
  size_t i = get_global_id(0);
  out[i] = exp(x[i]);
}

__kernel void mandelbrot(__global int* out, uint width, uint height) {
  uint px = get_global_id(0), py = get_global_id(1);
  float cx = -2.0f + 3.0f * px / width, cy = -1.5f + 3.0f * py / height;
  float x = 0, y = 0;
  int n = 0;
  while (n < 256 && x * x + y * y < 4.0f) {
    float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    ++n;
  }
  out[py * width + px] = n;
}

__kernel void histogram(__global const uchar* x, volatile __global uint* bins) {
  atomic_inc(&bins[x[get_global_id(0)]]);
}

__kernel void gemv4(__global const uint* weights, __global const float* scales,
                    __global const float* x, __global float* out, uint columns) {
  uint row = get_global_id(0);
  float sum = 0;
  for (uint group = 0; group < columns / 32; ++group) {
    float part = 0;
    for (uint w = 0; w < 4; ++w) {
      uint word = weights[row * (columns / 8) + group * 4 + w];
      for (uint k = 0; k < 8; ++k)
        part += (float)((int)((word >> (4 * k)) & 15) - 8) * x[group * 32 + w * 8 + k];
    }
    sum += part * scales[row * (columns / 32) + group];
  }
  out[row] = sum;
}

__kernel void heat(__global const float* x, __global float* out) {
  __local float rod[256];
  uint i = get_global_id(0), local_id = get_local_id(0);
  float here = x[i];
  for (int step = 0; step < 64; ++step) {
    rod[local_id] = here;
    barrier(CLK_LOCAL_MEM_FENCE);
    float left = rod[local_id == 0 ? 0 : local_id - 1];
    float right = rod[local_id == 255 ? 255 : local_id + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    here = here + 0.25f * (left - 2.0f * here + right);
  }
  out[i] = here;
}

__kernel void empty(void) {}
