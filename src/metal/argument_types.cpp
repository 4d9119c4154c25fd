// SPDX-License-Identifier: Apache-2.0
#include "metal/argument_types.h"

#include "metal/data_type.h"
#include "metal/foundation/array.h"

namespace metalloid::metal {
namespace {

NS::SharedPtr<MTL::StructType> structTypeOf(const std::vector<air::StructMember>& members) {
  return members.empty() ? nullptr : NS::TransferPtr(make<StructTypeObject>(members));
}

class ArrayTypeObject final : public TypeObject {
public:
  using Handle = MTL::ArrayType;

  explicit ArrayTypeObject(const air::StructMember& member)
      : TypeObject(MTL::DataTypeArray),
        elementType(metal::elementType(member.typeName, member.members)),
        structType(structTypeOf(member.members)), length(member.arrayLength), stride(member.size) {}

  const MTL::DataType elementType;
  const NS::SharedPtr<MTL::StructType> structType;
  const uint32_t length, stride;
};

class StructMemberObject final : public ImmutableObject {
public:
  using Handle = MTL::StructMember;

  explicit StructMemberObject(const air::StructMember& member)
      : name(makeString(member.name)), offset(member.offset),
        dataType(member.arrayLength > 0 ? MTL::DataTypeArray
                                        : elementType(member.typeName, member.members)) {
    if (member.arrayLength > 0)
      arrayType = NS::TransferPtr(make<ArrayTypeObject>(member));
    else
      structType = structTypeOf(member.members);
  }
  std::string description() const override { return std::string(textOf(name.get())); }

  const NS::SharedPtr<NS::String> name;
  const uint32_t offset;
  const MTL::DataType dataType;
  NS::SharedPtr<MTL::ArrayType> arrayType;
  NS::SharedPtr<MTL::StructType> structType;
};

} // namespace

MTL::DataType elementType(std::string_view typeName,
                          const std::vector<air::StructMember>& members) {
  return members.empty() ? dataTypeOf(typeName) : MTL::DataTypeStruct;
}

MTL::BindingAccess bindingAccess(air::Access access) {
  switch (access) {
  case air::Access::Read:
    return MTL::BindingAccessReadOnly;
  case air::Access::Write:
    return MTL::BindingAccessWriteOnly;
  case air::Access::ReadWrite:
    return MTL::BindingAccessReadWrite;
  }
  return MTL::BindingAccessReadWrite;
}

StructTypeObject::StructTypeObject(const std::vector<air::StructMember>& members)
    : TypeObject(MTL::DataTypeStruct) {
  ObjectList list;
  for (const air::StructMember& member : members)
    list.push_back(NS::TransferPtr(make<StructMemberObject>(member)));
  this->members = makeArray(list);
}

PointerTypeObject::PointerTypeObject(const air::Argument& argument)
    : TypeObject(MTL::DataTypePointer), access(bindingAccess(argument.access)),
      elementType(metal::elementType(argument.typeName, argument.members)),
      structType(structTypeOf(argument.members)), alignment(argument.typeAlign),
      dataSize(argument.typeSize) {}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace MTL {

DataType Type::dataType() const {
  return as<TypeObject>(this)->dataType;
}

ArrayType* StructMember::arrayType() {
  return as<StructMemberObject>(this)->arrayType.get();
}

DataType StructMember::dataType() const {
  return as<StructMemberObject>(this)->dataType;
}

NS::String* StructMember::name() const {
  return as<StructMemberObject>(this)->name.get();
}

NS::UInteger StructMember::offset() const {
  return as<StructMemberObject>(this)->offset;
}

StructType* StructMember::structType() {
  return as<StructMemberObject>(this)->structType.get();
}

StructMember* StructType::memberByName(const NS::String* name) {
  for (const auto& object : as<ArrayObject>(members())->objects) {
    auto* member = static_cast<StructMember*>(object.get());
    if (member->name()->isEqualToString(name))
      return member;
  }
  return nullptr;
}

NS::Array* StructType::members() const {
  return as<StructTypeObject>(this)->members.get();
}

NS::UInteger ArrayType::arrayLength() const {
  return as<ArrayTypeObject>(this)->length;
}

StructType* ArrayType::elementStructType() {
  return as<ArrayTypeObject>(this)->structType.get();
}

DataType ArrayType::elementType() const {
  return as<ArrayTypeObject>(this)->elementType;
}

NS::UInteger ArrayType::stride() const {
  return as<ArrayTypeObject>(this)->stride;
}

BindingAccess PointerType::access() const {
  return as<PointerTypeObject>(this)->access;
}

NS::UInteger PointerType::alignment() const {
  return as<PointerTypeObject>(this)->alignment;
}

NS::UInteger PointerType::dataSize() const {
  return as<PointerTypeObject>(this)->dataSize;
}

StructType* PointerType::elementStructType() {
  return as<PointerTypeObject>(this)->structType.get();
}

DataType PointerType::elementType() const {
  return as<PointerTypeObject>(this)->elementType;
}

} // namespace MTL
