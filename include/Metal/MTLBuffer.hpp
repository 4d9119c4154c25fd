// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "MTLGPUAddress.hpp"
#include "MTLResource.hpp"
#include <Foundation/NSRange.hpp>

namespace MTL {

/// Memory that kernels and (unless private) the program read and write.
class METALLOID_API Buffer : public NS::Referencing<Buffer, Resource> {
public:
  /// length() bytes, valid until the last reference to the buffer ends; null for private storage.
  /// The program sees what a kernel wrote once its command buffer completed.
  void* contents();
  /// Announces a change of managed memory by the program. Throws std::out_of_range for a range
  /// beyond length().
  void didModifyRange(NS::Range range);
  GPUAddress gpuAddress() const;
  NS::UInteger length() const;
};

} // namespace MTL
