// SPDX-License-Identifier: Apache-2.0
#include "metal/function.h"

#include "metal/data_type.h"
#include "metal/foundation/dictionary.h"

namespace metalloid::metal {
namespace {

class FunctionConstantObject final : public ImmutableObject {
public:
  using Handle = MTL::FunctionConstant;

  explicit FunctionConstantObject(const air::FunctionConstant& constant)
      : name(makeString(constant.name)), type(dataTypeOf(constant.typeName)), index(constant.index),
        required(constant.required) {}
  std::string description() const override { return std::string(textOf(name.get())); }

  const NS::SharedPtr<NS::String> name;
  const MTL::DataType type;
  const uint32_t index;
  const bool required;
};

} // namespace

const Expected<air::Reflection>& FunctionObject::reflection() {
  std::lock_guard lock(mutex_);
  if (!reflection_)
    reflection_ = runtime::describe(code.module, code.kernel);
  return *reflection_;
}

NS::Dictionary* FunctionObject::constantsByName() {
  const Expected<air::Reflection>& described = reflection();
  std::lock_guard lock(mutex_);
  if (!constantsByName_) {
    constantsByName_ = NS::TransferPtr(make<DictionaryObject>());
    if (described) {
      for (const air::FunctionConstant& constant : described->constants) {
        auto object = NS::TransferPtr(make<FunctionConstantObject>(constant));
        as<DictionaryObject>(constantsByName_.get())->add(object->name(), object.get());
      }
    }
  }
  return constantsByName_.get();
}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace MTL {

NS::UInteger FunctionConstant::index() const {
  return as<FunctionConstantObject>(this)->index;
}

NS::String* FunctionConstant::name() const {
  return as<FunctionConstantObject>(this)->name.get();
}

bool FunctionConstant::required() const {
  return as<FunctionConstantObject>(this)->required;
}

DataType FunctionConstant::type() const {
  return as<FunctionConstantObject>(this)->type;
}

Device* Function::device() const {
  return handleOf(&as<FunctionObject>(this)->device);
}

NS::Dictionary* Function::functionConstantsDictionary() const {
  return as<FunctionObject>(this)->constantsByName();
}

FunctionType Function::functionType() const {
  return as<FunctionObject>(this)->code.type;
}

NS::String* Function::label() const {
  return as<FunctionObject>(this)->label.get();
}

NS::String* Function::name() const {
  return as<FunctionObject>(this)->name.get();
}

FunctionOptions Function::options() const {
  return as<FunctionObject>(this)->options;
}

void Function::setLabel(const NS::String* label) {
  as<FunctionObject>(this)->label = copied(label);
}

} // namespace MTL
