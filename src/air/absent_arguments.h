// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "air/reflection.h"

#include "llvm/IR/Function.h"

namespace metalloid::air {

/// Lets arguments in constant memory that specialisation made absent read as zeros.
///
/// Apple's compiler moves loads from such arguments in front of the test of the function constant
/// that says whether they exist: a GPU may read anywhere. In: a specialised kernel. Out: no use of
/// an absent constant argument is left.
void replaceAbsentArguments(llvm::Function& kernel, const Reflection& reflection);

} // namespace metalloid::air
