// SPDX-License-Identifier: Apache-2.0
#include "metal/reflection.h"

#include "metal/argument_types.h"
#include "metal/foundation/array.h"

namespace metalloid::metal {
namespace {

/// The kind as MTL::ArgumentType, whose values MTL::BindingType shares. Built-in values have none.
bool hasSlot(const air::Argument& argument) {
  return argument.kind != air::ArgumentKind::BuiltIn && argument.location >= 0;
}

MTL::ArgumentType argumentType(air::ArgumentKind kind) {
  switch (kind) {
  case air::ArgumentKind::ThreadgroupMemory:
    return MTL::ArgumentTypeThreadgroupMemory;
  case air::ArgumentKind::Texture:
    return MTL::ArgumentTypeTexture;
  case air::ArgumentKind::Sampler:
    return MTL::ArgumentTypeSampler;
  default:
    return MTL::ArgumentTypeBuffer;
  }
}

/// One argument; stands behind MTL::Argument and MTL::Binding and its subclasses alike.
class ArgumentObject final : public ImmutableObject {
public:
  using Handle = MTL::Argument;

  explicit ArgumentObject(const air::Argument& argument)
      : name(makeString(argument.name)), type(argumentType(argument.kind)),
        access(bindingAccess(argument.access)), index(uint32_t(argument.location)),
        arrayLength(argument.arrayLength), isUsed(argument.active && !argument.unused),
        pointerType(NS::TransferPtr(make<PointerTypeObject>(argument))) {}
  std::string description() const override { return std::string(textOf(name.get())); }

  const NS::SharedPtr<NS::String> name;
  const MTL::ArgumentType type;
  const MTL::BindingAccess access;
  const uint32_t index;
  const uint32_t arrayLength;
  const bool isUsed;
  const NS::SharedPtr<MTL::PointerType> pointerType;
};

const ArgumentObject& described(const void* handle) {
  return *static_cast<ArgumentObject*>(objectOf(handle));
}

} // namespace

ReflectionObject::ReflectionObject(const air::Reflection& reflection) {
  ObjectList list;
  for (const air::Argument& argument : reflection.arguments)
    if (hasSlot(argument))
      list.push_back(NS::TransferPtr(make<ArgumentObject>(argument)));
  arguments = bindings = makeArray(list);
}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace MTL {

NS::Array* ComputePipelineReflection::arguments() const {
  return as<ReflectionObject>(this)->arguments.get();
}

NS::Array* ComputePipelineReflection::bindings() const {
  return as<ReflectionObject>(this)->bindings.get();
}

BindingAccess Argument::access() const {
  return described(this).access;
}

bool Argument::active() const {
  return isActive();
}

NS::UInteger Argument::arrayLength() const {
  return described(this).arrayLength;
}

NS::UInteger Argument::bufferAlignment() const {
  return bufferPointerType()->alignment();
}

NS::UInteger Argument::bufferDataSize() const {
  return bufferPointerType()->dataSize();
}

DataType Argument::bufferDataType() const {
  return bufferPointerType()->elementType();
}

PointerType* Argument::bufferPointerType() const {
  return described(this).pointerType.get();
}

StructType* Argument::bufferStructType() const {
  return bufferPointerType()->elementStructType();
}

NS::UInteger Argument::index() const {
  return described(this).index;
}

bool Argument::isActive() const {
  return described(this).isUsed;
}

NS::String* Argument::name() const {
  return described(this).name.get();
}

NS::UInteger Argument::threadgroupMemoryAlignment() const {
  return bufferAlignment();
}

NS::UInteger Argument::threadgroupMemoryDataSize() const {
  return bufferDataSize();
}

ArgumentType Argument::type() const {
  return described(this).type;
}

BindingAccess Binding::access() const {
  return described(this).access;
}

NS::UInteger Binding::index() const {
  return described(this).index;
}

bool Binding::isArgument() const {
  return true;
}

bool Binding::isUsed() const {
  return described(this).isUsed;
}

NS::String* Binding::name() const {
  return described(this).name.get();
}

BindingType Binding::type() const {
  return BindingType(described(this).type);
}

bool Binding::argument() const {
  return isArgument();
}

bool Binding::used() const {
  return isUsed();
}

NS::UInteger BufferBinding::bufferAlignment() const {
  return bufferPointerType()->alignment();
}

NS::UInteger BufferBinding::bufferDataSize() const {
  return bufferPointerType()->dataSize();
}

DataType BufferBinding::bufferDataType() const {
  return bufferPointerType()->elementType();
}

PointerType* BufferBinding::bufferPointerType() const {
  return described(this).pointerType.get();
}

StructType* BufferBinding::bufferStructType() const {
  return bufferPointerType()->elementStructType();
}

NS::UInteger ThreadgroupBinding::threadgroupMemoryAlignment() const {
  return described(this).pointerType->alignment();
}

NS::UInteger ThreadgroupBinding::threadgroupMemoryDataSize() const {
  return described(this).pointerType->dataSize();
}

} // namespace MTL
