// SPDX-License-Identifier: Apache-2.0
// Finding things in an AIR module: kernels, function constants, what a kernel reaches.
#pragma once

#include <vector>

#include "air/reflection.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace metalloid::air {

/// The node of !air.kernel that describes kernel `name`; its operand 0 is a Function with a body.
/// An Error where there is none; it lists the kernels there are.
llvm::Expected<const llvm::MDNode*> findKernel(const llvm::Module& module, llvm::StringRef name);

/// A function constant and the global that holds its value.
struct ConstantGlobal {
  FunctionConstant description;
  llvm::GlobalVariable* global = nullptr;
};

/// Function constants in metadata order.
llvm::Expected<std::vector<ConstantGlobal>> functionConstants(const llvm::Module& module);

/// Every function and global variable that `root` refers to, through any number of others.
llvm::SetVector<const llvm::GlobalValue*> reachableFrom(const llvm::GlobalValue& root);

/// Bytes of threadgroup memory that the variables `kernel` reaches take, padding included.
uint32_t threadgroupBytes(const llvm::Module& module, const llvm::Function& kernel);

} // namespace metalloid::air
