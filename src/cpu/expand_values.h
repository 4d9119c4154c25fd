// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/IR/Function.h"

namespace metalloid::cpu {

/// Takes structures and arrays apart where they are loaded, stored, merged or selected whole.
void expandAggregates(llvm::Function& function);

/// Turns bit casts between values of different element counts (i64 to <4 x i16>) into shifts.
void expandBitcasts(llvm::Function& function);

} // namespace metalloid::cpu
