// SPDX-License-Identifier: Apache-2.0
#include "metal/command_buffer.h"

#include <stdexcept>
#include <string>

#include <Foundation/NSAutoreleasePool.hpp>

#include "metal/blit_command_encoder.h"
#include "metal/compute_command_encoder.h"
#include "metal/errors.h"
#include "metal/event.h"
#include <Metal/MTLComputePass.hpp>

namespace metalloid::metal {
namespace {

class CommandBufferDescriptorObject final : public CopyableObject<CommandBufferDescriptorObject> {
public:
  using Handle = MTL::CommandBufferDescriptor;
  std::string description() const override { return "MTLCommandBufferDescriptor"; }

  MTL::CommandBufferErrorOption errorOptions = MTL::CommandBufferErrorOptionNone;
  bool retainedReferences = true;
};

} // namespace

/// Calls handlers of one command buffer on the queue's handler thread.
class CommandBufferObject::HandlerTask final : public runtime::Task {
public:
  HandlerTask(NS::SharedPtr<MTL::CommandBuffer> buffer, void (CommandBufferObject::*call)())
      : buffer_(std::move(buffer)), call_(call) {}

  void run() override {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    (as<CommandBufferObject>(buffer_.get())->*call_)();
  }

private:
  const NS::SharedPtr<MTL::CommandBuffer> buffer_;
  void (CommandBufferObject::* const call_)();
};

CommandBufferObject::CommandBufferObject(NS::SharedPtr<MTL::CommandQueue> queue,
                                         bool retainedReferences)
    : LabelledObject(as<CommandQueueObject>(queue.get())->device),
      retainedReferences(retainedReferences), queue_(std::move(queue)) {}

CommandBufferObject::~CommandBufferObject() {
  if (stage_ == Stage::Enqueued)
    queue().abandon(this);
}

void CommandBufferObject::requireEncoding(std::string_view operation) const {
  if (stage_ > Stage::Enqueued)
    throw std::logic_error(std::string(operation) + ": the command buffer is committed");
}

void CommandBufferObject::openEncoder(std::string_view operation) {
  requireEncoding(operation);
  if (encoderIsOpen_)
    throw std::logic_error(std::string(operation) +
                           ": another encoder of the command buffer is open; end it first");
  encoderIsOpen_ = true;
}

void CommandBufferObject::closeEncoder() {
  encoderIsOpen_ = false;
  barrier();
}

void CommandBufferObject::encode(runtime::Command command, std::string_view operation) {
  requireEncoding(operation);
  list_->commands.push_back(std::move(command));
}

void CommandBufferObject::barrier() {
  if (list_ && !list_->commands.empty() &&
      !std::holds_alternative<runtime::Barrier>(list_->commands.back()))
    list_->commands.push_back(runtime::Barrier{});
}

void CommandBufferObject::keep(std::shared_ptr<void> object) {
  list_->retained.push_back(std::move(object));
}

void CommandBufferObject::failEncoding(Error error) {
  if (!encodingError_)
    encodingError_ = std::move(error);
}

void CommandBufferObject::addHandler(bool completed, OwnedCallback<MTL::CommandBuffer*> handler) {
  requireEncoding(completed ? "addCompletedHandler" : "addScheduledHandler");
  if (handler)
    (completed ? completedHandlers_ : scheduledHandlers_).push_back(std::move(handler));
}

void CommandBufferObject::enqueue() {
  requireEncoding("enqueue");
  if (stage_ == Stage::Enqueued)
    return;
  stage_ = Stage::Enqueued;
  queue().reserve(this);
}

void CommandBufferObject::commit() {
  requireEncoding("commit");
  if (encoderIsOpen_)
    throw std::logic_error("commit: an encoder of the command buffer is open; end it first");
  generation_ = runtime::forkGeneration();
  stage_ = Stage::Committed;
  if (encodingError_)
    list_->commands.clear(); // All or nothing.
  schedule();
  queue().submit(this, std::move(list_),
                 [self = NS::RetainPtr(handleOf(this))](const runtime::Completion& completion) {
                   as<CommandBufferObject>(self.get())->complete(completion);
                 });
}

/// Before the work is submitted, so that scheduled handlers come before completed ones.
void CommandBufferObject::schedule() {
  if (scheduledHandlers_.empty())
    callScheduledHandlers();
  else
    queue().handlers->post(std::make_unique<HandlerTask>(
        NS::RetainPtr(handleOf(this)), &CommandBufferObject::callScheduledHandlers));
}

void CommandBufferObject::callScheduledHandlers() {
  Stage committed = Stage::Committed;
  stage_.compare_exchange_strong(committed, Stage::Scheduled);
  for (const auto& handler : scheduledHandlers_)
    handler(handleOf(this));
  scheduledHandlers_.clear();
  scheduled_.store(true, std::memory_order_release);
  scheduled_.notify_all();
}

/// On the thread that ran the work. Status and error are there before any handler is called.
void CommandBufferObject::complete(const runtime::Completion& completion) {
  if (encodingError_)
    error_ = commandBufferError(*encodingError_);
  else if (completion.failed)
    error_ = commandBufferError(completion.error);
  startTime_ = completion.startTime;
  endTime_ = completion.endTime;
  stage_.store(Stage::Over, std::memory_order_release);
  // Handlers of earlier command buffers come first; without any, no other thread is needed.
  if (completedHandlers_.empty() && queue().handlers->isIdle())
    finish();
  else
    queue().handlers->post(std::make_unique<HandlerTask>(
        NS::RetainPtr(handleOf(this)), &CommandBufferObject::callCompletedHandlers));
}

void CommandBufferObject::callCompletedHandlers() {
  auto handlers = std::move(completedHandlers_);
  for (auto& handler : handlers) {
    handler(handleOf(this));
    auto destroyed = std::move(handler); // Each after its own call.
  }
  finish();
}

void CommandBufferObject::finish() {
  finished_.store(true, std::memory_order_release);
  finished_.notify_all();
}

/// A command buffer that was committed before a fork cannot complete in the child.
void CommandBufferObject::endOfAnotherProcess() {
  error_ = commandBufferError(
      {Error::Kind::Fault, "waitUntilCompleted: the command buffer was committed before this "
                           "process was forked; its work is the parent's. Encode it again here"});
  stage_.store(Stage::Over, std::memory_order_release);
  scheduled_.store(true, std::memory_order_release);
  finish();
}

void CommandBufferObject::waitFor(const std::atomic<bool>& flag) {
  if (stage_ < Stage::Committed)
    throw std::logic_error("wait: the command buffer is not committed");
  if (generation_ != runtime::forkGeneration() && !flag)
    endOfAnotherProcess();
  auto isSet = [&] { return flag.load(std::memory_order_acquire); };
  queue().queue->help(); // Even where it is set: the queue learns that this program waits.
  if (isSet())
    return;
  if (queue().handlers->isRunningHere())
    queue().handlers->runUntil(isSet); // A handler waits for handlers behind it.
  else
    flag.wait(false, std::memory_order_acquire);
}

void CommandBufferObject::waitUntilScheduled() {
  if (!scheduled_)
    waitFor(scheduled_);
}

void CommandBufferObject::waitUntilCompleted() {
  waitFor(finished_);
}

MTL::CommandBufferStatus CommandBufferObject::status() {
  switch (stage_.load(std::memory_order_acquire)) {
  case Stage::Encoding:
    return MTL::CommandBufferStatusNotEnqueued;
  case Stage::Enqueued:
    return MTL::CommandBufferStatusEnqueued;
  case Stage::Committed:
    return MTL::CommandBufferStatusCommitted;
  case Stage::Scheduled:
    return MTL::CommandBufferStatusScheduled;
  case Stage::Over:
    break;
  }
  return error_ ? MTL::CommandBufferStatusError : MTL::CommandBufferStatusCompleted;
}

NS::Error* CommandBufferObject::error() {
  return isOver() ? error_.get() : nullptr;
}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace MTL {

CommandBufferDescriptor* CommandBufferDescriptor::alloc() {
  return make<CommandBufferDescriptorObject>();
}

CommandBufferDescriptor* CommandBufferDescriptor::init() {
  return this;
}

CommandBufferErrorOption CommandBufferDescriptor::errorOptions() const {
  return as<CommandBufferDescriptorObject>(this)->errorOptions;
}

bool CommandBufferDescriptor::retainedReferences() const {
  return as<CommandBufferDescriptorObject>(this)->retainedReferences;
}

void CommandBufferDescriptor::setErrorOptions(CommandBufferErrorOption errorOptions) {
  as<CommandBufferDescriptorObject>(this)->errorOptions = errorOptions;
}

void CommandBufferDescriptor::setRetainedReferences(bool retainedReferences) {
  as<CommandBufferDescriptorObject>(this)->retainedReferences = retainedReferences;
}

CFTimeInterval CommandBuffer::GPUEndTime() const {
  return as<CommandBufferObject>(this)->endTime();
}

CFTimeInterval CommandBuffer::GPUStartTime() const {
  return as<CommandBufferObject>(this)->startTime();
}

void CommandBuffer::addHandler(bool completed, NS::Private::Callback<CommandBuffer*> handler) {
  as<CommandBufferObject>(this)->addHandler(completed, OwnedCallback<CommandBuffer*>(handler));
}

BlitCommandEncoder* CommandBuffer::blitCommandEncoder() {
  as<CommandBufferObject>(this)->openEncoder("blitCommandEncoder");
  return makeAutoreleased<BlitCommandEncoderObject>(NS::RetainPtr(this));
}

CommandQueue* CommandBuffer::commandQueue() const {
  return handleOf(&as<CommandBufferObject>(this)->queue());
}

void CommandBuffer::commit() {
  as<CommandBufferObject>(this)->commit();
}

ComputeCommandEncoder*
CommandBuffer::computeCommandEncoder(const ComputePassDescriptor* computePassDescriptor) {
  return computeCommandEncoder(computePassDescriptor ? computePassDescriptor->dispatchType()
                                                     : DispatchTypeSerial);
}

ComputeCommandEncoder* CommandBuffer::computeCommandEncoder() {
  return computeCommandEncoder(DispatchTypeSerial);
}

ComputeCommandEncoder* CommandBuffer::computeCommandEncoder(DispatchType dispatchType) {
  as<CommandBufferObject>(this)->openEncoder("computeCommandEncoder");
  return makeAutoreleased<ComputeCommandEncoderObject>(NS::RetainPtr(this), dispatchType);
}

Device* CommandBuffer::device() const {
  return handleOf(&as<CommandBufferObject>(this)->device);
}

void CommandBuffer::encodeSignalEvent(const Event* event, uint64_t value) {
  auto* buffer = as<CommandBufferObject>(this);
  buffer->openEncoder("encodeSignalEvent");
  buffer->encode(metalloid::runtime::SignalEvent{as<EventObject>(event)->event, value},
                 "encodeSignalEvent");
  buffer->closeEncoder();
}

void CommandBuffer::encodeWait(const Event* event, uint64_t value) {
  auto* buffer = as<CommandBufferObject>(this);
  buffer->openEncoder("encodeWait");
  buffer->encode(metalloid::runtime::WaitEvent{as<EventObject>(event)->event, value}, "encodeWait");
  buffer->closeEncoder();
}

void CommandBuffer::enqueue() {
  as<CommandBufferObject>(this)->enqueue();
}

NS::Error* CommandBuffer::error() const {
  return as<CommandBufferObject>(this)->error();
}

CommandBufferErrorOption CommandBuffer::errorOptions() const {
  return as<CommandBufferObject>(this)->errorOptions;
}

CFTimeInterval CommandBuffer::kernelEndTime() const {
  return GPUEndTime();
}

CFTimeInterval CommandBuffer::kernelStartTime() const {
  return GPUStartTime();
}

NS::String* CommandBuffer::label() const {
  return as<CommandBufferObject>(this)->label.get();
}

// Debug groups are for captures, which do not exist here.
void CommandBuffer::popDebugGroup() {}

void CommandBuffer::pushDebugGroup(const NS::String*) {}

bool CommandBuffer::retainedReferences() const {
  return as<CommandBufferObject>(this)->retainedReferences;
}

void CommandBuffer::setLabel(const NS::String* label) {
  as<CommandBufferObject>(this)->label = copied(label);
}

CommandBufferStatus CommandBuffer::status() const {
  return as<CommandBufferObject>(this)->status();
}

void CommandBuffer::waitUntilCompleted() {
  as<CommandBufferObject>(this)->waitUntilCompleted();
}

void CommandBuffer::waitUntilScheduled() {
  as<CommandBufferObject>(this)->waitUntilScheduled();
}

} // namespace MTL
