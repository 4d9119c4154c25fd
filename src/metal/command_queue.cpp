// SPDX-License-Identifier: Apache-2.0
#include "metal/command_queue.h"

#include <algorithm>

#include "metal/command_buffer.h"

namespace metalloid::metal {
namespace {

class CommandQueueDescriptorObject final : public CopyableObject<CommandQueueDescriptorObject> {
public:
  using Handle = MTL::CommandQueueDescriptor;
  std::string description() const override { return "MTLCommandQueueDescriptor"; }

  NS::UInteger maxCommandBufferCount = 64;
};

} // namespace

void CommandQueueObject::reserve(const CommandBufferObject* buffer) {
  std::lock_guard lock(mutex_);
  places_.push_back({buffer, nullptr, nullptr});
}

void CommandQueueObject::submit(const CommandBufferObject* buffer,
                                std::unique_ptr<runtime::CommandList> list,
                                std::function<void(const runtime::Completion&)> completed) {
  // Held while submitting: the order of this lock is the order of the queue.
  std::lock_guard lock(mutex_);
  auto place = std::find_if(places_.begin(), places_.end(),
                            [&](const Place& place) { return place.buffer == buffer; });
  if (place == places_.end())
    place = places_.insert(places_.end(), Place{buffer, nullptr, nullptr});
  place->list = std::move(list);
  place->completed = std::move(completed);
  submitReady();
}

void CommandQueueObject::abandon(const CommandBufferObject* buffer) {
  std::lock_guard lock(mutex_);
  std::erase_if(places_, [&](const Place& place) { return place.buffer == buffer; });
  submitReady();
}

void CommandQueueObject::submitReady() {
  for (; !places_.empty() && places_.front().list; places_.pop_front())
    queue->submit(std::move(places_.front().list), std::move(places_.front().completed));
}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace MTL {

CommandBuffer* CommandQueue::commandBuffer() {
  return makeAutoreleased<CommandBufferObject>(NS::RetainPtr(this), true);
}

CommandBuffer* CommandQueue::commandBuffer(const CommandBufferDescriptor* descriptor) {
  CommandBuffer* buffer = makeAutoreleased<CommandBufferObject>(
      NS::RetainPtr(this), !descriptor || descriptor->retainedReferences());
  if (descriptor)
    as<CommandBufferObject>(buffer)->errorOptions = descriptor->errorOptions();
  return buffer;
}

CommandBuffer* CommandQueue::commandBufferWithUnretainedReferences() {
  return makeAutoreleased<CommandBufferObject>(NS::RetainPtr(this), false);
}

Device* CommandQueue::device() const {
  return handleOf(&as<CommandQueueObject>(this)->device);
}

NS::String* CommandQueue::label() const {
  return as<CommandQueueObject>(this)->label.get();
}

void CommandQueue::setLabel(const NS::String* label) {
  as<CommandQueueObject>(this)->label = copied(label);
}

CommandQueueDescriptor* CommandQueueDescriptor::alloc() {
  return make<CommandQueueDescriptorObject>();
}

CommandQueueDescriptor* CommandQueueDescriptor::init() {
  return this;
}

NS::UInteger CommandQueueDescriptor::maxCommandBufferCount() const {
  return as<CommandQueueDescriptorObject>(this)->maxCommandBufferCount;
}

void CommandQueueDescriptor::setMaxCommandBufferCount(NS::UInteger maxCommandBufferCount) {
  as<CommandQueueDescriptorObject>(this)->maxCommandBufferCount = maxCommandBufferCount;
}

} // namespace MTL
