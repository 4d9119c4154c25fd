// SPDX-License-Identifier: Apache-2.0
#include "metal/function_constants.h"

#include <cstring>
#include <stdexcept>

#include "metal/data_type.h"
#include "metal/foundation/string.h"

namespace metalloid::metal {
namespace {

ValueLayout knownLayout(MTL::DataType type) {
  if (auto layout = layoutOf(type))
    return *layout;
  throw std::invalid_argument("MTL::FunctionConstantValues: data type " + std::to_string(type) +
                              " cannot be a function constant; use a scalar or a vector");
}

uint64_t readElement(const std::byte* bytes, const ValueLayout& layout) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, layout.elementSize);
  if (!layout.isSigned)
    return bits;
  const int unused = 64 - 8 * int(layout.elementSize);
  return uint64_t(int64_t(bits << unused) >> unused);
}

air::ConstantValue readValue(const void* bytes, const ValueLayout& layout) {
  air::ConstantValue value;
  value.typeName = layout.mslName;
  for (size_t i = 0; i < layout.elements; ++i)
    value.bits.push_back(
        readElement(static_cast<const std::byte*>(bytes) + i * layout.elementSize, layout));
  return value;
}

} // namespace

void FunctionConstantValuesObject::set(air::ConstantValue value) {
  for (air::ConstantValue& present : values) {
    if (present.index == value.index && present.name == value.name) {
      present = std::move(value);
      return;
    }
  }
  values.push_back(std::move(value));
}

std::vector<air::ConstantValue> constantsOf(const MTL::FunctionConstantValues* values) {
  if (!values)
    return {};
  return as<FunctionConstantValuesObject>(values)->values;
}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace MTL {

FunctionConstantValues* FunctionConstantValues::alloc() {
  return make<FunctionConstantValuesObject>();
}

FunctionConstantValues* FunctionConstantValues::init() {
  return this;
}

void FunctionConstantValues::reset() {
  as<FunctionConstantValuesObject>(this)->values.clear();
}

void FunctionConstantValues::setConstantValue(const void* value, DataType type,
                                              NS::UInteger index) {
  setConstantValues(value, type, NS::Range(index, 1));
}

void FunctionConstantValues::setConstantValue(const void* value, DataType type,
                                              const NS::String* name) {
  metalloid::air::ConstantValue constant = readValue(value, knownLayout(type));
  constant.name = textOf(name);
  as<FunctionConstantValuesObject>(this)->set(std::move(constant));
}

void FunctionConstantValues::setConstantValues(const void* values, DataType type, NS::Range range) {
  const ValueLayout layout = knownLayout(type);
  if (range.location > INT32_MAX || range.length > INT32_MAX - range.location)
    throw std::out_of_range("MTL::FunctionConstantValues: index " + std::to_string(range.Max()) +
                            " is beyond 2147483647");
  for (NS::UInteger i = 0; i < range.length; ++i) {
    metalloid::air::ConstantValue constant =
        readValue(static_cast<const std::byte*>(values) + i * layout.stride, layout);
    constant.index = int32_t(range.location + i);
    as<FunctionConstantValuesObject>(this)->set(std::move(constant));
  }
}

} // namespace MTL
