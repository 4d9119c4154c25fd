// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include <Metal/MTLCommandBuffer.hpp>
#include <Metal/MTLCommandQueue.hpp>

#include "metal/callback.h"
#include "metal/command_queue.h"
#include "metal/labelled.h"

namespace metalloid::metal {

/// Encoding is for one thread at a time; what completion changes may be read from any.
class CommandBufferObject final : public LabelledObject {
public:
  using Handle = MTL::CommandBuffer;

  CommandBufferObject(NS::SharedPtr<MTL::CommandQueue> queue, bool retainedReferences);
  ~CommandBufferObject() override;
  const char* className() const override { return "MTLCommandBuffer"; }

  CommandQueueObject& queue() const { return *as<CommandQueueObject>(queue_.get()); }

  /// Encoders: at most one is open. Throws std::logic_error where that does not hold.
  void openEncoder(std::string_view operation);
  void closeEncoder();
  /// Adds to the work. Throws std::logic_error after commit.
  void encode(runtime::Command command, std::string_view operation);
  /// Everything encoded so far comes before everything encoded later.
  void barrier();
  /// Keeps something alive until completion.
  void keep(std::shared_ptr<void> object);
  /// The call that cannot be encoded; the first one counts.
  void failEncoding(Error error);

  void addHandler(bool completed, OwnedCallback<MTL::CommandBuffer*> handler);
  void enqueue();
  void commit();
  void waitUntilScheduled();
  void waitUntilCompleted();

  MTL::CommandBufferStatus status();
  NS::Error* error();
  double startTime() const { return isOver() ? startTime_ : 0; }
  double endTime() const { return isOver() ? endTime_ : 0; }

  const bool retainedReferences;
  MTL::CommandBufferErrorOption errorOptions = MTL::CommandBufferErrorOptionNone;

private:
  enum class Stage : uint8_t { Encoding, Enqueued, Committed, Scheduled, Over };
  class HandlerTask;

  bool isOver() const { return stage_.load(std::memory_order_acquire) == Stage::Over; }
  void requireEncoding(std::string_view operation) const;
  void schedule();
  void callScheduledHandlers();
  void complete(const runtime::Completion& completion);
  void callCompletedHandlers();
  void finish();
  void endOfAnotherProcess();
  void waitFor(const std::atomic<bool>& flag);

  const NS::SharedPtr<MTL::CommandQueue> queue_;
  std::unique_ptr<runtime::CommandList> list_ = std::make_unique<runtime::CommandList>();
  std::optional<Error> encodingError_;
  bool encoderIsOpen_ = false;
  std::vector<OwnedCallback<MTL::CommandBuffer*>> scheduledHandlers_, completedHandlers_;
  uint64_t generation_ = 0; ///< Of forks, when committed.

  std::atomic<Stage> stage_ = Stage::Encoding;
  std::atomic<bool> scheduled_ = false; ///< Scheduled handlers were called.
  std::atomic<bool> finished_ = false;  ///< Completed handlers were called.
  // Written before the stage is Over, read after.
  NS::SharedPtr<NS::Error> error_;
  double startTime_ = 0, endTime_ = 0;
};

} // namespace metalloid::metal
