// SPDX-License-Identifier: Apache-2.0
// Where a kernel can be cut so that all SIMD-groups of a threadgroup meet. In: thread form with
// barriers. Out: the same control flow in which every barrier, and every branch that all threads
// take alike and on which a barrier depends, stands in a block of its own: the edges of the graph
// that the driver walks. Each region must lead to one cut only: threads that could leave it for two
// different cuts would not meet. Threads that return meanwhile are no trouble, they are finished.
#include "cpu/region_cuts.h"

#include "cpu/llvm_error.h"
#include "cpu/uniformity.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace metalloid::cpu {

const Cut* RegionCuts::cutAt(const BasicBlock* block) const {
  for (const Cut& cut : cuts)
    if (cut.block == block)
      return &cut;
  return nullptr;
}

std::vector<BasicBlock*> RegionCuts::blocksOf(unsigned index) const {
  SmallPtrSet<BasicBlock*, 32> seen{starts[index]};
  std::vector<BasicBlock*> blocks{starts[index]};
  for (size_t next = 0; next < blocks.size(); next++)
    for (BasicBlock* after : successors(blocks[next]))
      if (!cutAt(after) && seen.insert(after).second)
        blocks.push_back(after);
  return blocks;
}

std::vector<const Cut*> RegionCuts::cutsAfter(unsigned index) const {
  std::vector<const Cut*> reached;
  for (BasicBlock* block : blocksOf(index))
    for (BasicBlock* after : successors(block))
      if (const Cut* cut = cutAt(after); cut && !is_contained(reached, cut))
        reached.push_back(cut);
  return reached;
}

namespace {

using BlockSet = SmallPtrSet<BasicBlock*, 16>;

// Each barrier in a block of its own, followed by a branch to a block without phis.
BlockSet isolateBarriers(Function& thread) {
  SmallVector<Instruction*> barriers;
  for (Instruction& instruction : instructions(thread))
    if (threadFormName(&instruction) == ThreadgroupBarrier)
      barriers.push_back(&instruction);
  BlockSet blocks;
  for (Instruction* barrier : barriers) {
    SplitBlock(barrier->getParent(), barrier);
    SplitBlock(barrier->getParent(), barrier->getNextNode());
    blocks.insert(barrier->getParent());
  }
  return blocks;
}

// A barrier is reached on some way from `branch` to the block where its ways meet again.
bool decidesAboutBarrier(BasicBlock& branch, const PostDominatorTree& postDominators,
                         const BlockSet& barriers) {
  auto* node = postDominators.getNode(&branch);
  BasicBlock* meeting = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  BlockSet seen;
  SmallVector<BasicBlock*> work(successors(&branch));
  while (!work.empty()) {
    BasicBlock* block = work.pop_back_val();
    if (block == meeting || !seen.insert(block).second)
      continue;
    if (barriers.contains(block))
      return true;
    append_range(work, successors(block));
  }
  return false;
}

SmallVector<BranchInst*> branchesToCut(Function& thread, const ThreadgroupShape& shape,
                                       const BlockSet& barriers) {
  Uniformity uniformity(thread, shape, UniformScope::Threadgroup);
  PostDominatorTree postDominators(thread);
  SmallVector<BranchInst*> branches;
  for (BasicBlock& block : thread) {
    auto* branch = dyn_cast<BranchInst>(block.getTerminator());
    if (branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1) &&
        !uniformity.branchDiverges(block) && decidesAboutBarrier(block, postDominators, barriers))
      branches.push_back(branch);
  }
  return branches;
}

// A fresh block on the edge from `from` to its successor `index`: regions start without phis.
BasicBlock* splitEdge(BasicBlock& from, unsigned index) {
  BasicBlock* to = from.getTerminator()->getSuccessor(index);
  auto* edge = BasicBlock::Create(from.getContext(), "edge", from.getParent(), to);
  BranchInst::Create(to, edge);
  to->replacePhiUsesWith(&from, edge);
  from.getTerminator()->setSuccessor(index, edge);
  return edge;
}

std::string whereIs(const BasicBlock& block) {
  for (const Instruction& instruction : block)
    if (const DebugLoc& location = instruction.getDebugLoc())
      return " (line " + std::to_string(location.getLine()) + ")";
  return "";
}

} // namespace

Expected<RegionCuts> cutAtBarriers(Function& thread, const ThreadgroupShape& shape) {
  BlockSet barriers = isolateBarriers(thread);
  RegionCuts result;
  result.starts.push_back(&thread.getEntryBlock());
  for (BranchInst* branch : branchesToCut(thread, shape, barriers)) {
    BasicBlock* block = SplitBlock(branch->getParent(), branch);
    Cut cut{block, branch->getCondition(), {}};
    for (unsigned index : {0u, 1u}) {
      cut.starts.push_back(result.starts.size());
      result.starts.push_back(splitEdge(*block, index));
    }
    result.cuts.push_back(std::move(cut));
  }
  for (BasicBlock& block : thread)
    if (barriers.contains(&block)) {
      result.cuts.push_back({&block, nullptr, {unsigned(result.starts.size())}});
      result.starts.push_back(block.getSingleSuccessor());
    }
  for (unsigned index = 0; index < result.starts.size(); index++)
    if (std::vector<const Cut*> after = result.cutsAfter(index); after.size() > 1)
      return refuse("threads may part before a barrier" + whereIs(*after.front()->block) +
                    " and stand at different ones");
  return result;
}

} // namespace metalloid::cpu
