// SPDX-License-Identifier: Apache-2.0
#include "metal/linked_functions.h"

using namespace metalloid::metal;

namespace MTL {

LinkedFunctions* LinkedFunctions::alloc() {
  return make<LinkedFunctionsObject>();
}

LinkedFunctions* LinkedFunctions::linkedFunctions() {
  return makeAutoreleased<LinkedFunctionsObject>();
}

LinkedFunctions* LinkedFunctions::init() {
  return this;
}

NS::Array* LinkedFunctions::binaryFunctions() const {
  return as<LinkedFunctionsObject>(this)->binaryFunctions.get();
}

NS::Array* LinkedFunctions::functions() const {
  return as<LinkedFunctionsObject>(this)->functions.get();
}

NS::Dictionary* LinkedFunctions::groups() const {
  return as<LinkedFunctionsObject>(this)->groups.get();
}

NS::Array* LinkedFunctions::privateFunctions() const {
  return as<LinkedFunctionsObject>(this)->privateFunctions.get();
}

void LinkedFunctions::setBinaryFunctions(const NS::Array* binaryFunctions) {
  as<LinkedFunctionsObject>(this)->binaryFunctions = copied(binaryFunctions);
}

void LinkedFunctions::setFunctions(const NS::Array* functions) {
  as<LinkedFunctionsObject>(this)->functions = copied(functions);
}

void LinkedFunctions::setGroups(const NS::Dictionary* groups) {
  as<LinkedFunctionsObject>(this)->groups = copied(groups);
}

void LinkedFunctions::setPrivateFunctions(const NS::Array* privateFunctions) {
  as<LinkedFunctionsObject>(this)->privateFunctions = copied(privateFunctions);
}

} // namespace MTL
