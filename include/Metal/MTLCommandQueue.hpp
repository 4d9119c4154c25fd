// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "MTLDefines.hpp"
#include <Foundation/NSObject.hpp>
#include <Foundation/NSString.hpp>

namespace MTL {

class CommandBuffer;
class CommandBufferDescriptor;
class Device;

/// Runs command buffers in the order in which they were enqueued or committed. Queues run side by
/// side. The queue may be released while its command buffers still run.
class METALLOID_API CommandQueue : public NS::Referencing<CommandQueue> {
public:
  CommandBuffer* commandBuffer();
  CommandBuffer* commandBuffer(const MTL::CommandBufferDescriptor* descriptor);
  CommandBuffer* commandBufferWithUnretainedReferences();
  Device* device() const;
  NS::String* label() const;
  void setLabel(const NS::String* label);
};

class METALLOID_API CommandQueueDescriptor : public NS::Copying<CommandQueueDescriptor> {
public:
  static CommandQueueDescriptor* alloc();
  CommandQueueDescriptor* init();
  NS::UInteger maxCommandBufferCount() const;
  /// Queues here hold any number of command buffers; the value is only kept.
  void setMaxCommandBufferCount(NS::UInteger maxCommandBufferCount);
};

} // namespace MTL
