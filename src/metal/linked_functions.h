// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Metal/MTLLinkedFunctions.hpp>

#include "metal/foundation/object.h"

namespace metalloid::metal {

class LinkedFunctionsObject final : public CopyableObject<LinkedFunctionsObject> {
public:
  using Handle = MTL::LinkedFunctions;
  std::string description() const override { return "MTLLinkedFunctions"; }

  bool isEmpty() const {
    for (const auto& list : {functions, binaryFunctions, privateFunctions})
      if (list && list->count() > 0)
        return false;
    return !groups || groups->count() == 0;
  }

  NS::SharedPtr<NS::Array> functions, binaryFunctions, privateFunctions;
  NS::SharedPtr<NS::Dictionary> groups;
};

} // namespace metalloid::metal
