// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <Foundation/NSString.hpp>

#include "metal/foundation/object.h"

namespace metalloid::metal {

/// `text` is valid UTF-8. It changes only in init.
class StringObject final : public ImmutableObject {
public:
  using Handle = NS::String;

  explicit StringObject(std::string utf8 = {}) : text(std::move(utf8)) {}

  bool isEqual(const Object& other) const override {
    auto* string = dynamic_cast<const StringObject*>(&other);
    return string && string->text == text;
  }
  size_t hash() const override { return std::hash<std::string>()(text); }
  std::string description() const override { return text; }

  std::string text;
};

/// Empty for null.
inline std::string_view textOf(const NS::String* string) {
  return string ? std::string_view(as<StringObject>(string)->text) : std::string_view();
}

/// Owned by the caller.
inline NS::SharedPtr<NS::String> makeString(std::string_view utf8) {
  return NS::TransferPtr(make<StringObject>(std::string(utf8)));
}

} // namespace metalloid::metal
