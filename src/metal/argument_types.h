// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include <Metal/MTLArgument.hpp>

#include "air/reflection.h"
#include "metal/foundation/string.h"

namespace metalloid::metal {

class TypeObject : public ImmutableObject {
public:
  using Handle = MTL::Type;

  explicit TypeObject(MTL::DataType dataType) : dataType(dataType) {}
  std::string description() const override { return "MTLType"; }

  const MTL::DataType dataType;
};

class StructTypeObject final : public TypeObject {
public:
  using Handle = MTL::StructType;

  explicit StructTypeObject(const std::vector<air::StructMember>& members);

  NS::SharedPtr<NS::Array> members;
};

class PointerTypeObject final : public TypeObject {
public:
  using Handle = MTL::PointerType;

  explicit PointerTypeObject(const air::Argument& argument);

  const MTL::BindingAccess access;
  const MTL::DataType elementType;
  const NS::SharedPtr<MTL::StructType> structType; ///< Null unless the elements are structs.
  const uint32_t alignment, dataSize;
};

MTL::BindingAccess bindingAccess(air::Access access);

/// DataTypeStruct where there are members, else by name.
MTL::DataType elementType(std::string_view typeName, const std::vector<air::StructMember>& members);

} // namespace metalloid::metal
