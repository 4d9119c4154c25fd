// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "air/reflection.h"
#include "native.h"

namespace metalloid::python {

struct Pipeline {
  NS::SharedPtr<MTL::ComputePipelineState> mtl;
  air::Reflection reflection; ///< Of the specialised kernel.
};

} // namespace metalloid::python
