// SPDX-License-Identifier: Apache-2.0
#include "metal/event.h"

namespace metalloid::metal {
namespace {

class SharedEventHandleObject final : public ImmutableObject {
public:
  using Handle = MTL::SharedEventHandle;

  explicit SharedEventHandleObject(MTL::SharedEvent* event) : event(NS::RetainPtr(event)) {}
  std::string description() const override { return "MTLSharedEventHandle"; }

  const NS::SharedPtr<MTL::SharedEvent> event;
};

} // namespace

MTL::SharedEvent* eventOfHandle(const MTL::SharedEventHandle* handle) {
  return as<SharedEventHandleObject>(handle)->event.get();
}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace MTL {

Device* Event::device() const {
  return handleOf(&as<EventObject>(this)->device);
}

NS::String* Event::label() const {
  return as<EventObject>(this)->label.get();
}

void Event::setLabel(const NS::String* label) {
  as<EventObject>(this)->label = copied(label);
}

NS::String* SharedEventHandle::label() const {
  return eventOfHandle(this)->label();
}

SharedEventHandle* SharedEvent::newSharedEventHandle() {
  return make<SharedEventHandleObject>(this);
}

void SharedEvent::setSignaledValue(uint64_t signaledValue) {
  as<SharedEventObject>(this)->event->signal(signaledValue);
}

uint64_t SharedEvent::signaledValue() const {
  return as<SharedEventObject>(this)->event->value();
}

bool SharedEvent::waitUntilSignaledValue(uint64_t value, uint64_t milliseconds) {
  return as<SharedEventObject>(this)->event->wait(value, milliseconds);
}

Device* Fence::device() const {
  return handleOf(&as<FenceObject>(this)->device);
}

NS::String* Fence::label() const {
  return as<FenceObject>(this)->label.get();
}

void Fence::setLabel(const NS::String* label) {
  as<FenceObject>(this)->label = copied(label);
}

} // namespace MTL
