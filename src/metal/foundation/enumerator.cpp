// SPDX-License-Identifier: Apache-2.0
#include <Foundation/NSEnumerator.hpp>

#include "metal/foundation/array.h"

namespace metalloid::metal {
namespace {

class EnumeratorObject final : public Object {
public:
  using Handle = NS::Enumerator<NS::Object>;

  explicit EnumeratorObject(ObjectList objects) : objects_(std::move(objects)) {}
  std::string description() const override { return "NSEnumerator"; }

  NS::Object* next() { return next_ < objects_.size() ? objects_[next_++].get() : nullptr; }
  ObjectList rest() {
    ObjectList rest(objects_.begin() + next_, objects_.end());
    next_ = objects_.size();
    return rest;
  }

private:
  ObjectList objects_;
  size_t next_ = 0;
};

} // namespace

NS::Enumerator<NS::Object>* enumerate(ObjectList objects) {
  return makeAutoreleased<EnumeratorObject>(std::move(objects));
}

} // namespace metalloid::metal

using namespace metalloid::metal;

void* metalloid_enumerator_next(void* enumerator) {
  return static_cast<EnumeratorObject*>(objectOf(enumerator))->next();
}

void* metalloid_enumerator_all(void* enumerator) {
  return makeAutoreleased<ArrayObject>(
      static_cast<EnumeratorObject*>(objectOf(enumerator))->rest());
}

namespace NS {

UInteger FastEnumeration::countByEnumerating(FastEnumerationState* pState, Object** pBuffer,
                                             UInteger len) {
  auto* enumerator = static_cast<EnumeratorObject*>(objectOf(this));
  UInteger count = 0;
  while (count < len && (pBuffer[count] = enumerator->next()))
    ++count;
  pState->itemsPtr = pBuffer;
  pState->mutationsPtr = &pState->extra[0]; // Never changes: collections are immutable.
  pState->state = 1;
  return count;
}

} // namespace NS
