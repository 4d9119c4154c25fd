// SPDX-License-Identifier: Apache-2.0
// Finds the operands of `c ? a : b`, which the token pass wraps.
#pragma once

#include "llvm/ADT/DenseMap.h"

#include "msl/token_tools.h"

namespace metalloid::msl {

/// How many wrappers open before, and close before, the token of a given index.
struct TernaryOperands {
  llvm::DenseMap<size_t, unsigned> opens, closes;
};

/// Clang types `c ? a : b` wrongly, or not at all, where a and b are objects of one class in
/// different address spaces: each operand that may be such an object is listed.
TernaryOperands findTernaryOperands(llvm::ArrayRef<clang::Token> tokens);

} // namespace metalloid::msl
