// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/IR/Module.h"

namespace metalloid::air {

/// Lets the air library do the float operations that machines do differently, or LLVM by a call
/// into a run-time library: float to integer (saturating), whatever makes a bfloat (arithmetic goes
/// through float, rounded once), fused multiply-add of half and bfloat, remainders. The library has
/// each of them as an air function, written for the vectoriser and tested.
///
/// In: AIR with fused multiply-add decided (contract). Out: calls of air functions instead. It
/// stands before the library is linked.
void callLibrary(llvm::Module& module);

} // namespace metalloid::air
