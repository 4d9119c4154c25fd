// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "MTLAllocation.hpp"
#include "MTLArgument.hpp"
#include "MTLTypes.hpp"
#include <Foundation/NSArray.hpp>
#include <Foundation/NSString.hpp>

namespace MTL {

class Device;
class Function;
class LinkedFunctions;

class METALLOID_API ComputePipelineReflection : public NS::Referencing<ComputePipelineReflection> {
public:
  /// MTL::Argument objects.
  NS::Array* arguments() const;
  /// MTL::Binding objects.
  NS::Array* bindings() const;
};

/// What MTL::Device::newComputePipelineState is to make.
class METALLOID_API ComputePipelineDescriptor : public NS::Copying<ComputePipelineDescriptor> {
public:
  static ComputePipelineDescriptor* alloc();
  Function* computeFunction() const;
  ComputePipelineDescriptor* init();
  NS::String* label() const;
  LinkedFunctions* linkedFunctions() const;
  NS::UInteger maxTotalThreadsPerThreadgroup() const;
  Size requiredThreadsPerThreadgroup() const;
  void reset();
  void setComputeFunction(const MTL::Function* computeFunction);
  void setLabel(const NS::String* label);
  void setLinkedFunctions(const MTL::LinkedFunctions* linkedFunctions);
  /// Lowers the pipeline's limit; 0 (the default): the kernel's own.
  void setMaxTotalThreadsPerThreadgroup(NS::UInteger maxTotalThreadsPerThreadgroup);
  /// The only threadgroup size that dispatches may use; zeros (the default): the kernel's own.
  void setRequiredThreadsPerThreadgroup(MTL::Size requiredThreadsPerThreadgroup);
  /// Promises whole SIMD-groups: dispatches that break the promise fail.
  void setThreadGroupSizeIsMultipleOfThreadExecutionWidth(
      bool threadGroupSizeIsMultipleOfThreadExecutionWidth);
  bool threadGroupSizeIsMultipleOfThreadExecutionWidth() const;
};

/// A kernel ready to be dispatched.
class METALLOID_API ComputePipelineState
    : public NS::Referencing<ComputePipelineState, Allocation> {
public:
  Device* device() const;
  NS::String* label() const;
  NS::UInteger maxTotalThreadsPerThreadgroup() const;
  ComputePipelineReflection* reflection() const;
  /// Zeros where any size up to the limit may be used.
  Size requiredThreadsPerThreadgroup() const;
  NS::UInteger staticThreadgroupMemoryLength() const; ///< Bytes.
  NS::UInteger threadExecutionWidth() const;          ///< Threads of a SIMD-group: 32.
};

} // namespace MTL
