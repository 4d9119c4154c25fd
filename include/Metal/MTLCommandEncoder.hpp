// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "MTLDefines.hpp"
#include <Foundation/NSObject.hpp>
#include <Foundation/NSString.hpp>

namespace MTL {

class Device;

using ResourceUsage = NS::UInteger;
enum : NS::UInteger {
  ResourceUsageRead = 1,
  ResourceUsageWrite = 1 << 1,
  ResourceUsageSample = 1 << 2,
};

using BarrierScope = NS::UInteger;
enum : NS::UInteger {
  BarrierScopeBuffers = 1,
  BarrierScopeTextures = 1 << 1,
  BarrierScopeRenderTargets = 1 << 2,
};

/// One pass over a command buffer. Calls after endEncoding() throw std::logic_error.
class METALLOID_API CommandEncoder : public NS::Referencing<CommandEncoder> {
public:
  Device* device() const;
  void endEncoding();
  void insertDebugSignpost(const NS::String* string);
  NS::String* label() const;
  void popDebugGroup();
  void pushDebugGroup(const NS::String* string);
  void setLabel(const NS::String* label);
};

} // namespace MTL
