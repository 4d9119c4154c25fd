// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <Metal/MTLEvent.hpp>
#include <Metal/MTLFence.hpp>

#include "metal/device.h"
#include "metal/labelled.h"

namespace metalloid::metal {

class EventObject : public LabelledObject {
public:
  using Handle = MTL::Event;

  explicit EventObject(DeviceObject& device)
      : LabelledObject(device), event(device.runtime.makeEvent()) {}
  const char* className() const override { return "MTLEvent"; }

  const std::shared_ptr<runtime::Event> event;
};

class SharedEventObject final : public EventObject {
public:
  using Handle = MTL::SharedEvent;

  using EventObject::EventObject;
  const char* className() const override { return "MTLSharedEvent"; }
};

MTL::SharedEvent* eventOfHandle(const MTL::SharedEventHandle* handle);

class FenceObject final : public LabelledObject {
public:
  using Handle = MTL::Fence;

  using LabelledObject::LabelledObject;
  const char* className() const override { return "MTLFence"; }
};

} // namespace metalloid::metal
