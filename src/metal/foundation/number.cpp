// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <charconv>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string_view>
#include <variant>

#include <Foundation/NSNumber.hpp>

#include "metal/foundation/string.h"

namespace metalloid::metal {
namespace {

/// Bytes of a scalar of an Objective-C type code; 0: not known.
size_t sizeOfType(std::string_view type) {
  switch (type.empty() ? '\0' : type[0]) {
  case 'B':
  case 'c':
  case 'C':
    return 1;
  case 's':
  case 'S':
    return 2;
  case 'i':
  case 'I':
  case 'f':
    return 4;
  case 'l':
  case 'L':
  case 'q':
  case 'Q':
  case 'd':
    return 8;
  case '^':
  case '@':
  case '*':
    return sizeof(void*);
  default:
    return 0;
  }
}

class ValueObject : public ImmutableObject {
public:
  using Handle = NS::Value;

  void set(const void* value, const char* type) {
    const size_t size = sizeOfType(type);
    if (size == 0)
      throw std::invalid_argument(std::string("NS::Value: type \"") + type +
                                  "\" is not a scalar's");
    bytes.assign(static_cast<const char*>(value), size);
    this->type = type;
  }

  bool isEqual(const Object& other) const override {
    auto* value = dynamic_cast<const ValueObject*>(&other);
    return value && value->type == type && value->bytes == bytes;
  }
  size_t hash() const override { return std::hash<std::string>()(bytes); }
  std::string description() const override { return "NSValue"; }

  std::string bytes;
  std::string type;
};

template <class T> constexpr const char* typeCode = nullptr;
template <> constexpr const char* typeCode<bool> = "B";
template <> constexpr const char* typeCode<char> = "c";
template <> constexpr const char* typeCode<unsigned char> = "C";
template <> constexpr const char* typeCode<short> = "s";
template <> constexpr const char* typeCode<unsigned short> = "S";
template <> constexpr const char* typeCode<int> = "i";
template <> constexpr const char* typeCode<unsigned int> = "I";
template <> constexpr const char* typeCode<long> = "l";
template <> constexpr const char* typeCode<unsigned long> = "L";
template <> constexpr const char* typeCode<long long> = "q";
template <> constexpr const char* typeCode<unsigned long long> = "Q";
template <> constexpr const char* typeCode<float> = "f";
template <> constexpr const char* typeCode<double> = "d";

class NumberObject final : public ValueObject {
public:
  using Handle = NS::Number;

  template <class T> void set(T value) {
    ValueObject::set(&value, typeCode<T>);
    if constexpr (std::is_floating_point_v<T>)
      number_ = double(value);
    else if constexpr (std::is_signed_v<T>)
      number_ = int64_t(value);
    else
      number_ = uint64_t(value);
  }

  template <class T> T get() const {
    return std::visit([](auto number) { return static_cast<T>(number); }, number_);
  }

  /// Numbers of different types are ordered by what they are worth.
  NS::ComparisonResult compare(const NumberObject& other) const {
    auto order = [](auto left, auto right) {
      if constexpr (std::is_floating_point_v<decltype(left)> ||
                    std::is_floating_point_v<decltype(right)>)
        return double(left) < double(right)   ? NS::OrderedAscending
               : double(left) > double(right) ? NS::OrderedDescending
                                              : NS::OrderedSame;
      else
        return std::cmp_less(left, right)      ? NS::OrderedAscending
               : std::cmp_greater(left, right) ? NS::OrderedDescending
                                               : NS::OrderedSame;
    };
    return std::visit(order, number_, other.number_);
  }

  bool isEqual(const Object& other) const override {
    auto* number = dynamic_cast<const NumberObject*>(&other);
    return number && compare(*number) == NS::OrderedSame;
  }
  size_t hash() const override { return std::hash<double>()(get<double>()); }
  std::string description() const override {
    auto print = [&](auto number) {
      char text[64];
      std::to_chars_result result = std::holds_alternative<double>(number_) && type == "f"
                                        ? std::to_chars(text, text + sizeof text, float(number))
                                        : std::to_chars(text, text + sizeof text, number);
      return std::string(text, result.ptr);
    };
    return std::visit(print, number_);
  }

private:
  std::variant<int64_t, uint64_t, double> number_ = int64_t(0);
};

} // namespace
} // namespace metalloid::metal

using namespace metalloid::metal;

namespace NS {
namespace {

template <class T> Number* autoreleasedNumber(T value) {
  return Number::alloc()->init(value)->autorelease();
}

template <class T> Number* initialise(Number* number, T value) {
  as<NumberObject>(number)->set(value);
  return number;
}

} // namespace

Value* Value::value(const void* pValue, const char* pType) {
  return alloc()->init(pValue, pType)->autorelease();
}

Value* Value::value(const void* pPointer) {
  return value(&pPointer, "^v");
}

Value* Value::alloc() {
  return make<ValueObject>();
}

Value* Value::init(const void* pValue, const char* pType) {
  as<ValueObject>(this)->set(pValue, pType);
  return this;
}

void Value::getValue(void* pValue, UInteger size) const {
  const std::string& bytes = as<ValueObject>(this)->bytes;
  if (size != bytes.size())
    throw std::invalid_argument("NS::Value::getValue: " + std::to_string(size) +
                                " bytes asked for, the value has " + std::to_string(bytes.size()));
  std::memcpy(pValue, bytes.data(), size);
}

const char* Value::objCType() const {
  return as<ValueObject>(this)->type.c_str();
}

bool Value::isEqualToValue(Value* pValue) const {
  return isEqual(pValue);
}

void* Value::pointerValue() const {
  void* pointer = nullptr;
  getValue(&pointer, sizeof pointer);
  return pointer;
}

Number* Number::alloc() {
  return make<NumberObject>();
}

Number* Number::number(char value) {
  return autoreleasedNumber(value);
}
Number* Number::number(unsigned char value) {
  return autoreleasedNumber(value);
}
Number* Number::number(short value) {
  return autoreleasedNumber(value);
}
Number* Number::number(unsigned short value) {
  return autoreleasedNumber(value);
}
Number* Number::number(int value) {
  return autoreleasedNumber(value);
}
Number* Number::number(unsigned int value) {
  return autoreleasedNumber(value);
}
Number* Number::number(long value) {
  return autoreleasedNumber(value);
}
Number* Number::number(unsigned long value) {
  return autoreleasedNumber(value);
}
Number* Number::number(long long value) {
  return autoreleasedNumber(value);
}
Number* Number::number(unsigned long long value) {
  return autoreleasedNumber(value);
}
Number* Number::number(float value) {
  return autoreleasedNumber(value);
}
Number* Number::number(double value) {
  return autoreleasedNumber(value);
}
Number* Number::number(bool value) {
  return autoreleasedNumber(value);
}

Number* Number::init(char value) {
  return initialise(this, value);
}
Number* Number::init(unsigned char value) {
  return initialise(this, value);
}
Number* Number::init(short value) {
  return initialise(this, value);
}
Number* Number::init(unsigned short value) {
  return initialise(this, value);
}
Number* Number::init(int value) {
  return initialise(this, value);
}
Number* Number::init(unsigned int value) {
  return initialise(this, value);
}
Number* Number::init(long value) {
  return initialise(this, value);
}
Number* Number::init(unsigned long value) {
  return initialise(this, value);
}
Number* Number::init(long long value) {
  return initialise(this, value);
}
Number* Number::init(unsigned long long value) {
  return initialise(this, value);
}
Number* Number::init(float value) {
  return initialise(this, value);
}
Number* Number::init(double value) {
  return initialise(this, value);
}
Number* Number::init(bool value) {
  return initialise(this, value);
}

char Number::charValue() const {
  return as<NumberObject>(this)->get<char>();
}
unsigned char Number::unsignedCharValue() const {
  return as<NumberObject>(this)->get<unsigned char>();
}
short Number::shortValue() const {
  return as<NumberObject>(this)->get<short>();
}
unsigned short Number::unsignedShortValue() const {
  return as<NumberObject>(this)->get<unsigned short>();
}
int Number::intValue() const {
  return as<NumberObject>(this)->get<int>();
}
unsigned int Number::unsignedIntValue() const {
  return as<NumberObject>(this)->get<unsigned int>();
}
long Number::longValue() const {
  return as<NumberObject>(this)->get<long>();
}
unsigned long Number::unsignedLongValue() const {
  return as<NumberObject>(this)->get<unsigned long>();
}
long long Number::longLongValue() const {
  return as<NumberObject>(this)->get<long long>();
}
unsigned long long Number::unsignedLongLongValue() const {
  return as<NumberObject>(this)->get<unsigned long long>();
}
float Number::floatValue() const {
  return as<NumberObject>(this)->get<float>();
}
double Number::doubleValue() const {
  return as<NumberObject>(this)->get<double>();
}
bool Number::boolValue() const {
  return as<NumberObject>(this)->get<bool>();
}
Integer Number::integerValue() const {
  return as<NumberObject>(this)->get<Integer>();
}
UInteger Number::unsignedIntegerValue() const {
  return as<NumberObject>(this)->get<UInteger>();
}

String* Number::stringValue() const {
  return description();
}

ComparisonResult Number::compare(const Number* pOtherNumber) const {
  return as<NumberObject>(this)->compare(*as<NumberObject>(pOtherNumber));
}

bool Number::isEqualToNumber(const Number* pNumber) const {
  return isEqual(pNumber);
}

} // namespace NS
