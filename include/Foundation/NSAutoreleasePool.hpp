// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "NSObject.hpp"

namespace NS {

/// Collects the references that autorelease() hands over on this thread, and ends them when the
/// pool is released. Pools nest; releasing one also empties those made after it.
class METALLOID_API AutoreleasePool : public Object {
public:
  static AutoreleasePool* alloc();
  /// Makes this the innermost pool of the calling thread.
  AutoreleasePool* init();
  void drain();
  void addObject(Object* pObject);
  /// Prints this thread's pools to standard error.
  static void showPools();
};

} // namespace NS
