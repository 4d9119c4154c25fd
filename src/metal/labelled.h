// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <Foundation/NSString.hpp>

#include "metal/foundation/string.h"

namespace metalloid::metal {

class DeviceObject;

/// What most objects of a device have: the device, which lives for ever, and a label.
class LabelledObject : public Object {
public:
  explicit LabelledObject(DeviceObject& device) : device(device) {}

  std::string description() const override {
    return std::string(className()) + (label ? " " + std::string(textOf(label.get())) : "");
  }
  virtual const char* className() const = 0;

  DeviceObject& device;
  NS::SharedPtr<NS::String> label;
};

} // namespace metalloid::metal
