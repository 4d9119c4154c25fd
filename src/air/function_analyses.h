// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "llvm/IR/PassManager.h"

namespace metalloid::air {

/// The few function analyses that the steps of this part ask for, without LLVM's whole PassBuilder.
class FunctionAnalyses {
public:
  FunctionAnalyses();
  ~FunctionAnalyses();
  llvm::FunctionAnalysisManager& manager() { return *manager_; }

private:
  std::unique_ptr<llvm::FunctionAnalysisManager> manager_;
};

} // namespace metalloid::air
