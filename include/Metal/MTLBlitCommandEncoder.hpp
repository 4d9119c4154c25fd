// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "MTLCommandEncoder.hpp"
#include <Foundation/NSRange.hpp>

namespace MTL {

class Buffer;
class Fence;
class Resource;

/// Encodes copies and fills. Ranges beyond a buffer fail the command buffer (see CommandBuffer).
class METALLOID_API BlitCommandEncoder
    : public NS::Referencing<BlitCommandEncoder, CommandEncoder> {
public:
  /// Bytes; where source and destination overlap the copy is as if through a third buffer.
  void copyFromBuffer(const MTL::Buffer* sourceBuffer, NS::UInteger sourceOffset,
                      const MTL::Buffer* destinationBuffer, NS::UInteger destinationOffset,
                      NS::UInteger size);
  void fillBuffer(const MTL::Buffer* buffer, NS::Range range, uint8_t value);
  /// Makes what the device wrote to managed memory visible to the program.
  void synchronizeResource(const MTL::Resource* resource);
  void updateFence(const MTL::Fence* fence);
  void waitForFence(const MTL::Fence* fence);
};

} // namespace MTL
