// SPDX-License-Identifier: Apache-2.0
// Arguments and bindings of a pipeline, from the AIR's own description.
#pragma once

#include <Metal/MTLComputePipeline.hpp>

#include "air/reflection.h"
#include "metal/foundation/object.h"

namespace metalloid::metal {

class ReflectionObject final : public ImmutableObject {
public:
  using Handle = MTL::ComputePipelineReflection;

  explicit ReflectionObject(const air::Reflection& reflection);
  std::string description() const override { return "MTLComputePipelineReflection"; }

  NS::SharedPtr<NS::Array> arguments;
  NS::SharedPtr<NS::Array> bindings;
};

} // namespace metalloid::metal
