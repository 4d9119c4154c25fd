// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "NSEnumerator.hpp"
#include "NSObject.hpp"
#include "NSTypes.hpp"

namespace NS {

/// An immutable map; keys are equal where Object::isEqual says so. Retains keys and objects.
class METALLOID_API Dictionary : public Copying<Dictionary> {
public:
  static Dictionary* dictionary();
  static Dictionary* dictionary(const Object* pObject, const Object* pKey);
  static Dictionary* dictionary(const Object* const* pObjects, const Object* const* pKeys,
                                UInteger count);

  static Dictionary* alloc();
  Dictionary* init();
  Dictionary* init(const Object* const* pObjects, const Object* const* pKeys, UInteger count);

  template <class _KeyType = Object> Enumerator<_KeyType>* keyEnumerator() const {
    return reinterpret_cast<Enumerator<_KeyType>*>(enumeratorOfKeys());
  }
  /// Null where the key is not there.
  template <class _Object = Object> _Object* object(const Object* pKey) const {
    return static_cast<_Object*>(objectForKey(pKey));
  }
  UInteger count() const;

private:
  Enumerator<Object>* enumeratorOfKeys() const;
  Object* objectForKey(const Object* pKey) const;
};

} // namespace NS
