// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "NSObject.hpp"

extern "C" {
METALLOID_API void* metalloid_enumerator_next(void* enumerator);
METALLOID_API void* metalloid_enumerator_all(void* enumerator);
}

namespace NS {

struct FastEnumerationState {
  unsigned long state;
  Object** itemsPtr;
  unsigned long* mutationsPtr;
  unsigned long extra[5];
} __attribute__((packed));

class METALLOID_API FastEnumeration : public Referencing<FastEnumeration> {
public:
  /// Fills `pBuffer` with up to `len` of the next objects; returns how many, 0 at the end.
  NS::UInteger countByEnumerating(FastEnumerationState* pState, Object** pBuffer, NS::UInteger len);
};

/// Walks once over a collection as it was when the enumerator was made.
template <class _ObjectType>
class Enumerator : public Referencing<Enumerator<_ObjectType>, FastEnumeration> {
public:
  /// Null at the end.
  _ObjectType* nextObject() { return static_cast<_ObjectType*>(metalloid_enumerator_next(this)); }
  /// What has not been visited yet.
  class Array* allObjects() { return static_cast<class Array*>(metalloid_enumerator_all(this)); }
};

} // namespace NS
