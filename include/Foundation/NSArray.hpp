// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "NSEnumerator.hpp"
#include "NSObject.hpp"
#include "NSTypes.hpp"

namespace NS {

/// An immutable list that retains its objects.
class METALLOID_API Array : public Copying<Array> {
public:
  static Array* array();
  static Array* array(const Object* pObject);
  static Array* array(const Object* const* pObjects, UInteger count);

  static Array* alloc();
  Array* init();
  Array* init(const Object* const* pObjects, UInteger count);

  /// Throws std::out_of_range beyond count().
  template <class _Object = Object> _Object* object(UInteger index) const {
    return static_cast<_Object*>(objectAtIndex(index));
  }
  UInteger count() const;
  Enumerator<Object>* objectEnumerator() const;

private:
  Object* objectAtIndex(UInteger index) const;
};

} // namespace NS
