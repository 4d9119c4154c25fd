// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <Foundation/NSArray.hpp>

#include "metal/foundation/object.h"

namespace metalloid::metal {

using ObjectList = std::vector<NS::SharedPtr<NS::Object>>;

class ArrayObject final : public ImmutableObject {
public:
  using Handle = NS::Array;

  explicit ArrayObject(ObjectList objects = {}) : objects(std::move(objects)) {}

  bool isEqual(const Object& other) const override;
  size_t hash() const override { return objects.size(); }
  std::string description() const override;

  ObjectList objects;
};

/// Owned by the caller.
template <class Objects> NS::SharedPtr<NS::Array> makeArray(const Objects& objects) {
  return NS::TransferPtr(make<ArrayObject>(ObjectList(objects.begin(), objects.end())));
}

/// Walks over the objects. Autoreleased.
NS::Enumerator<NS::Object>* enumerate(ObjectList objects);

} // namespace metalloid::metal
