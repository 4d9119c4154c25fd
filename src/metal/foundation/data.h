// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <Foundation/NSData.hpp>

#include "metal/foundation/object.h"

namespace metalloid::metal {

class DataObject final : public CopyableObject<DataObject> {
public:
  using Handle = NS::Data;

  DataObject(const void* bytes, size_t length)
      : bytes(static_cast<const std::byte*>(bytes), static_cast<const std::byte*>(bytes) + length) {
  }

  bool isEqual(const Object& other) const override {
    auto* data = dynamic_cast<const DataObject*>(&other);
    return data && data->bytes == bytes;
  }
  size_t hash() const override { return bytes.size(); }
  std::string description() const override { return "NSData"; }

  std::vector<std::byte> bytes;
};

} // namespace metalloid::metal
