// SPDX-License-Identifier: Apache-2.0
#include "metal/foundation/object.h"

#include <stdexcept>

#include "metal/foundation/string.h"

namespace metalloid::metal {

Object* Object::copy() const {
  throw std::logic_error("copy: objects of class " + description() + " cannot be copied");
}

} // namespace metalloid::metal

using namespace metalloid::metal;

void metalloid_retain(const void* object) {
  if (object)
    objectOf(object)->retain();
}

void metalloid_release(const void* object) {
  if (object)
    objectOf(object)->release();
}

NS::UInteger metalloid_retain_count(const void* object) {
  return object ? objectOf(object)->references() : 0;
}

void* metalloid_copy(const void* object) {
  return object ? objectOf(object)->copy() : nullptr;
}

namespace NS {

UInteger Object::hash() const {
  return objectOf(this)->hash();
}

bool Object::isEqual(const Object* pObject) const {
  return pObject && objectOf(this)->isEqual(*objectOf(pObject));
}

String* Object::description() const {
  return makeAutoreleased<StringObject>(objectOf(this)->description());
}

String* Object::debugDescription() const {
  return description();
}

} // namespace NS
