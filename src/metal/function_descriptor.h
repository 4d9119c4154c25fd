// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Metal/MTLFunctionConstantValues.hpp>
#include <Metal/MTLFunctionDescriptor.hpp>

#include "metal/foundation/object.h"

namespace metalloid::metal {

class FunctionDescriptorObject final : public CopyableObject<FunctionDescriptorObject> {
public:
  using Handle = MTL::FunctionDescriptor;
  std::string description() const override { return "MTLFunctionDescriptor"; }

  NS::SharedPtr<NS::String> name;
  NS::SharedPtr<NS::String> specializedName;
  NS::SharedPtr<MTL::FunctionConstantValues> constantValues;
  MTL::FunctionOptions options = MTL::FunctionOptionNone;
};

} // namespace metalloid::metal
