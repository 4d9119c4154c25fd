// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>

#include <Metal/MTLDevice.hpp>

#include "metal/foundation/object.h"
#include "runtime/device.h"

namespace metalloid::metal {

/// One a device of the run time; made once, never destroyed.
class DeviceObject final : public Object {
public:
  using Handle = MTL::Device;

  explicit DeviceObject(std::shared_ptr<runtime::Device> device);
  std::string description() const override { return "MTLDevice " + runtime.info().name; }

  runtime::Device& runtime;
  std::atomic<uint64_t> allocatedBytes = 0; ///< Of the buffers and heaps that live.
  NS::SharedPtr<NS::String> name;
  NS::SharedPtr<MTL::Architecture> architecture;

private:
  const std::shared_ptr<runtime::Device> owner_;
};

/// Counts bytes against a device for as long as it lives.
class AllocatedBytes {
public:
  AllocatedBytes(DeviceObject& device, uint64_t bytes) : device_(device), bytes_(bytes) {
    device_.allocatedBytes += bytes_;
  }
  AllocatedBytes(const AllocatedBytes&) = delete;
  ~AllocatedBytes() { device_.allocatedBytes -= bytes_; }

private:
  DeviceObject& device_;
  const uint64_t bytes_;
};

} // namespace metalloid::metal
