// SPDX-License-Identifier: Apache-2.0
#include "cpu/divergence_plan.h"

#include "llvm/IR/CFG.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

Error refuse(const BasicBlock& block, const char* what) {
  return createStringError("vectorise: " + block.getParent()->getName() + ": " + what +
                           " at block '" + block.getName() + "'");
}

} // namespace

DivergencePlan::DivergencePlan(Function& thread, const ThreadgroupShape& shape)
    : function(thread), uniform(thread, shape, UniformScope::Simdgroup), dominatorTree(thread),
      ends(thread), loopInfo(dominatorTree) {}

Error DivergencePlan::check() {
  for (BasicBlock& block : function) {
    Instruction* terminator = block.getTerminator();
    if (isa<ReturnInst>(terminator))
      continue;
    bool diverges = uniform.branchDiverges(block);
    auto* branch = dyn_cast<BranchInst>(terminator);
    if (!branch) {
      if (diverges || !isa<SwitchInst>(terminator))
        return refuse(block, "a terminator that structurise does not leave");
      continue;
    }
    if (!branch->isConditional() || !diverges)
      continue;
    Loop* loop = loopInfo.getLoopFor(&block);
    bool closes = loop && is_contained(successors(&block), loop->getHeader());
    if (Error error = closes ? addLoop(*loop) : addIf(block, *branch))
      return error;
  }
  return Error::success();
}

Error DivergencePlan::addLoop(Loop& loop) {
  if (!loop.getExitingBlock() || loop.getExitingBlock() != loop.getLoopLatch() ||
      !loop.getLoopPreheader())
    return refuse(*loop.getHeader(), "a divergent loop with an exit besides its latch");
  divergentLoops.insert(&loop);
  return Error::success();
}

Error DivergencePlan::addIf(BasicBlock& head, BranchInst& branch) {
  auto* node = ends.getNode(&head);
  BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  bool thenOnTrue = branch.getSuccessor(1) == join;
  if (!join || (!thenOnTrue && branch.getSuccessor(0) != join))
    return refuse(head, "a divergent branch that is no if-then");
  BasicBlock* then = branch.getSuccessor(thenOnTrue ? 0 : 1);
  Loop* loop = loopInfo.getLoopFor(&head);
  if (loop && (!loop->contains(join) || !loop->contains(then)))
    return refuse(head, "a divergent loop exit that is not in the latch");
  SmallVector<BasicBlock*, 2> before(predecessors(join));
  if (before.size() != 2 || !is_contained(before, &head) || then->getSinglePredecessor() != &head)
    return refuse(head, "a divergent branch whose join is shared");
  BasicBlock* end = before[before[0] == &head ? 1 : 0];
  ifs.push_back(std::make_unique<DivergentIf>(DivergentIf{&head, then, join, end, thenOnTrue}));
  byHead[&head] = byJoin[join] = byThen[then] = ifs.back().get();
  return Error::success();
}

const DivergentIf* DivergencePlan::ifHeadedBy(const BasicBlock* block) const {
  return byHead.lookup(block);
}

const DivergentIf* DivergencePlan::ifJoinedBy(const BasicBlock* block) const {
  return byJoin.lookup(block);
}

const DivergentIf* DivergencePlan::ifEnteredBy(const BasicBlock* block) const {
  return byThen.lookup(block);
}

Loop* DivergencePlan::divergentLoopHeadedBy(const BasicBlock* block) const {
  Loop* loop = loopInfo.getLoopFor(block);
  return loop && loop->getHeader() == block && divergentLoops.contains(loop) ? loop : nullptr;
}

Loop* DivergencePlan::divergentLoopClosedBy(const BasicBlock* block) const {
  Loop* loop = loopInfo.getLoopFor(block);
  return loop && loop->getLoopLatch() == block && divergentLoops.contains(loop) ? loop : nullptr;
}

Loop* DivergencePlan::outermostDivergentLoop(const BasicBlock* inside,
                                             const BasicBlock* outside) const {
  Loop* found = nullptr;
  for (Loop* loop = loopInfo.getLoopFor(inside); loop && !loop->contains(outside);
       loop = loop->getParentLoop())
    if (divergentLoops.contains(loop))
      found = loop;
  return found;
}

Loop* DivergencePlan::divergentLoopLeft(const PHINode& phi) const {
  for (BasicBlock* before : phi.blocks())
    if (Loop* loop = outermostDivergentLoop(before, phi.getParent()))
      return loop;
  return nullptr;
}

} // namespace metalloid::cpu
