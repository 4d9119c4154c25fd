// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "MTLCommandBuffer.hpp"
#include <Foundation/NSObject.hpp>

namespace MTL {

class METALLOID_API ComputePassDescriptor : public NS::Copying<ComputePassDescriptor> {
public:
  static ComputePassDescriptor* alloc();
  static ComputePassDescriptor* computePassDescriptor();
  DispatchType dispatchType() const;
  ComputePassDescriptor* init();
  void setDispatchType(MTL::DispatchType dispatchType);
};

} // namespace MTL
