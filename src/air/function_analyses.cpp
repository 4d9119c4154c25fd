// SPDX-License-Identifier: Apache-2.0
#include "air/function_analyses.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PassInstrumentation.h"

using namespace llvm;

namespace metalloid::air {

FunctionAnalyses::FunctionAnalyses() : manager_(std::make_unique<FunctionAnalysisManager>()) {
  manager_->registerPass([] { return AssumptionAnalysis(); });
  manager_->registerPass([] { return DominatorTreeAnalysis(); });
  manager_->registerPass([] { return LoopAnalysis(); });
  manager_->registerPass([] { return PassInstrumentationAnalysis(); });
  manager_->registerPass([] { return ScalarEvolutionAnalysis(); });
  manager_->registerPass([] { return TargetIRAnalysis(); });
  manager_->registerPass([] { return TargetLibraryAnalysis(); });
}

FunctionAnalyses::~FunctionAnalyses() = default;

} // namespace metalloid::air
