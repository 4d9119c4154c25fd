// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

namespace metalloid::cpu {

/// The name of the one symbol that an object exports.
inline constexpr llvm::StringLiteral EntryName = "kernel";

/// LLVM's O2 without its vectorisers, on a module of SIMD-group functions and their driver.
void optimise(llvm::Module& module, llvm::TargetMachine& target);

/// The module as a relocatable ELF object. An error names any function that the object would need
/// and no image can give it, such as one of libm.
llvm::Expected<llvm::SmallVector<char, 0>> generateObject(llvm::Module& module,
                                                          llvm::TargetMachine& target);

llvm::Expected<std::string> generateAssembly(llvm::Module& module, llvm::TargetMachine& target);

} // namespace metalloid::cpu
