// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <vector>

#include <Metal/MTLComputeCommandEncoder.hpp>
#include <Metal/MTLComputePipeline.hpp>

#include "metal/command_encoder.h"

namespace metalloid::metal {

class ComputeCommandEncoderObject final : public CommandEncoderObject {
public:
  using Handle = MTL::ComputeCommandEncoder;

  ComputeCommandEncoderObject(NS::SharedPtr<MTL::CommandBuffer> buffer,
                              MTL::DispatchType dispatchType)
      : CommandEncoderObject(std::move(buffer)), dispatchType(dispatchType) {}
  const char* className() const override { return "MTLComputeCommandEncoder"; }

  void setPipeline(const MTL::ComputePipelineState* state);
  void setBuffer(const MTL::Buffer* buffer, uint64_t offset, uint64_t index,
                 std::string_view operation);
  void setBufferOffset(uint64_t offset, uint64_t index);
  void setBytes(const void* bytes, uint64_t length, uint64_t index);
  void setThreadgroupMemoryLength(uint64_t length, uint64_t index);

  /// Takes the threads of the grid, or where to read its threadgroups.
  void dispatch(runtime::Extent threads, std::optional<runtime::BoundBuffer> indirect,
                const std::array<uint64_t, 3>& threadsPerThreadgroup, std::string_view operation);

  const MTL::DispatchType dispatchType;

private:
  bool isIndex(uint64_t index, std::string_view operation);

  NS::SharedPtr<MTL::ComputePipelineState> pipeline_;
  std::vector<runtime::BoundArgument> buffers_;
  std::vector<uint64_t> threadgroupLengths_;
};

} // namespace metalloid::metal
