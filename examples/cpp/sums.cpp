// SPDX-License-Identifier: Apache-2.0
// Adds two vectors and sums the result with kernels compiled from source; with an argument, adds
// them again with a kernel of MLX's archive: sums [mlx.metallib]. Written against metal-cpp alone:
// on a Mac the same file compiles with Apple's headers.
#define NS_PRIVATE_IMPLEMENTATION
#define MTL_PRIVATE_IMPLEMENTATION
#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr uint32_t Count = 1000003; // No multiple of any threadgroup's size.

const char* const source = R"(
#include <metal_stdlib>
using namespace metal;

kernel void add(device const float* a [[buffer(0)]],
                device const float* b [[buffer(1)]],
                device float* sum [[buffer(2)]],
                uint i [[thread_position_in_grid]]) {
  sum[i] = a[i] + b[i];
}

// One partial sum a threadgroup: within SIMD-groups first, then over their results.
kernel void total(device const float* values [[buffer(0)]],
                  constant uint& count [[buffer(1)]],
                  device float* partial [[buffer(2)]],
                  uint group [[threadgroup_position_in_grid]],
                  uint thread_in_group [[thread_position_in_threadgroup]],
                  uint threads [[threads_per_threadgroup]],
                  uint groups [[threadgroups_per_grid]],
                  uint lane [[thread_index_in_simdgroup]],
                  uint simdgroup [[simdgroup_index_in_threadgroup]],
                  uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup float sums[32];
  float mine = 0;
  for (uint i = group * threads + thread_in_group; i < count; i += groups * threads)
    mine += values[i];
  mine = simd_sum(mine);
  if (lane == 0)
    sums[simdgroup] = mine;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (simdgroup == 0) {
    mine = simd_sum(lane < simdgroups ? sums[lane] : 0.0f);
    if (lane == 0)
      partial[group] = mine;
  }
}
)";

NS::String* text(const char* utf8) {
  return NS::String::string(utf8, NS::UTF8StringEncoding);
}

/// The object, or the end of the program with the error's description.
template <class T> NS::SharedPtr<T> require(T* object, NS::Error* error, const char* what) {
  if (!object) {
    std::fprintf(stderr, "%s: %s\n", what,
                 error ? error->localizedDescription()->utf8String() : "not there");
    std::exit(1);
  }
  return NS::TransferPtr(object);
}

NS::SharedPtr<MTL::ComputePipelineState> makePipeline(MTL::Library* library, const char* name) {
  auto function = require(library->newFunction(text(name)), nullptr, name);
  NS::Error* error = nullptr;
  return require(library->device()->newComputePipelineState(function.get(), &error), error, name);
}

/// Commits the work and waits; returns the milliseconds it took on the device.
double finish(MTL::CommandBuffer* buffer) {
  buffer->commit();
  buffer->waitUntilCompleted();
  if (buffer->status() == MTL::CommandBufferStatusError) {
    std::fprintf(stderr, "%s\n", buffer->error()->localizedDescription()->utf8String());
    std::exit(1);
  }
  return (buffer->GPUEndTime() - buffer->GPUStartTime()) * 1e3;
}

struct Vectors {
  NS::SharedPtr<MTL::Buffer> a, b, sum;

  explicit Vectors(MTL::Device* device) {
    for (auto* buffer : {&a, &b, &sum})
      *buffer = require(device->newBuffer(Count * sizeof(float), MTL::ResourceStorageModeShared),
                        nullptr, "newBuffer");
    for (uint32_t i = 0; i < Count; ++i) {
      data(a)[i] = float(i % 1000);
      data(b)[i] = 0.5f;
    }
  }

  static float* data(const NS::SharedPtr<MTL::Buffer>& buffer) {
    return static_cast<float*>(buffer->contents());
  }

  bool isRight() const {
    for (uint32_t i = 0; i < Count; ++i)
      if (data(sum)[i] != float(i % 1000) + 0.5f)
        return false;
    return true;
  }
};

/// sum = a + b. Kernels of MLX take the count as a fourth argument.
double runAdd(MTL::CommandQueue* queue, MTL::ComputePipelineState* add, const Vectors& vectors) {
  MTL::CommandBuffer* buffer = queue->commandBuffer();
  MTL::ComputeCommandEncoder* encoder = buffer->computeCommandEncoder();
  encoder->setComputePipelineState(add);
  encoder->setBuffer(vectors.a.get(), 0, 0);
  encoder->setBuffer(vectors.b.get(), 0, 1);
  encoder->setBuffer(vectors.sum.get(), 0, 2);
  encoder->setBytes(&Count, sizeof Count, 3);
  encoder->dispatchThreads(MTL::Size(Count, 1, 1), MTL::Size(256, 1, 1));
  encoder->endEncoding();
  return finish(buffer);
}

/// The sum of all elements.
double runTotal(MTL::CommandQueue* queue, MTL::ComputePipelineState* total, const Vectors& vectors,
                double* milliseconds) {
  constexpr uint32_t Groups = 64;
  auto partial =
      require(queue->device()->newBuffer(Groups * sizeof(float), MTL::ResourceStorageModeShared),
              nullptr, "newBuffer");
  MTL::CommandBuffer* buffer = queue->commandBuffer();
  MTL::ComputeCommandEncoder* encoder = buffer->computeCommandEncoder();
  encoder->setComputePipelineState(total);
  encoder->setBuffer(vectors.sum.get(), 0, 0);
  encoder->setBytes(&Count, sizeof Count, 1);
  encoder->setBuffer(partial.get(), 0, 2);
  encoder->dispatchThreadgroups(MTL::Size(Groups, 1, 1), MTL::Size(256, 1, 1));
  encoder->endEncoding();
  *milliseconds = finish(buffer);
  double sum = 0;
  for (uint32_t i = 0; i < Groups; ++i)
    sum += static_cast<float*>(partial->contents())[i];
  return sum;
}

} // namespace

int main(int argc, char** argv) {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  auto device = require(MTL::CreateSystemDefaultDevice(), nullptr, "no device");
  auto queue = require(device->newCommandQueue(), nullptr, "newCommandQueue");
  std::printf("device    %s\n", device->name()->utf8String());

  NS::Error* error = nullptr;
  auto library = require(device->newLibrary(text(source), nullptr, &error), error, "newLibrary");
  Vectors vectors(device.get());

  auto add = makePipeline(library.get(), "add");
  const double addTime = runAdd(queue.get(), add.get(), vectors);
  bool right = vectors.isRight();
  std::printf("add       %u elements in %.3f ms, %s\n", Count, addTime, right ? "right" : "WRONG");

  auto total = makePipeline(library.get(), "total");
  double totalTime = 0, expected = 0;
  const double sum = runTotal(queue.get(), total.get(), vectors, &totalTime);
  for (uint32_t i = 0; i < Count; ++i)
    expected += i % 1000 + 0.5;
  const bool close = std::fabs(sum - expected) <= 1e-6 * expected;
  std::printf("total     %.1f in %.3f ms, %s\n", sum, totalTime, close ? "right" : "WRONG");
  right = right && close;

  if (argc > 1) {
    auto archive = require(device->newLibrary(text(argv[1]), &error), error, "newLibrary");
    std::printf("archive   %zu kernels\n", size_t(archive->functionNames()->count()));
    auto mlxAdd = makePipeline(archive.get(), "vv_Addfloat32");
    std::fill_n(Vectors::data(vectors.sum), Count, 0.0f);
    const double mlxTime = runAdd(queue.get(), mlxAdd.get(), vectors);
    std::printf("mlx add   %u elements in %.3f ms, %s\n", Count, mlxTime,
                vectors.isRight() ? "right" : "WRONG");
    right = right && vectors.isRight();
  }
  return right ? 0 : 1;
}
