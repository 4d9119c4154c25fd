// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace metalloid::cpu {

/// Maps every pointer type to the generic address space, inside vectors, arrays and structures too.
class GenericPointers final : public llvm::ValueMapTypeRemapper {
public:
  llvm::Type* remapType(llvm::Type* type) override;

private:
  llvm::Type* remapStruct(llvm::StructType* type);

  llvm::DenseMap<llvm::Type*, llvm::Type*> mapped_;
};

/// Copies the body of `from` into `to`, all pointers generic. `values` says what the parameters of
/// `from` and any globals become; the other globals and functions that have pointers of another
/// address space in their type are made anew in the module and added to it.
void cloneWithGenericPointers(llvm::Function& from, llvm::Function& to,
                              llvm::ValueToValueMapTy& values);

} // namespace metalloid::cpu
