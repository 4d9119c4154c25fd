// SPDX-License-Identifier: Apache-2.0
// Small kernels, each with one feature that the CPU back end treats specially. The C++ that says
// what each must give is in execution_test.cpp.
#include <metal_stdlib>
using namespace metal;

// Every built-in value, 20 words a thread.
kernel void built_ins(device uint* out [[buffer(0)]],
                      uint3 position [[thread_position_in_grid]],
                      uint3 in_group [[thread_position_in_threadgroup]],
                      ushort3 group [[threadgroup_position_in_grid]],
                      uint3 threads [[threads_per_threadgroup]],
                      uint3 groups [[threadgroups_per_grid]],
                      uint3 grid [[threads_per_grid]],
                      uint index [[thread_index_in_threadgroup]],
                      ushort lane [[thread_index_in_simdgroup]],
                      uint simdgroup [[simdgroup_index_in_threadgroup]],
                      uint simdgroups [[simdgroups_per_threadgroup]],
                      uint width [[threads_per_simdgroup]],
                      uint quad_lane [[thread_index_in_quadgroup]],
                      uint quad [[quadgroup_index_in_threadgroup]]) {
  device uint* o = out + 20 * (position.x + grid.x * (position.y + grid.y * position.z));
  o[0] = position.x; o[1] = position.y; o[2] = position.z;
  o[3] = in_group.x; o[4] = in_group.y; o[5] = in_group.z;
  o[6] = group.x; o[7] = group.y; o[8] = group.z;
  o[9] = threads.x; o[10] = threads.y; o[11] = threads.z;
  o[12] = groups.x + 100 * groups.y + 10000 * groups.z;
  o[13] = index; o[14] = lane; o[15] = simdgroup; o[16] = simdgroups;
  o[17] = width; o[18] = quad_lane; o[19] = quad;
}

// Threads that return early do not count at the barrier.
kernel void return_before_barrier(device const uint* in [[buffer(0)]],
                                  device uint* out [[buffer(1)]],
                                  constant uint& count [[buffer(2)]],
                                  uint position [[thread_position_in_grid]],
                                  uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint values[128];
  values[t] = 7;
  if (position >= count) return;
  values[t] = in[position];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[position] = values[t ^ 1] + (in[position] & 1 ? values[t ^ 33] : 0u);
}

// Pointers, counters, sums and a private array live across the barriers of a loop, whose trip count
// is a value in memory; some threads leave early for good.
kernel void carried_values(device const uint* in [[buffer(0)]],
                           device uint* out [[buffer(1)]],
                           constant uint& rounds [[buffer(2)]],
                           uint position [[thread_position_in_grid]],
                           uint t [[thread_index_in_threadgroup]],
                           uint simdgroup [[simdgroup_index_in_threadgroup]],
                           uint threads [[threads_per_threadgroup]]) {
  threadgroup uint values[96];
  uint history[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  device const uint* next = in + t;
  uint sum = position, odd = simdgroup * 3 + 1;
  for (uint round = 0; round < rounds; round++) {
    values[t] = *next + sum;
    next += threads;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint other = values[(t + round + 1) % threads];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sum = sum * 5 + other;
    odd = odd * 7 + round;
    history[(sum >> 3) & 7] += other ^ odd;
  }
  if ((sum & 15) == 3) return;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint folded = odd;
  for (uint i = 0; i < 8; i++) folded = folded * 31 + history[i];
  out[position] = folded ^ sum;
}

// The sum of each threadgroup's values: a halving loop with a barrier in it.
kernel void tree_reduction(device const float* in [[buffer(0)]], device float* out [[buffer(1)]],
                           uint position [[thread_position_in_grid]],
                           uint t [[thread_index_in_threadgroup]],
                           uint group [[threadgroup_position_in_grid]],
                           uint threads [[threads_per_threadgroup]]) {
  threadgroup float partial[1024];
  partial[t] = in[position];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint half_size = threads / 2; half_size > 0; half_size /= 2) {
    if (t < half_size) partial[t] += partial[t + half_size];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) out[group] = partial[0];
}

// A barrier under a branch that all threads of the threadgroup take alike.
kernel void uniform_branch(device const uint* in [[buffer(0)]],
                           device uint* out [[buffer(1)]],
                           uint position [[thread_position_in_grid]],
                           uint group [[threadgroup_position_in_grid]],
                           uint t [[thread_index_in_threadgroup]]) {
  threadgroup uint values[64];
  uint result = in[position];
  if (in[group] & 1) {
    values[t] = result * 3;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    result += values[63 - t];
  } else if (in[group] & 2) {
    result += 1000;
  }
  out[position] = result;
}

// Half of the threads stand at one barrier, half at another.
kernel void different_barriers(device uint* out [[buffer(0)]],
                               uint t [[thread_index_in_threadgroup]]) {
  if (t & 1) {
    out[t] = 1;
    threadgroup_barrier(mem_flags::mem_device);
    out[t] += out[t ^ 1];
  } else {
    out[t] = 2;
    threadgroup_barrier(mem_flags::mem_device);
    out[t] += 10 * out[t ^ 1];
  }
}

// Never ends unless told to.
kernel void endless(device uint* out [[buffer(0)]], uint position [[thread_position_in_grid]]) {
  volatile device uint* flag = out;
  uint count = 0;
  while (flag[0] == 0) count++;
  out[1 + position] = count;
}

// The same, with a barrier in the loop.
kernel void endless_barrier(device uint* out [[buffer(0)]],
                            uint position [[thread_position_in_grid]]) {
  uint count = 0;
  while (out[0] == 0) {
    count++;
    threadgroup_barrier(mem_flags::mem_device);
  }
  out[1 + position] = count;
}

// Threadgroup memory of the encoder's size beside a variable of the kernel's.
kernel void threadgroup_argument(device const uint* in [[buffer(0)]],
                                 device uint* out [[buffer(1)]],
                                 threadgroup uint* first [[threadgroup(0)]],
                                 threadgroup uchar* second [[threadgroup(1)]],
                                 uint position [[thread_position_in_grid]],
                                 uint t [[thread_index_in_threadgroup]],
                                 uint threads [[threads_per_threadgroup]]) {
  threadgroup uint own[64];
  own[t] = in[position];
  first[t] = in[position] * 2;
  second[t] = uchar(in[position] * 3);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint other = threads - 1 - t;
  out[position] = own[other] + first[other] + second[other];
}

struct Pixel { uchar4 colour; half2 where; float weight[2]; };

// Structures and vectors moved whole and seen as other types.
kernel void reinterpreted(device const Pixel* in [[buffer(0)]], device Pixel* out [[buffer(1)]],
                          device ulong* bits [[buffer(2)]],
                          uint position [[thread_position_in_grid]]) {
  Pixel pixel = in[position];
  if (pixel.colour.x & 1) pixel = in[position ^ 1];
  pixel.colour = pixel.colour.wzyx;
  pixel.weight[0] += pixel.weight[1];
  out[position] = pixel;
  ushort4 words = ushort4(as_type<ushort2>(as_type<uint>(pixel.colour)),
                          as_type<ushort2>(pixel.where));
  bits[position] = ulong(as_type<uint>(words.xy)) << 32 | as_type<uint>(words.zw);
}

// What lanes of a SIMD-group tell each other, some of them idle.
kernel void exchanges(device const uint* in [[buffer(0)]], device uint* out [[buffer(1)]],
                      uint position [[thread_position_in_grid]]) {
  uint value = in[position];
  float number = as_type<float>(value);
  uint result = simd_shuffle_xor(value, 5) + simd_shuffle(value, ushort(value & 31));
  if (value & 4) {
    result += as_type<uint>(simd_sum(number)) ^ simd_max(value);
    result ^= simd_prefix_exclusive_sum(value & 255u);
  }
  result += as_type<uint>(simd_shuffle_down(number, 3)) ^ as_type<uint>(quad_sum(number));
  out[position] = result ^ uint(ulong(simd_vote::vote_t(simd_ballot(value & 1))));
}

// Floating point of every width, with what rounds or saturates.
kernel void rounding(device const float* in [[buffer(0)]], device uint* out [[buffer(1)]],
                     uint position [[thread_position_in_grid]]) {
  float x = in[position] * 8.0f - 5.0f, y = in[position ^ 1];
  half h = half(x) * half(y) + half(0.1);
  bfloat b = bfloat(x) + bfloat(y);
  uint bits = as_type<uint>(fma(x, y, -x)) ^ as_type<uint>(sqrt(y) / x);
  bits += uint(as_type<ushort>(h)) ^ uint(as_type<ushort>(b)) << 3;
  bits ^= uint(int(x * 1e9f)) + uint(ulong(y * 1e12f) >> 7);
  bits += as_type<uint>(precise::exp(x)) ^ as_type<uint>(precise::sin(x * 3));
  bits ^= as_type<uint>(rint(x)) + as_type<uint>(fmod(x, y)) + uint(popcount(bits));
  out[position] = bits;
}
