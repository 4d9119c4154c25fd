// SPDX-License-Identifier: Apache-2.0
// MTL::DataType and the names of types in MSL.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <Metal/MTLDataType.hpp>

namespace metalloid::metal {

/// DataTypeNone where no value of MTL::DataType stands for the type (a struct's name, for one).
MTL::DataType dataTypeOf(std::string_view mslName);

/// How the bytes of a scalar or vector are laid out.
struct ValueLayout {
  std::string mslName;    ///< "uint3"
  size_t elementSize = 0; ///< Bytes.
  size_t elements = 1;    ///< 1 to 4.
  size_t stride = 0;      ///< Bytes from one value of an array to the next.
  bool isSigned = false;  ///< Elements are sign-extended where they are widened.
};

/// Nothing for types other than scalars and vectors.
std::optional<ValueLayout> layoutOf(MTL::DataType type);

} // namespace metalloid::metal
