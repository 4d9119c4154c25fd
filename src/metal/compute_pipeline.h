// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>

#include <Metal/MTLComputePipeline.hpp>
#include <Metal/MTLLibrary.hpp>
#include <Metal/MTLLinkedFunctions.hpp>

#include "metal/buffer.h"
#include "support/error.h"

namespace metalloid::metal {

class ComputePipelineDescriptorObject final
    : public CopyableObject<ComputePipelineDescriptorObject> {
public:
  using Handle = MTL::ComputePipelineDescriptor;
  std::string description() const override { return "MTLComputePipelineDescriptor"; }

  NS::SharedPtr<NS::String> label;
  NS::SharedPtr<MTL::Function> function;
  NS::SharedPtr<MTL::LinkedFunctions> linkedFunctions;
  uint64_t maxTotalThreads = 0;
  std::array<uint64_t, 3> requiredThreads = {0, 0, 0};
  bool wholeSimdgroups = false;
};

/// What dispatches of a pipeline must keep to, beyond what the device itself checks.
struct PipelineLimits {
  uint64_t maxTotalThreads = 0;
  std::array<uint64_t, 3> requiredThreads = {0, 0, 0}; ///< Zeros: any.
  bool wholeSimdgroups = false;

  /// `operation` starts the error's message.
  Expected<void> check(const std::array<uint64_t, 3>& threads, std::string_view operation,
                       std::string_view kernel) const;
};

class ComputePipelineObject final : public AllocationObject {
public:
  using Handle = MTL::ComputePipelineState;

  ComputePipelineObject(DeviceObject& device, std::shared_ptr<runtime::Pipeline> pipeline,
                        PipelineLimits limits);
  const char* className() const override { return "MTLComputePipelineState"; }
  uint64_t allocatedSize() const override { return 0; }

  const std::shared_ptr<runtime::Pipeline> pipeline;
  const PipelineLimits limits;
  const size_t bufferSlots;      ///< One more than the highest [[buffer(n)]].
  const size_t threadgroupSlots; ///< One more than the highest [[threadgroup(n)]].
  const NS::SharedPtr<MTL::ComputePipelineReflection> reflection;
};

} // namespace metalloid::metal
