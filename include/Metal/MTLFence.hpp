// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "MTLDefines.hpp"
#include <Foundation/NSObject.hpp>
#include <Foundation/NSString.hpp>

namespace MTL {

class Device;

/// Orders encoders of one command queue.
class METALLOID_API Fence : public NS::Referencing<Fence> {
public:
  Device* device() const;
  NS::String* label() const;
  void setLabel(const NS::String* label);
};

} // namespace MTL
