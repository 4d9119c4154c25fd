// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/IR/Module.h"

namespace metalloid::air {

/// Gives integer operations a result where C++ and LLVM leave them without one, in every thread and
/// on every target (docs/numeric-contract.md): x / 0 and x % 0 are 0, INT_MIN / -1 wraps to INT_MIN
/// and leaves 0, shifts take their amount modulo the width, float to integer saturates and takes
/// NaN to 0, clz and ctz of 0 are the width, abs(INT_MIN) is INT_MIN, a vector's element out of
/// range reads as 0 and is not written.
///
/// In: AIR as a front end wrote it. It stands before inlining, because LLVM folds what has no
/// result as soon as it sees constants.
void defineIntegerResults(llvm::Module& module);

} // namespace metalloid::air
