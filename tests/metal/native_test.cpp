// SPDX-License-Identifier: Apache-2.0
// libmetalloid.so with its compiler: the API over the real road, from source to result.
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include <Metal/Metal.hpp>
#include <gtest/gtest.h>

namespace {

constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;

struct Parameters {
  float factor;
  uint offsets[2];
};

constant bool negate [[function_constant(0)]];

kernel void scale(device const float* input [[buffer(0)]],
                  device float* output [[buffer(1)]],
                  constant Parameters& parameters [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  float value = parameters.factor * input[i] + float(parameters.offsets[1]);
  output[i] = negate ? -value : value;
}

kernel void reverse(device uint* data [[buffer(0)]],
                    threadgroup uint* shared [[threadgroup(0)]],
                    uint i [[thread_position_in_threadgroup]],
                    uint threads [[threads_per_threadgroup]]) {
  shared[i] = data[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  data[i] = shared[threads - 1 - i];
}
)";

struct Parameters {
  float factor;
  uint32_t offsets[2];
};

class Native : public testing::Test {
protected:
  void SetUp() override {
    NS::Error* error = nullptr;
    library = NS::TransferPtr(device->newLibrary(text(source), nullptr, &error));
    ASSERT_TRUE(library) << message(error);
  }

  static NS::String* text(const char* utf8) {
    return NS::String::string(utf8, NS::UTF8StringEncoding);
  }
  static std::string message(NS::Error* error) {
    return error ? error->localizedDescription()->utf8String() : "";
  }

  NS::SharedPtr<MTL::ComputePipelineState>
  pipeline(const char* name, MTL::ComputePipelineReflection** reflection = nullptr,
           bool negate = false) {
    auto values = NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
    values->setConstantValue(&negate, MTL::DataTypeBool, NS::UInteger(0));
    NS::Error* error = nullptr;
    auto function = NS::TransferPtr(library->newFunction(text(name), values.get(), &error));
    EXPECT_TRUE(function) << message(error);
    auto made = NS::TransferPtr(device->newComputePipelineState(
        function.get(), MTL::PipelineOptionBufferTypeInfo, reflection, &error));
    EXPECT_TRUE(made) << message(error);
    return made;
  }

  template <class T> NS::SharedPtr<MTL::Buffer> bufferOf(const std::vector<T>& values) {
    return NS::TransferPtr(device->newBuffer(values.data(), values.size() * sizeof(T),
                                             MTL::ResourceStorageModeShared));
  }

  /// Runs what `encode` encodes; returns the error's text or nothing.
  template <class Encode> std::string run(Encode encode) {
    MTL::CommandBuffer* buffer = queue->commandBuffer();
    MTL::ComputeCommandEncoder* encoder = buffer->computeCommandEncoder();
    encode(encoder);
    encoder->endEncoding();
    buffer->commit();
    buffer->waitUntilCompleted();
    return message(buffer->error());
  }

  NS::SharedPtr<NS::AutoreleasePool> pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  NS::SharedPtr<MTL::Device> device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  NS::SharedPtr<MTL::CommandQueue> queue = NS::TransferPtr(device->newCommandQueue());
  NS::SharedPtr<MTL::Library> library;
};

TEST_F(Native, SourceToResult) {
  std::vector<float> input(1000);
  std::iota(input.begin(), input.end(), 0.0f);
  auto a = bufferOf(input), b = bufferOf(std::vector<float>(1000));
  const Parameters parameters = {2, {0, 7}};
  for (bool negate : {false, true}) {
    auto scale = pipeline("scale", nullptr, negate);
    EXPECT_EQ(run([&](MTL::ComputeCommandEncoder* encoder) {
                encoder->setComputePipelineState(scale.get());
                encoder->setBuffer(a.get(), 0, 0);
                encoder->setBuffer(b.get(), 0, 1);
                encoder->setBytes(&parameters, sizeof parameters, 2);
                encoder->dispatchThreads(MTL::Size(1000, 1, 1), MTL::Size(64, 1, 1));
              }),
              "");
    for (int i : {0, 1, 63, 64, 998, 999})
      EXPECT_EQ(static_cast<float*>(b->contents())[i], (negate ? -1 : 1) * (2.0f * i + 7)) << i;
  }
}

TEST_F(Native, ThreadgroupMemoryAndBarriers) {
  std::vector<uint32_t> values(96);
  std::iota(values.begin(), values.end(), 0u);
  auto data = bufferOf(values);
  auto reverse = pipeline("reverse");
  EXPECT_EQ(run([&](MTL::ComputeCommandEncoder* encoder) {
              encoder->setComputePipelineState(reverse.get());
              encoder->setBuffer(data.get(), 0, 0);
              encoder->setThreadgroupMemoryLength(96 * 4, 0);
              encoder->dispatchThreadgroups(MTL::Size(1, 1, 1), MTL::Size(96, 1, 1));
            }),
            "");
  for (uint32_t i = 0; i < 96; ++i)
    EXPECT_EQ(static_cast<uint32_t*>(data->contents())[i], 95 - i);
}

TEST_F(Native, ReflectionTellsTheArguments) {
  MTL::ComputePipelineReflection* reflection = nullptr;
  auto scale = pipeline("scale", &reflection);
  ASSERT_EQ(reflection->bindings()->count(), 3u);
  auto* input = reflection->bindings()->object<MTL::BufferBinding>(0);
  EXPECT_STREQ(input->name()->utf8String(), "input");
  EXPECT_EQ(input->access(), MTL::BindingAccessReadOnly);
  EXPECT_EQ(input->bufferDataType(), MTL::DataTypeFloat);
  auto* parameters = reflection->bindings()->object<MTL::BufferBinding>(2);
  EXPECT_EQ(parameters->bufferDataType(), MTL::DataTypeStruct);
  EXPECT_EQ(parameters->bufferDataSize(), sizeof(Parameters));
  MTL::StructMember* offsets = parameters->bufferStructType()->memberByName(text("offsets"));
  ASSERT_NE(offsets, nullptr);
  EXPECT_EQ(offsets->offset(), 4u);
  EXPECT_EQ(offsets->arrayType()->arrayLength(), 2u);
}

TEST_F(Native, DiagnosticsNameTheLine) {
  NS::Error* error = nullptr;
  EXPECT_EQ(device->newLibrary(text("kernel void k() {\n  undeclared = 1;\n}\n"), nullptr, &error),
            nullptr);
  EXPECT_NE(message(error).find(":2:3: error: "), std::string::npos) << message(error);
  EXPECT_EQ(error->code(), NS::Integer(MTL::LibraryErrorCompileFailure));
}

TEST_F(Native, WhatADispatchLacksIsSaid) {
  auto scale = pipeline("scale");
  auto reverse = pipeline("reverse");
  auto a = bufferOf(std::vector<float>(4));
  auto lacks = [&](const std::string& error, const char* part) {
    EXPECT_NE(error.find(part), std::string::npos) << error;
  };
  lacks(run([&](MTL::ComputeCommandEncoder* encoder) {
          encoder->setComputePipelineState(scale.get());
          encoder->setBuffer(a.get(), 0, 0);
          encoder->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1));
        }),
        "'output' [[buffer(1)]]");
  lacks(run([&](MTL::ComputeCommandEncoder* encoder) {
          encoder->setComputePipelineState(scale.get());
          for (NS::UInteger index : {0, 1})
            encoder->setBuffer(a.get(), 0, index);
          encoder->setBytes("short", 5, 2);
          encoder->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1));
        }),
        "'parameters' [[buffer(2)]] needs 12 bytes");
  lacks(run([&](MTL::ComputeCommandEncoder* encoder) {
          encoder->setComputePipelineState(reverse.get());
          encoder->setBuffer(a.get(), 0, 0);
          encoder->setThreadgroupMemoryLength(32784, 0);
          encoder->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1));
        }),
        "32768");
}

TEST_F(Native, QueuesWorkSideBySide) {
  auto scale = pipeline("scale");
  const Parameters parameters = {1, {0, 1}};
  std::vector<NS::SharedPtr<MTL::Buffer>> results;
  std::vector<MTL::CommandBuffer*> buffers;
  for (int q = 0; q < 4; ++q) {
    auto own = NS::TransferPtr(device->newCommandQueue());
    results.push_back(bufferOf(std::vector<float>(256)));
    // Each of a hundred command buffers adds one in place.
    for (int i = 0; i < 100; ++i) {
      MTL::CommandBuffer* buffer = own->commandBuffer();
      MTL::ComputeCommandEncoder* encoder = buffer->computeCommandEncoder();
      encoder->setComputePipelineState(scale.get());
      encoder->setBuffer(results.back().get(), 0, 0);
      encoder->setBuffer(results.back().get(), 0, 1);
      encoder->setBytes(&parameters, sizeof parameters, 2);
      encoder->dispatchThreads(MTL::Size(256, 1, 1), MTL::Size(32, 1, 1));
      encoder->endEncoding();
      buffer->commit();
      buffers.push_back(buffer);
    }
  }
  for (MTL::CommandBuffer* buffer : buffers)
    buffer->waitUntilCompleted();
  for (const auto& result : results)
    EXPECT_EQ(static_cast<float*>(result->contents())[255], 100);
}

} // namespace
