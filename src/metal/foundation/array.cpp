// SPDX-License-Identifier: Apache-2.0
#include "metal/foundation/array.h"

#include <algorithm>
#include <stdexcept>

namespace metalloid::metal {

bool ArrayObject::isEqual(const Object& other) const {
  auto* array = dynamic_cast<const ArrayObject*>(&other);
  return array &&
         std::equal(objects.begin(), objects.end(), array->objects.begin(), array->objects.end(),
                    [](const auto& left, const auto& right) { return left->isEqual(right.get()); });
}

std::string ArrayObject::description() const {
  std::string text = "(";
  for (const auto& object : objects)
    text += (text.size() > 1 ? ", " : "") + objectOf(object.get())->description();
  return text + ")";
}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace NS {
namespace {

ObjectList listOf(const Object* const* pObjects, UInteger count) {
  ObjectList objects;
  for (UInteger i = 0; i < count; ++i) {
    if (!pObjects[i])
      throw std::invalid_argument("NS::Array: object " + std::to_string(i) + " is null");
    objects.push_back(retained(pObjects[i]));
  }
  return objects;
}

} // namespace

Array* Array::array() {
  return makeAutoreleased<ArrayObject>();
}

Array* Array::array(const Object* pObject) {
  return array(&pObject, 1);
}

Array* Array::array(const Object* const* pObjects, UInteger count) {
  return makeAutoreleased<ArrayObject>(listOf(pObjects, count));
}

Array* Array::alloc() {
  return make<ArrayObject>();
}

Array* Array::init() {
  return this;
}

Array* Array::init(const Object* const* pObjects, UInteger count) {
  as<ArrayObject>(this)->objects = listOf(pObjects, count);
  return this;
}

UInteger Array::count() const {
  return as<ArrayObject>(this)->objects.size();
}

Enumerator<Object>* Array::objectEnumerator() const {
  return enumerate(as<ArrayObject>(this)->objects);
}

Object* Array::objectAtIndex(UInteger index) const {
  const ObjectList& objects = as<ArrayObject>(this)->objects;
  if (index >= objects.size())
    throw std::out_of_range("NS::Array::object: index " + std::to_string(index) +
                            " is beyond the array's count " + std::to_string(objects.size()));
  return objects[index].get();
}

} // namespace NS
