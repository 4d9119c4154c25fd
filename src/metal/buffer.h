// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <Metal/MTLBuffer.hpp>

#include "metal/device.h"
#include "metal/labelled.h"

namespace metalloid::metal {

class HeapObject;

class AllocationObject : public LabelledObject {
public:
  using Handle = MTL::Allocation;

  using LabelledObject::LabelledObject;
  virtual uint64_t allocatedSize() const = 0;
};

class ResourceObject : public AllocationObject {
public:
  using Handle = MTL::Resource;

  ResourceObject(DeviceObject& device, MTL::ResourceOptions options)
      : AllocationObject(device), options(options) {}

  const MTL::ResourceOptions options;
};

inline MTL::StorageMode storageModeOf(MTL::ResourceOptions options) {
  return MTL::StorageMode(options >> 4 & 15);
}

class BufferObject : public ResourceObject {
public:
  using Handle = MTL::Buffer;

  BufferObject(DeviceObject& device, MTL::ResourceOptions options,
               std::shared_ptr<runtime::Memory> memory)
      : ResourceObject(device, options), memory(std::move(memory)),
        counted_(device, this->memory->length()) {}
  const char* className() const override { return "MTLBuffer"; }
  uint64_t allocatedSize() const override { return memory->length(); }
  /// Null unless the buffer was made by a heap.
  virtual HeapObject* heap() const { return nullptr; }

  const std::shared_ptr<runtime::Memory> memory;

private:
  AllocatedBytes counted_;
};

/// New memory of the device, or null where it has none left or the options ask for memoryless
/// storage.
std::shared_ptr<runtime::Memory> allocate(DeviceObject& device, uint64_t length,
                                          MTL::ResourceOptions options);

} // namespace metalloid::metal
