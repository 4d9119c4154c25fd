// SPDX-License-Identifier: Apache-2.0
#include "metal/data_type.h"

#include <array>

namespace metalloid::metal {
namespace {

struct Scalar {
  std::string_view name;
  MTL::DataType type; ///< The vectors of 2, 3 and 4 elements have the next three values.
  size_t size;
  bool isSigned;
};

constexpr std::array scalars = {
    Scalar{"float", MTL::DataTypeFloat, 4, false},   Scalar{"half", MTL::DataTypeHalf, 2, false},
    Scalar{"bfloat", MTL::DataTypeBFloat, 2, false}, Scalar{"int", MTL::DataTypeInt, 4, true},
    Scalar{"uint", MTL::DataTypeUInt, 4, false},     Scalar{"short", MTL::DataTypeShort, 2, true},
    Scalar{"ushort", MTL::DataTypeUShort, 2, false}, Scalar{"char", MTL::DataTypeChar, 1, true},
    Scalar{"uchar", MTL::DataTypeUChar, 1, false},   Scalar{"bool", MTL::DataTypeBool, 1, false},
    Scalar{"long", MTL::DataTypeLong, 8, true},      Scalar{"ulong", MTL::DataTypeULong, 8, false},
};

struct Matrix {
  std::string_view element;
  MTL::DataType first; ///< Of 2 columns with 2 rows; rows count fastest.
};

constexpr std::array matrices = {Matrix{"float", MTL::DataTypeFloat2x2},
                                 Matrix{"half", MTL::DataTypeHalf2x2}};

/// Other names that MSL has for the same types.
std::string_view canonical(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> synonyms[] = {
      {"unsigned int", "uint"},  {"uint32_t", "uint"},      {"int32_t", "int"},
      {"uint16_t", "ushort"},    {"int16_t", "short"},      {"unsigned short", "ushort"},
      {"uint8_t", "uchar"},      {"int8_t", "char"},        {"unsigned char", "uchar"},
      {"uint64_t", "ulong"},     {"int64_t", "long"},       {"unsigned long", "ulong"},
      {"size_t", "ulong"},       {"ptrdiff_t", "long"},     {"bfloat16_t", "bfloat"},
      {"atomic_int", "int"},     {"atomic_uint", "uint"},   {"atomic_bool", "bool"},
      {"atomic_float", "float"}, {"atomic_ulong", "ulong"}, {"signed char", "char"},
  };
  if (name.starts_with("packed_"))
    name.remove_prefix(std::string_view("packed_").size());
  for (const auto& [other, same] : synonyms)
    if (name == other)
      return same;
  return name;
}

bool isExtent(char c) {
  return c >= '2' && c <= '4';
}

} // namespace

MTL::DataType dataTypeOf(std::string_view mslName) {
  const std::string_view name = canonical(mslName);
  for (const Scalar& scalar : scalars) {
    if (!name.starts_with(scalar.name))
      continue;
    const std::string_view extent = name.substr(scalar.name.size());
    if (extent.empty())
      return scalar.type;
    if (extent.size() == 1 && isExtent(extent[0]))
      return MTL::DataType(scalar.type + (extent[0] - '1'));
  }
  for (const Matrix& matrix : matrices) {
    if (!name.starts_with(matrix.element))
      continue;
    const std::string_view extent = name.substr(matrix.element.size());
    if (extent.size() == 3 && isExtent(extent[0]) && extent[1] == 'x' && isExtent(extent[2]))
      return MTL::DataType(matrix.first + 3 * (extent[0] - '2') + (extent[2] - '2'));
  }
  return MTL::DataTypeNone;
}

std::optional<ValueLayout> layoutOf(MTL::DataType type) {
  for (const Scalar& scalar : scalars) {
    if (type < scalar.type || type > scalar.type + 3)
      continue;
    ValueLayout layout;
    layout.elements = type - scalar.type + 1;
    layout.elementSize = scalar.size;
    layout.stride = scalar.size * (layout.elements == 3 ? 4 : layout.elements);
    layout.isSigned = scalar.isSigned;
    layout.mslName = scalar.name;
    if (layout.elements > 1)
      layout.mslName += char('0' + layout.elements);
    return layout;
  }
  return std::nullopt;
}

} // namespace metalloid::metal
