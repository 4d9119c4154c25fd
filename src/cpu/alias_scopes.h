// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/IR/Function.h"

namespace metalloid::cpu {

/// A piece of memory that a thread-form function knows by one pointer.
struct MemoryObject {
  llvm::Value* pointer; ///< An instruction of the entry block.
  bool isDistinct;      ///< No other pointer of the kernel leads to it.
};

/// Tags the memory accesses of `thread` with what the objects prove about them.
void tagAliasScopes(llvm::Function& thread, llvm::ArrayRef<MemoryObject> objects);

} // namespace metalloid::cpu
