// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include <Foundation/NSDictionary.hpp>

#include "metal/foundation/object.h"

namespace metalloid::metal {

/// Equality and hash of Foundation's collections.
struct SameObject {
  size_t operator()(const NS::Object* object) const { return objectOf(object)->hash(); }
  bool operator()(const NS::Object* left, const NS::Object* right) const {
    return objectOf(left)->isEqual(*objectOf(right));
  }
};

class DictionaryObject final : public ImmutableObject {
public:
  using Handle = NS::Dictionary;

  DictionaryObject() = default;
  /// Of two equal keys the later one's object counts.
  void add(const NS::Object* key, const NS::Object* object);

  bool isEqual(const Object& other) const override;
  size_t hash() const override { return order.size(); }
  std::string description() const override;

  struct Entry {
    NS::SharedPtr<NS::Object> key, object;
  };
  std::vector<Entry> order; ///< In the order of adding.
  std::unordered_map<const NS::Object*, size_t, SameObject, SameObject> index;
};

} // namespace metalloid::metal
