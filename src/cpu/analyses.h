// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "llvm/IR/PassManager.h"

namespace llvm {
class TargetMachine;
class TargetIRAnalysis;
} // namespace llvm

namespace metalloid::cpu {

/// LLVM's analysis managers, made and wired together: what a run of passes needs beside the code.
/// Cheap to make (under a millisecond); make a new one rather than share one across our own
/// rewriting, which does not report what it invalidates.
class Analyses {
public:
  /// Analyses of scalar code that assume no target.
  Analyses();
  /// Costs and information of `target`.
  explicit Analyses(llvm::TargetMachine& target);
  /// Analyses in which `costs` describes the machine.
  explicit Analyses(llvm::TargetIRAnalysis costs);
  ~Analyses();

  llvm::FunctionAnalysisManager& functions();
  llvm::ModuleAnalysisManager& modules();

  /// Runs LLVM's O2 pipeline without its vectorisers.
  void optimise(llvm::Module& module);

private:
  struct Managers;
  std::unique_ptr<Managers> managers_;
};

} // namespace metalloid::cpu
