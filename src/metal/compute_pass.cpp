// SPDX-License-Identifier: Apache-2.0
#include <Metal/MTLComputePass.hpp>

#include "metal/foundation/object.h"

namespace metalloid::metal {
namespace {

class ComputePassDescriptorObject final : public CopyableObject<ComputePassDescriptorObject> {
public:
  using Handle = MTL::ComputePassDescriptor;
  std::string description() const override { return "MTLComputePassDescriptor"; }

  MTL::DispatchType dispatchType = MTL::DispatchTypeSerial;
};

} // namespace
} // namespace metalloid::metal

using namespace metalloid::metal;

namespace MTL {

ComputePassDescriptor* ComputePassDescriptor::alloc() {
  return make<ComputePassDescriptorObject>();
}

ComputePassDescriptor* ComputePassDescriptor::computePassDescriptor() {
  return makeAutoreleased<ComputePassDescriptorObject>();
}

ComputePassDescriptor* ComputePassDescriptor::init() {
  return this;
}

DispatchType ComputePassDescriptor::dispatchType() const {
  return as<ComputePassDescriptorObject>(this)->dispatchType;
}

void ComputePassDescriptor::setDispatchType(DispatchType dispatchType) {
  as<ComputePassDescriptorObject>(this)->dispatchType = dispatchType;
}

} // namespace MTL
