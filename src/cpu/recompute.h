// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Function.h"

namespace metalloid::cpu {

class Uniformity;

/// The blocks from whose entry an execution of `value`'s uses may come without passing `value`
/// again: where it is live on entry.
llvm::SmallPtrSet<llvm::BasicBlock*, 8> liveInBlocks(llvm::Instruction& value);

/// Loop counters and pointers that start differently in each thread but step alike become a start
/// plus a step sum that all threads share: one uniform value to carry instead of one a thread.
/// Looks at loops that hold a threadgroup barrier.
void shareInductions(llvm::Function& thread, const Uniformity& uniformity);

/// Repeats cheap index arithmetic at its uses where the value would otherwise be live into one of
/// `starts`. `isUniform` values are not repeated.
void recomputeAcross(llvm::Function& thread, const llvm::SmallPtrSetImpl<llvm::BasicBlock*>& starts,
                     const llvm::DenseSet<llvm::Value*>& isUniform);

} // namespace metalloid::cpu
