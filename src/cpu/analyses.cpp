// SPDX-License-Identifier: Apache-2.0
// The one file that pays for PassBuilder.h.
#include "cpu/analyses.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace metalloid::cpu {
namespace {

PipelineTuningOptions withoutVectorisers() {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = false;
  tuning.LoopInterleaving = false;
  tuning.SLPVectorization = false;
  return tuning;
}

} // namespace

struct Analyses::Managers {
  Managers(TargetMachine* target, TargetIRAnalysis* costs) : builder(target, withoutVectorisers()) {
    if (costs)
      functions.registerPass([costs] { return std::move(*costs); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder;
};

Analyses::Analyses() : managers_(std::make_unique<Managers>(nullptr, nullptr)) {}
Analyses::Analyses(TargetMachine& target)
    : managers_(std::make_unique<Managers>(&target, nullptr)) {}
Analyses::Analyses(TargetIRAnalysis costs)
    : managers_(std::make_unique<Managers>(nullptr, &costs)) {}
Analyses::~Analyses() = default;

FunctionAnalysisManager& Analyses::functions() {
  return managers_->functions;
}
ModuleAnalysisManager& Analyses::modules() {
  return managers_->modules;
}

void Analyses::optimise(Module& module) {
  managers_->builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2)
      .run(module, managers_->modules);
}

} // namespace metalloid::cpu
