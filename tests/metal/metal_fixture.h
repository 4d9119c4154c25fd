// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <Metal/Metal.hpp>
#include <gtest/gtest.h>

#include "fake_runtime.h"

namespace metalloid::fake {

/// A pool, the device, a queue, and a kernel "add": c[i] = a[i] + b[i] over the grid's width.
class MetalTest : public testing::Test {
protected:
  MetalTest() {
    kernels()["add"] = kernel("add", 3, [](const runtime::Dispatch& dispatch) -> Expected<void> {
      for (uint64_t i = 0; i < dispatch.threads[0]; ++i)
        bound<float>(dispatch, 2)[i] = bound<float>(dispatch, 0)[i] + bound<float>(dispatch, 1)[i];
      return {};
    });
    kernels()["nothing"] =
        kernel("nothing", 0, [](const runtime::Dispatch&) -> Expected<void> { return {}; });
    kernels()["broken"] = kernel("broken", 0, [](const runtime::Dispatch&) -> Expected<void> {
      return fail(Error::Kind::Fault, "kernel \"broken\": read of address 0x10");
    });
  }

  static NS::String* text(const std::string& utf8) {
    return NS::String::string(utf8.c_str(), NS::UTF8StringEncoding);
  }

  NS::SharedPtr<MTL::Library> library(const char* source) {
    NS::Error* error = nullptr;
    auto made = NS::TransferPtr(device->newLibrary(text(source), nullptr, &error));
    EXPECT_TRUE(made) << (error ? error->localizedDescription()->utf8String() : "");
    return made;
  }

  NS::SharedPtr<MTL::ComputePipelineState> pipeline(const char* kernel) {
    auto function = NS::TransferPtr(library(kernel)->newFunction(text(kernel)));
    NS::Error* error = nullptr;
    auto made = NS::TransferPtr(device->newComputePipelineState(function.get(), &error));
    EXPECT_TRUE(made) << (error ? error->localizedDescription()->utf8String() : "");
    return made;
  }

  NS::SharedPtr<MTL::Buffer> floats(std::initializer_list<float> values) {
    return NS::TransferPtr(device->newBuffer(std::data(values), values.size() * sizeof(float),
                                             MTL::ResourceStorageModeShared));
  }

  /// Encodes c = a + b.
  void encodeAdd(MTL::CommandBuffer* buffer, const MTL::Buffer* a, const MTL::Buffer* b,
                 const MTL::Buffer* c, NS::UInteger threads) {
    MTL::ComputeCommandEncoder* encoder = buffer->computeCommandEncoder();
    encoder->setComputePipelineState(add.get());
    encoder->setBuffer(a, 0, 0);
    encoder->setBuffer(b, 0, 1);
    encoder->setBuffer(c, 0, 2);
    encoder->dispatchThreads(MTL::Size(threads, 1, 1), MTL::Size(32, 1, 1));
    encoder->endEncoding();
  }

  /// Encodes a dispatch of a kernel without arguments.
  void encode(MTL::CommandBuffer* buffer, const char* kernel) {
    MTL::ComputeCommandEncoder* encoder = buffer->computeCommandEncoder();
    encoder->setComputePipelineState(pipeline(kernel).get());
    encoder->dispatchThreads(MTL::Size(1, 1, 1), MTL::Size(1, 1, 1));
    encoder->endEncoding();
  }

  static std::string message(NS::Error* error) {
    return error ? error->localizedDescription()->utf8String() : "";
  }

  NS::SharedPtr<NS::AutoreleasePool> pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  NS::SharedPtr<MTL::Device> device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  NS::SharedPtr<MTL::CommandQueue> queue = NS::TransferPtr(device->newCommandQueue());
  NS::SharedPtr<MTL::ComputePipelineState> add;

  void SetUp() override { add = pipeline("add"); }
};

} // namespace metalloid::fake
