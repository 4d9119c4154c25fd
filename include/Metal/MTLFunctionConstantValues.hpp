// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "MTLDataType.hpp"
#include "MTLDefines.hpp"
#include <Foundation/NSObject.hpp>
#include <Foundation/NSRange.hpp>
#include <Foundation/NSString.hpp>

namespace MTL {

/// Values for [[function_constant(n)]], by index or by name. Values are copied. Scalars and vectors
/// of bool, char, short, int, long, their unsigned kinds, half, bfloat and float are known; other
/// types throw std::invalid_argument.
class METALLOID_API FunctionConstantValues : public NS::Copying<FunctionConstantValues> {
public:
  static FunctionConstantValues* alloc();
  FunctionConstantValues* init();
  void reset();
  void setConstantValue(const void* value, MTL::DataType type, NS::UInteger index);
  void setConstantValue(const void* value, MTL::DataType type, const NS::String* name);
  /// `values` is an array with one element an index.
  void setConstantValues(const void* values, MTL::DataType type, NS::Range range);
};

} // namespace MTL
