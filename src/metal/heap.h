// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include <Metal/MTLHeap.hpp>

#include "metal/buffer.h"

namespace metalloid::metal {

/// A budget: buffers of a heap have memory of their own, and the heap counts it.
class HeapObject final : public AllocationObject {
public:
  using Handle = MTL::Heap;

  HeapObject(DeviceObject& device, uint64_t size, MTL::ResourceOptions options, MTL::HeapType type)
      : AllocationObject(device), size(size), options(options), type(type) {}
  const char* className() const override { return "MTLHeap"; }
  uint64_t allocatedSize() const override { return size; }

  /// Bytes that a buffer takes of the budget.
  static uint64_t footprint(uint64_t length);
  /// False where they do not fit.
  bool take(uint64_t bytes);
  void giveBack(uint64_t bytes) { used -= bytes; }

  const uint64_t size;
  const MTL::ResourceOptions options;
  const MTL::HeapType type;
  std::atomic<uint64_t> used = 0;
};

} // namespace metalloid::metal
