// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "MTLBuffer.hpp"

namespace MTL {

enum HeapType : NS::Integer {
  HeapTypeAutomatic = 0,
  HeapTypePlacement = 1,
  HeapTypeSparse = 2,
};

class METALLOID_API HeapDescriptor : public NS::Copying<HeapDescriptor> {
public:
  static HeapDescriptor* alloc();
  HeapDescriptor* init();
  CPUCacheMode cpuCacheMode() const;
  HazardTrackingMode hazardTrackingMode() const;
  ResourceOptions resourceOptions() const;
  void setCpuCacheMode(MTL::CPUCacheMode cpuCacheMode);
  void setHazardTrackingMode(MTL::HazardTrackingMode hazardTrackingMode);
  void setResourceOptions(MTL::ResourceOptions resourceOptions);
  void setSize(NS::UInteger size);
  void setStorageMode(MTL::StorageMode storageMode);
  void setType(MTL::HeapType type);
  NS::UInteger size() const;
  StorageMode storageMode() const;
  HeapType type() const;
};

/// A budget of memory from which buffers are made. Only heaps of HeapTypeAutomatic are built: for
/// others, newHeap returns null.
class METALLOID_API Heap : public NS::Referencing<Heap, Allocation> {
public:
  CPUCacheMode cpuCacheMode() const;
  NS::UInteger currentAllocatedSize() const;
  Device* device() const;
  HazardTrackingMode hazardTrackingMode() const;
  NS::String* label() const;
  /// The largest buffer that still fits, bytes.
  NS::UInteger maxAvailableSize(NS::UInteger alignment);
  /// Null where the heap has no room left or has another storage mode.
  Buffer* newBuffer(NS::UInteger length, MTL::ResourceOptions options);
  ResourceOptions resourceOptions() const;
  void setLabel(const NS::String* label);
  NS::UInteger size() const;
  StorageMode storageMode() const;
  HeapType type() const;
  /// Bytes of the buffers that live; falls when a buffer's last reference ends.
  NS::UInteger usedSize() const;
};

} // namespace MTL
