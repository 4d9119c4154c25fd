// SPDX-License-Identifier: Apache-2.0
// What the vectoriser does with each branch that diverges: which are if-thens, which close loops.
#pragma once

#include "cpu/thread_form.h"
#include "cpu/uniformity.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Instructions.h"

namespace metalloid::cpu {

/// A divergent branch that guards a then-part; lanes that do not take it wait at the join.
struct DivergentIf {
  llvm::BasicBlock* head;
  llvm::BasicBlock* then;
  llvm::BasicBlock* join; ///< Its predecessors are `head` and `end`.
  llvm::BasicBlock* end;  ///< Last block of the then-part.
  bool thenOnTrue;        ///< The then-part is where the condition holds.
};

class DivergencePlan {
public:
  /// `thread` as structurise() leaves it.
  DivergencePlan(llvm::Function& thread, const ThreadgroupShape& shape);

  /// Why the function cannot be followed with masks, or success. To be asked first.
  llvm::Error check();

  const DivergentIf* ifHeadedBy(const llvm::BasicBlock* block) const;
  const DivergentIf* ifJoinedBy(const llvm::BasicBlock* block) const;
  const DivergentIf* ifEnteredBy(const llvm::BasicBlock* block) const;

  /// The loop that `block` heads and whose lanes leave it one by one, or null.
  llvm::Loop* divergentLoopHeadedBy(const llvm::BasicBlock* block) const;
  /// The same, for the block that branches back or out.
  llvm::Loop* divergentLoopClosedBy(const llvm::BasicBlock* block) const;
  /// The divergent loop that control leaves on entering the block of `phi`, or null.
  llvm::Loop* divergentLoopLeft(const llvm::PHINode& phi) const;
  /// The outermost divergent loop that holds `inside` and not `outside`, or null.
  llvm::Loop* outermostDivergentLoop(const llvm::BasicBlock* inside,
                                     const llvm::BasicBlock* outside) const;

  const Uniformity& uniformity() const { return uniform; }
  const llvm::DominatorTree& dominators() const { return dominatorTree; }
  const llvm::LoopInfo& loops() const { return loopInfo; }
  bool isLoopHeader(const llvm::BasicBlock* block) const { return loopInfo.isLoopHeader(block); }

private:
  llvm::Function& function;
  Uniformity uniform;
  llvm::DominatorTree dominatorTree;
  llvm::PostDominatorTree ends;
  llvm::LoopInfo loopInfo;
  llvm::SmallVector<std::unique_ptr<DivergentIf>, 8> ifs;
  llvm::DenseMap<const llvm::BasicBlock*, DivergentIf*> byHead, byJoin, byThen;
  llvm::SmallPtrSet<llvm::Loop*, 4> divergentLoops;

  llvm::Error addLoop(llvm::Loop& loop);
  llvm::Error addIf(llvm::BasicBlock& head, llvm::BranchInst& branch);
};

} // namespace metalloid::cpu
