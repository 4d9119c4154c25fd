// SPDX-License-Identifier: Apache-2.0
// In:  thread form with any control flow.
// Out: thread form in which a branch that diverges within a SIMD-group is either an if-then, whose
//      join has two predecessors (the branch and the end of the then-part), or the only exit of a
//      loop, in its latch; loops are in simplified and LCSSA form.
// Why: this is all that execution masks can follow, and LLVM's passes for GPUs make it for us once
//      they know what diverges. Branches that do not diverge stay as they are: real jumps.
#include "cpu/divergence_plan.h"
#include "cpu/thread_form.h"
#include "cpu/uniformity.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/StructurizeCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"
#include "llvm/Transforms/Utils/UnifyLoopExits.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

/// Code that cannot be reached ends the thread, so that every path ends in a return.
void returnWhereUnreachable(Function& thread) {
  for (BasicBlock& block : thread)
    if (isa<UnreachableInst>(block.getTerminator())) {
      block.getTerminator()->eraseFromParent();
      ReturnInst::Create(thread.getContext(), &block);
    }
}

/// A loop without an exit has no post-dominator; it gets an exit that is never taken.
void giveEndlessLoopsAnExit(Function& thread) {
  PostDominatorTree ends(thread);
  DominatorTree dominators(thread);
  LoopInfo loops(dominators);
  BasicBlock* exit = nullptr;
  for (Loop* loop : loops.getLoopsInPreorder()) {
    SmallVector<BasicBlock*, 4> latches;
    if (!loop->hasNoExitBlocks())
      continue;
    if (!exit) {
      exit = BasicBlock::Create(thread.getContext(), "never", &thread);
      ReturnInst::Create(thread.getContext(), exit);
    }
    loop->getLoopLatches(latches);
    for (BasicBlock* latch : latches) {
      auto* branch = dyn_cast<BranchInst>(latch->getTerminator());
      if (!branch || branch->isConditional())
        continue;
      IRBuilder<> builder(branch);
      builder.CreateCondBr(builder.getTrue(), branch->getSuccessor(0), exit);
      branch->eraseFromParent();
    }
  }
}

/// Calls cpu.returned before every branch that leads some threads from where a barrier can still
/// come to where none can. Before it, not on the edge: the structurised code may run the other
/// side, with the barrier, first.
void markReturns(Function& thread) {
  SmallPtrSet<BasicBlock*, 16> reaches;
  SmallVector<BasicBlock*, 16> work;
  for (BasicBlock& block : thread)
    for (Instruction& instruction : block)
      if (threadFormName(&instruction) == ThreadgroupBarrier && reaches.insert(&block).second)
        work.push_back(&block);
  while (!work.empty())
    for (BasicBlock* before : predecessors(work.pop_back_val()))
      if (reaches.insert(before).second)
        work.push_back(before);

  Function* returned = threadFormFunction(*thread.getParent(), Returned);
  for (BasicBlock* block : reaches) {
    auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() ||
        reaches.contains(branch->getSuccessor(0)) == reaches.contains(branch->getSuccessor(1)))
      continue;
    IRBuilder<> builder(branch);
    Value* leaves = branch->getCondition();
    if (reaches.contains(branch->getSuccessor(0)))
      leaves = builder.CreateNot(leaves);
    builder.CreateCall(returned, leaves);
  }
}

/// LLVM's passes, run with the uniformity rules of thread form. With `skipUniform`, regions whose
/// branches do not diverge keep their jumps.
void runPasses(Function& thread, const ThreadgroupShape& shape, bool skipUniform) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder;
  functions.registerPass([&] {
    return TargetIRAnalysis([shape](const Function& function) {
      return threadFormTarget(function.getDataLayout(), shape, UniformScope::Simdgroup);
    });
  });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  FunctionPassManager passes;
  if (any_of(thread, [](BasicBlock& block) { return isa<SwitchInst>(block.getTerminator()); }))
    passes.addPass(LowerSwitchPass());
  passes.addPass(UnifyFunctionExitNodesPass());
  passes.addPass(FixIrreduciblePass());
  passes.addPass(UnifyLoopExitsPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.addPass(StructurizeCFGPass(skipUniform));
  passes.addPass(DCEPass());
  passes.addPass(LoopSimplifyPass());
  passes.addPass(LCSSAPass());
  passes.run(thread, functions);
}

/// Gives every divergent if-then a then-block of its own and a join of two predecessors.
class JoinMaker {
public:
  JoinMaker(Function& thread, const ThreadgroupShape& shape)
      : thread(thread), uniformity(thread, shape, UniformScope::Simdgroup), dominators(thread),
        ends(thread), loops(dominators) {}

  void run() {
    SmallVector<If, 8> ifs;
    for (BasicBlock& block : thread)
      if (std::optional<If> found = asIf(block))
        ifs.push_back(*found);
    // Inner ones first, so that an outer one finds one end of its then-part.
    sort(ifs, [](const If& a, const If& b) { return a.depth > b.depth; });
    for (If& each : ifs)
      separate(each);
  }

private:
  struct If {
    BasicBlock *head, *then, *join;
    unsigned depth;
  };
  Function& thread;
  Uniformity uniformity;
  DominatorTree dominators;
  PostDominatorTree ends;
  LoopInfo loops;

  std::optional<If> asIf(BasicBlock& block) {
    auto* branch = dyn_cast<BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || !uniformity.branchDiverges(block))
      return std::nullopt;
    auto* node = ends.getNode(&block);
    BasicBlock* join = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    Loop* loop = loops.getLoopFor(&block);
    if (!join || (loop && !loop->contains(join)) || (loop && loop->getHeader() == join))
      return std::nullopt;
    for (unsigned side : {0u, 1u})
      if (branch->getSuccessor(side) == join && branch->getSuccessor(1 - side) != join)
        return If{&block, branch->getSuccessor(1 - side), join,
                  dominators.getNode(&block)->getLevel()};
    return std::nullopt;
  }

  void separate(If& each) {
    if (!each.then->getSinglePredecessor())
      each.then = SplitEdge(each.head, each.then, &dominators, &loops);
    SmallSetVector<BasicBlock*, 4> inside;
    bool others = false;
    for (BasicBlock* before : predecessors(each.join)) {
      if (dominators.dominates(each.then, before))
        inside.insert(before);
      else
        others |= before != each.head;
    }
    if (inside.empty())
      return;
    BasicBlock* end = inside.front();
    if (inside.size() > 1)
      end = SplitBlockPredecessors(each.join, inside.getArrayRef(), ".end", &dominators, &loops,
                                   nullptr, /*PreserveLCSSA=*/true);
    if (others)
      SplitBlockPredecessors(each.join, {each.head, end}, ".join", &dominators, &loops, nullptr,
                             /*PreserveLCSSA=*/true);
  }
};

} // namespace

void structurise(Function& thread, const ThreadgroupShape& shape) {
  EliminateUnreachableBlocks(thread);
  returnWhereUnreachable(thread);
  giveEndlessLoopsAnExit(thread);
  if (Function* barrier = thread.getParent()->getFunction(ThreadgroupBarrier);
      barrier && !barrier->use_empty())
    markReturns(thread);
  if (!Uniformity(thread, shape, UniformScope::Simdgroup).anyBranchDiverges())
    return;
  runPasses(thread, shape, /*skipUniform=*/true);
  JoinMaker(thread, shape).run();
  // The pass judges a region by the branches it had: one that it left alone may now hold a
  // divergent branch that it made further in. Such code is rare; then every branch is structurised.
  if (Error left = DivergencePlan(thread, shape).check()) {
    consumeError(std::move(left));
    runPasses(thread, shape, /*skipUniform=*/false);
    JoinMaker(thread, shape).run();
  }
}

} // namespace metalloid::cpu
