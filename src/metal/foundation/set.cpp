// SPDX-License-Identifier: Apache-2.0
#include <unordered_set>

#include <Foundation/NSSet.hpp>

#include "metal/foundation/array.h"
#include "metal/foundation/dictionary.h"

namespace metalloid::metal {
namespace {

class SetObject final : public ImmutableObject {
public:
  using Handle = NS::Set;

  std::string description() const override { return "NSSet"; }

  void add(const NS::Object* object) {
    if (known_.insert(object).second)
      objects.push_back(retained(object));
  }

  ObjectList objects; ///< In the order of adding.

private:
  std::unordered_set<const NS::Object*, SameObject, SameObject> known_;
};

} // namespace
} // namespace metalloid::metal

using namespace metalloid::metal;

namespace NS {

Set* Set::alloc() {
  return make<SetObject>();
}

Set* Set::init() {
  return this;
}

Set* Set::init(const Object* const* pObjects, UInteger count) {
  for (UInteger i = 0; i < count; ++i)
    as<SetObject>(this)->add(pObjects[i]);
  return this;
}

UInteger Set::count() const {
  return as<SetObject>(this)->objects.size();
}

Enumerator<Object>* Set::objectEnumerator() const {
  return enumerate(as<SetObject>(this)->objects);
}

} // namespace NS
