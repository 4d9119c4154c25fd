// SPDX-License-Identifier: Apache-2.0
#include "metal/buffer.h"

#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>

#include "metal/callback.h"
#include "metal/heap.h"

namespace metalloid::metal {
namespace {

std::optional<runtime::StorageMode> runtimeStorageMode(MTL::ResourceOptions options) {
  switch (storageModeOf(options)) {
  case MTL::StorageModeShared:
    return runtime::StorageMode::Shared;
  case MTL::StorageModeManaged:
    return runtime::StorageMode::Managed;
  case MTL::StorageModePrivate:
    return runtime::StorageMode::Private;
  default:
    return std::nullopt;
  }
}

} // namespace

std::shared_ptr<runtime::Memory> allocate(DeviceObject& device, uint64_t length,
                                          MTL::ResourceOptions options) {
  auto mode = runtimeStorageMode(options);
  if (!mode)
    return nullptr;
  auto memory = device.runtime.allocate(length, *mode);
  return memory ? *std::move(memory) : nullptr;
}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace MTL {

NS::UInteger Allocation::allocatedSize() const {
  return as<AllocationObject>(this)->allocatedSize();
}

NS::UInteger Resource::allocatedSize() const {
  return as<ResourceObject>(this)->allocatedSize();
}

CPUCacheMode Resource::cpuCacheMode() const {
  return CPUCacheMode(as<ResourceObject>(this)->options & 15);
}

Device* Resource::device() const {
  return handleOf(&as<ResourceObject>(this)->device);
}

HazardTrackingMode Resource::hazardTrackingMode() const {
  return HazardTrackingMode(as<ResourceObject>(this)->options >> 8 & 3);
}

Heap* Resource::heap() const {
  auto* buffer = tryAs<BufferObject>(this);
  HeapObject* heap = buffer ? buffer->heap() : nullptr;
  return heap ? handleOf(heap) : nullptr;
}

NS::String* Resource::label() const {
  return as<ResourceObject>(this)->label.get();
}

ResourceOptions Resource::resourceOptions() const {
  return as<ResourceObject>(this)->options;
}

void Resource::setLabel(const NS::String* label) {
  as<ResourceObject>(this)->label = copied(label);
}

PurgeableState Resource::setPurgeableState(PurgeableState) {
  return PurgeableStateNonVolatile;
}

StorageMode Resource::storageMode() const {
  return storageModeOf(as<ResourceObject>(this)->options);
}

void* Buffer::contents() {
  auto* buffer = as<BufferObject>(this);
  return storageMode() == StorageModePrivate ? nullptr : buffer->memory->contents();
}

void Buffer::didModifyRange(NS::Range range) {
  const NS::UInteger length = this->length();
  if (range.location > length || range.length > length - range.location)
    throw std::out_of_range("MTL::Buffer::didModifyRange: bytes " + std::to_string(range.location) +
                            " to " + std::to_string(range.Max()) + " of a buffer of " +
                            std::to_string(length));
}

GPUAddress Buffer::gpuAddress() const {
  return as<BufferObject>(this)->memory->deviceAddress();
}

NS::UInteger Buffer::length() const {
  return as<BufferObject>(this)->memory->length();
}

Buffer* Device::newBuffer(NS::UInteger length, ResourceOptions options) {
  auto* device = as<DeviceObject>(this);
  auto memory = allocate(*device, length, options);
  return memory ? make<BufferObject>(*device, options, std::move(memory)) : nullptr;
}

Buffer* Device::newBuffer(const void* pointer, NS::UInteger length, ResourceOptions options) {
  if (storageModeOf(options) == StorageModePrivate || (!pointer && length > 0))
    return nullptr;
  Buffer* buffer = newBuffer(length, options);
  if (buffer && length > 0)
    std::memcpy(buffer->contents(), pointer, length);
  return buffer;
}

Buffer* Device::newBufferNoCopy(const void* pointer, NS::UInteger length, ResourceOptions options,
                                NS::Private::Callback<void*, NS::UInteger> deallocator) {
  // Shared, because std::function wants to be copied.
  auto release = std::make_shared<OwnedCallback<void*, NS::UInteger>>(deallocator);
  if (!pointer || storageModeOf(options) == StorageModePrivate)
    return nullptr;
  auto* device = as<DeviceObject>(this);
  void* const memoryOfCaller = const_cast<void*>(pointer);
  auto memory = device->runtime.wrap(memoryOfCaller, length, [release, memoryOfCaller, length] {
    if (*release)
      (*release)(memoryOfCaller, length);
  });
  return memory ? make<BufferObject>(*device, options, *std::move(memory)) : nullptr;
}

} // namespace MTL
