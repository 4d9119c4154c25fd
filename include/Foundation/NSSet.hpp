// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "NSEnumerator.hpp"
#include "NSObject.hpp"
#include "NSTypes.hpp"

namespace NS {

/// An immutable set of distinct objects (Object::isEqual), which it retains.
class METALLOID_API Set : public Copying<Set> {
public:
  static Set* alloc();
  Set* init();
  Set* init(const Object* const* pObjects, UInteger count);

  UInteger count() const;
  Enumerator<Object>* objectEnumerator() const;
};

} // namespace NS
