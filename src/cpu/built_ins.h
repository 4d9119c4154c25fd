// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/thread_form.h"

namespace metalloid::cpu {

/// Reads one i32 of Launch, `offset` bytes from its start; the same throughout a dispatch.
llvm::Value* loadLaunchWord(llvm::IRBuilderBase& builder, llvm::Value* launch, uint64_t offset);

/// Threads of the threadgroup along `axis`: a constant where the shape says so.
llvm::Value* threadsPerThreadgroup(llvm::IRBuilderBase& builder, llvm::Value* launch,
                                   const ThreadgroupShape& shape, unsigned axis);

/// SIMD-groups of the threadgroup, the last one perhaps not full.
llvm::Value* simdgroupsPerThreadgroup(llvm::IRBuilderBase& builder, llvm::Value* launch,
                                      const ThreadgroupShape& shape);

/// The built-in value `name` ("thread_position_in_grid") as `type`, iN or <2..3 x iN>, computed in
/// `thread`, a thread-form function. Null where there is no such built-in, or not of that type.
llvm::Value* builtInValue(llvm::IRBuilderBase& builder, llvm::Function& thread,
                          const ThreadgroupShape& shape, llvm::StringRef name, llvm::Type* type);

} // namespace metalloid::cpu
