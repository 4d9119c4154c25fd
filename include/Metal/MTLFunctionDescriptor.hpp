// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "MTLDefines.hpp"
#include <Foundation/NSArray.hpp>
#include <Foundation/NSObject.hpp>
#include <Foundation/NSString.hpp>

namespace MTL {

class FunctionConstantValues;

using FunctionOptions = NS::UInteger;
enum : NS::UInteger {
  FunctionOptionNone = 0,
  FunctionOptionCompileToBinary = 1,
  FunctionOptionStoreFunctionInMetalPipelinesScript = 1 << 1,
  FunctionOptionStoreFunctionInMetalScript = 1 << 1,
  FunctionOptionFailOnBinaryArchiveMiss = 1 << 2,
  FunctionOptionPipelineIndependent = 1 << 3,
};

/// What MTL::Library::newFunction is to make: a function of this name, specialised with these
/// values, called by another name where `specializedName` is given.
class METALLOID_API FunctionDescriptor : public NS::Copying<FunctionDescriptor> {
public:
  static FunctionDescriptor* alloc();
  FunctionConstantValues* constantValues() const;
  static FunctionDescriptor* functionDescriptor();
  FunctionDescriptor* init();
  NS::String* name() const;
  FunctionOptions options() const;
  void setConstantValues(const MTL::FunctionConstantValues* constantValues);
  void setName(const NS::String* name);
  /// FunctionOptionCompileToBinary compiles when the pipeline is made all the same; newFunction
  /// refuses the other options with an error.
  void setOptions(MTL::FunctionOptions options);
  void setSpecializedName(const NS::String* specializedName);
  NS::String* specializedName() const;
};

} // namespace MTL
