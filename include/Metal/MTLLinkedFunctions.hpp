// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "MTLDefines.hpp"
#include <Foundation/NSArray.hpp>
#include <Foundation/NSDictionary.hpp>
#include <Foundation/NSObject.hpp>

namespace MTL {

/// Visible functions for a pipeline. Linking is not built yet: newComputePipelineState gives an
/// error where any list holds a function.
class METALLOID_API LinkedFunctions : public NS::Copying<LinkedFunctions> {
public:
  static LinkedFunctions* alloc();
  NS::Array* binaryFunctions() const;
  NS::Array* functions() const;
  NS::Dictionary* groups() const;
  LinkedFunctions* init();
  static LinkedFunctions* linkedFunctions();
  NS::Array* privateFunctions() const;
  void setBinaryFunctions(const NS::Array* binaryFunctions);
  void setFunctions(const NS::Array* functions);
  void setGroups(const NS::Dictionary* groups);
  void setPrivateFunctions(const NS::Array* privateFunctions);
};

} // namespace MTL
