// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <Metal/MTLFunctionConstantValues.hpp>

#include "air/reflection.h"
#include "metal/foundation/object.h"

namespace metalloid::metal {

class FunctionConstantValuesObject final : public CopyableObject<FunctionConstantValuesObject> {
public:
  using Handle = MTL::FunctionConstantValues;
  std::string description() const override { return "MTLFunctionConstantValues"; }

  /// Takes the place of an earlier value for the same index or name.
  void set(air::ConstantValue value);

  std::vector<air::ConstantValue> values;
};

/// None for null.
std::vector<air::ConstantValue> constantsOf(const MTL::FunctionConstantValues* values);

} // namespace metalloid::metal
