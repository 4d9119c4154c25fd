// SPDX-License-Identifier: Apache-2.0
// Scalar clean-up of a whole kernel, before anything is cut or vectorised. In: thread form as the
// front end wrote it. Out: scalar values only; private arrays that constant indices reach are gone;
// loops rotated, invariants hoisted, short loops without barriers unrolled (a barrier cannot be
// duplicated, each copy would be a region). It stands here because every instruction saved now is
// saved 32 times, and because regions and vectors hide from LLVM what it still sees in one thread.
#include "cpu/simplify.h"

#include "cpu/analyses.h"
#include "cpu/expand_values.h"
#include "cpu/uniformity.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;

namespace metalloid::cpu {
namespace {

ScalarizerPass scalarizer() {
  ScalarizerPassOptions options;
  options.ScalarizeVariableInsertExtract = true;
  options.ScalarizeLoadStore = true;
  return ScalarizerPass(options);
}

void run(Function& thread, const ThreadgroupShape& shape, FunctionPassManager passes) {
  Analyses analyses(TargetIRAnalysis([shape](const Function& function) {
    return threadFormTarget(function.getDataLayout(), shape, UniformScope::Simdgroup);
  }));
  passes.run(thread, analyses.functions());
}

// Memory that only this thread names becomes values.
void promote(Function& thread, const ThreadgroupShape& shape) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(InferAlignmentPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  run(thread, shape, std::move(passes));
}

void scalarise(Function& thread, const ThreadgroupShape& shape) {
  expandAggregates(thread);
  expandBitcasts(thread);
  FunctionPassManager passes;
  passes.addPass(InstSimplifyPass());
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(scalarizer());
  passes.addPass(ADCEPass());
  run(thread, shape, std::move(passes));
}

void simplifyLoops(Function& thread, const ThreadgroupShape& shape) {
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  LoopPassManager hoist;
  hoist.addPass(LoopRotatePass());
  hoist.addPass(LICMPass(LICMOptions()));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(hoist), /*UseMemorySSA=*/true));
  LoopPassManager unroll;
  unroll.addPass(IndVarSimplifyPass());
  unroll.addPass(LoopFullUnrollPass(/*OptLevel=*/3));
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(unroll)));
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(GVNPass());
  passes.addPass(InstCombinePass());
  passes.addPass(ADCEPass());
  passes.addPass(SimplifyCFGPass());
  run(thread, shape, std::move(passes));
}

// Lifetimes of one thread's variables and its assumptions do not hold for vectors of them.
void dropMarkers(Function& thread) {
  for (Instruction& instruction : make_early_inc_range(instructions(thread)))
    if (auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction))
      if (intrinsic->isLifetimeStartOrEnd() || intrinsic->isAssumeLikeIntrinsic())
        if (intrinsic->use_empty())
          intrinsic->eraseFromParent();
}

} // namespace

void simplify(Function& thread, const ThreadgroupShape& shape) {
  promote(thread, shape);
  scalarise(thread, shape);
  simplifyLoops(thread, shape);
  dropMarkers(thread);
  scalarise(thread, shape); // GVN and instcombine like vectors and aggregates; they are done now.
  FunctionPassManager passes;
  passes.addPass(LowerSwitchPass()); // Cuts and masks follow branches of two ways.
  run(thread, shape, std::move(passes));
}

void tidyRegion(Function& region, const ThreadgroupShape& shape) {
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(InstCombinePass());
  passes.addPass(SimplifyCFGPass());
  run(region, shape, std::move(passes));
}

} // namespace metalloid::cpu
