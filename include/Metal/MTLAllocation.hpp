// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "MTLDefines.hpp"
#include <Foundation/NSObject.hpp>

namespace MTL {

/// Anything that takes device memory.
class METALLOID_API Allocation : public NS::Referencing<Allocation> {
public:
  /// Bytes, at least what was asked for.
  NS::UInteger allocatedSize() const;
};

} // namespace MTL
