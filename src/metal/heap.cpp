// SPDX-License-Identifier: Apache-2.0
#include "metal/heap.h"

namespace metalloid::metal {
namespace {

constexpr uint64_t HeapAlignment = 256;

class HeapDescriptorObject final : public CopyableObject<HeapDescriptorObject> {
public:
  using Handle = MTL::HeapDescriptor;
  std::string description() const override { return "MTLHeapDescriptor"; }

  MTL::ResourceOptions options() const {
    return MTL::ResourceOptions(cpuCacheMode) | MTL::ResourceOptions(storageMode) << 4 |
           MTL::ResourceOptions(hazardTrackingMode) << 8;
  }

  uint64_t size = 0;
  MTL::StorageMode storageMode = MTL::StorageModePrivate;
  MTL::CPUCacheMode cpuCacheMode = MTL::CPUCacheModeDefaultCache;
  MTL::HazardTrackingMode hazardTrackingMode = MTL::HazardTrackingModeDefault;
  MTL::HeapType type = MTL::HeapTypeAutomatic;
};

class HeapBufferObject final : public BufferObject {
public:
  HeapBufferObject(NS::SharedPtr<MTL::Heap> heap, MTL::ResourceOptions options,
                   std::shared_ptr<runtime::Memory> memory)
      : BufferObject(as<HeapObject>(heap.get())->device, options, std::move(memory)),
        heap_(std::move(heap)) {}
  ~HeapBufferObject() override { heap()->giveBack(HeapObject::footprint(memory->length())); }
  HeapObject* heap() const override { return as<HeapObject>(heap_.get()); }
  uint64_t allocatedSize() const override { return HeapObject::footprint(memory->length()); }

private:
  const NS::SharedPtr<MTL::Heap> heap_;
};

} // namespace

uint64_t HeapObject::footprint(uint64_t length) {
  return (length + HeapAlignment - 1) / HeapAlignment * HeapAlignment;
}

bool HeapObject::take(uint64_t bytes) {
  uint64_t before = used;
  do {
    if (bytes > size - before)
      return false;
  } while (!used.compare_exchange_weak(before, before + bytes));
  return true;
}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace MTL {

HeapDescriptor* HeapDescriptor::alloc() {
  return make<HeapDescriptorObject>();
}

HeapDescriptor* HeapDescriptor::init() {
  return this;
}

CPUCacheMode HeapDescriptor::cpuCacheMode() const {
  return as<HeapDescriptorObject>(this)->cpuCacheMode;
}

HazardTrackingMode HeapDescriptor::hazardTrackingMode() const {
  return as<HeapDescriptorObject>(this)->hazardTrackingMode;
}

ResourceOptions HeapDescriptor::resourceOptions() const {
  return as<HeapDescriptorObject>(this)->options();
}

void HeapDescriptor::setCpuCacheMode(CPUCacheMode cpuCacheMode) {
  as<HeapDescriptorObject>(this)->cpuCacheMode = cpuCacheMode;
}

void HeapDescriptor::setHazardTrackingMode(HazardTrackingMode hazardTrackingMode) {
  as<HeapDescriptorObject>(this)->hazardTrackingMode = hazardTrackingMode;
}

void HeapDescriptor::setResourceOptions(ResourceOptions resourceOptions) {
  auto* heap = as<HeapDescriptorObject>(this);
  heap->cpuCacheMode = CPUCacheMode(resourceOptions & 15);
  heap->storageMode = storageModeOf(resourceOptions);
  heap->hazardTrackingMode = HazardTrackingMode(resourceOptions >> 8 & 3);
}

void HeapDescriptor::setSize(NS::UInteger size) {
  as<HeapDescriptorObject>(this)->size = size;
}

void HeapDescriptor::setStorageMode(StorageMode storageMode) {
  as<HeapDescriptorObject>(this)->storageMode = storageMode;
}

void HeapDescriptor::setType(HeapType type) {
  as<HeapDescriptorObject>(this)->type = type;
}

NS::UInteger HeapDescriptor::size() const {
  return as<HeapDescriptorObject>(this)->size;
}

StorageMode HeapDescriptor::storageMode() const {
  return as<HeapDescriptorObject>(this)->storageMode;
}

HeapType HeapDescriptor::type() const {
  return as<HeapDescriptorObject>(this)->type;
}

CPUCacheMode Heap::cpuCacheMode() const {
  return CPUCacheMode(resourceOptions() & 15);
}

NS::UInteger Heap::currentAllocatedSize() const {
  return size();
}

Device* Heap::device() const {
  return handleOf(&as<HeapObject>(this)->device);
}

HazardTrackingMode Heap::hazardTrackingMode() const {
  return HazardTrackingMode(resourceOptions() >> 8 & 3);
}

NS::String* Heap::label() const {
  return as<HeapObject>(this)->label.get();
}

NS::UInteger Heap::maxAvailableSize(NS::UInteger) {
  return size() - usedSize();
}

Buffer* Heap::newBuffer(NS::UInteger length, ResourceOptions options) {
  auto* heap = as<HeapObject>(this);
  if (storageModeOf(options) != storageMode() || length > heap->size ||
      !heap->take(HeapObject::footprint(length)))
    return nullptr;
  auto memory = allocate(heap->device, length, options);
  if (!memory) {
    heap->giveBack(HeapObject::footprint(length));
    return nullptr;
  }
  return make<HeapBufferObject>(NS::RetainPtr(this), options, std::move(memory));
}

ResourceOptions Heap::resourceOptions() const {
  return as<HeapObject>(this)->options;
}

void Heap::setLabel(const NS::String* label) {
  as<HeapObject>(this)->label = copied(label);
}

NS::UInteger Heap::size() const {
  return as<HeapObject>(this)->size;
}

StorageMode Heap::storageMode() const {
  return storageModeOf(resourceOptions());
}

HeapType Heap::type() const {
  return as<HeapObject>(this)->type;
}

NS::UInteger Heap::usedSize() const {
  return as<HeapObject>(this)->used;
}

SizeAndAlign Device::heapBufferSizeAndAlign(NS::UInteger length, ResourceOptions) {
  return {HeapObject::footprint(length), HeapAlignment};
}

Heap* Device::newHeap(const HeapDescriptor* descriptor) {
  const auto* wanted = descriptor ? as<HeapDescriptorObject>(descriptor) : nullptr;
  // Placing buffers at offsets and sparse heaps are not built.
  if (!wanted || wanted->type != HeapTypeAutomatic ||
      wanted->storageMode == StorageModeMemoryless || wanted->size == 0)
    return nullptr;
  return make<HeapObject>(*as<DeviceObject>(this), HeapObject::footprint(wanted->size),
                          wanted->options(), wanted->type);
}

} // namespace MTL
