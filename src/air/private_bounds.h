// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/IR/Function.h"

namespace metalloid::air {

/// Reads of a private variable outside its bytes give 0 and writes are dropped, at addresses known
/// when compiling. It stands right before variables are split (splitPrivateVariables): that step
/// takes such accesses for impossible.
void dropFixedAccessesOutOfBounds(llvm::Function& kernel);

/// The same for addresses computed at run time.
///
/// In: a flattened kernel. Out: an array that is indexed by something not provably in range has
/// spare elements behind its end; an index out of range is replaced by the first of them, and what
/// is read there by 0. So no branch is added and every lane's address stays inside the variable. A
/// block copy with an end out of range copies nothing. Addresses that merge several variables are
/// left alone.
void boundPrivateAccesses(llvm::Function& kernel);

} // namespace metalloid::air
