// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <mutex>

#include <Metal/MTLCommandQueue.hpp>

#include "metal/device.h"
#include "metal/labelled.h"
#include "runtime/serial_executor.h"

namespace metalloid::metal {

class CommandBufferObject;

class CommandQueueObject final : public LabelledObject {
public:
  using Handle = MTL::CommandQueue;

  explicit CommandQueueObject(DeviceObject& device)
      : LabelledObject(device), queue(device.runtime.makeQueue()) {}
  const char* className() const override { return "MTLCommandQueue"; }

  /// Gives the command buffer a place in the order before it is committed.
  void reserve(const CommandBufferObject* buffer);
  /// Submits the work of `buffer`, once everything with an earlier place is submitted.
  void submit(const CommandBufferObject* buffer, std::unique_ptr<runtime::CommandList> list,
              std::function<void(const runtime::Completion&)> completed);
  /// The command buffer will never be committed.
  void abandon(const CommandBufferObject* buffer);

  const std::shared_ptr<runtime::Queue> queue;
  runtime::ForkAwareExecutor handlers{"metalloid-done"}; ///< Calls the program's handlers.

private:
  struct Place {
    const CommandBufferObject* buffer;
    std::unique_ptr<runtime::CommandList> list; ///< Null until committed.
    std::function<void(const runtime::Completion&)> completed;
  };
  void submitReady();

  std::mutex mutex_;
  std::deque<Place> places_; ///< From the first that is reserved and not committed on.
};

} // namespace metalloid::metal
