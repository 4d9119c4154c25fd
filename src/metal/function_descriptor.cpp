// SPDX-License-Identifier: Apache-2.0
#include "metal/function_descriptor.h"

using namespace metalloid::metal;

namespace MTL {

FunctionDescriptor* FunctionDescriptor::alloc() {
  return make<FunctionDescriptorObject>();
}

FunctionDescriptor* FunctionDescriptor::functionDescriptor() {
  return makeAutoreleased<FunctionDescriptorObject>();
}

FunctionDescriptor* FunctionDescriptor::init() {
  return this;
}

FunctionConstantValues* FunctionDescriptor::constantValues() const {
  return as<FunctionDescriptorObject>(this)->constantValues.get();
}

NS::String* FunctionDescriptor::name() const {
  return as<FunctionDescriptorObject>(this)->name.get();
}

FunctionOptions FunctionDescriptor::options() const {
  return as<FunctionDescriptorObject>(this)->options;
}

NS::String* FunctionDescriptor::specializedName() const {
  return as<FunctionDescriptorObject>(this)->specializedName.get();
}

void FunctionDescriptor::setConstantValues(const FunctionConstantValues* constantValues) {
  as<FunctionDescriptorObject>(this)->constantValues = copied(constantValues);
}

void FunctionDescriptor::setName(const NS::String* name) {
  as<FunctionDescriptorObject>(this)->name = copied(name);
}

void FunctionDescriptor::setOptions(FunctionOptions options) {
  as<FunctionDescriptorObject>(this)->options = options;
}

void FunctionDescriptor::setSpecializedName(const NS::String* specializedName) {
  as<FunctionDescriptorObject>(this)->specializedName = copied(specializedName);
}

} // namespace MTL
