// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace metalloid::air {

/// Makes the kernel one function without calls but those of primitives and intrinsics.
///
/// In: a kernel with everything it calls defined and no recursion. Out: the only function with a
/// body. It stands before the steps that must see through pointers to private variables. An Error
/// where the inlined kernel would have more than MaxInstructions.
llvm::Error flatten(llvm::Function& kernel);

/// Turns private variables into values where their addresses are fixed and do not escape.
void splitPrivateVariables(llvm::Function& kernel);

inline constexpr size_t MaxInstructions = 2'000'000;

} // namespace metalloid::air
