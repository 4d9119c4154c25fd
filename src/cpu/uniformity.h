// SPDX-License-Identifier: Apache-2.0
// Which values of a thread-form function are equal for all threads of a SIMD-group or threadgroup.
#pragma once

#include "cpu/thread_form.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/IR/PassManager.h"

namespace metalloid::cpu {

/// The target description that teaches LLVM's uniformity analysis (and StructurizeCFG, which asks
/// it) the calls of thread form.
llvm::TargetTransformInfo threadFormTarget(const llvm::DataLayout& layout,
                                           const ThreadgroupShape& shape, UniformScope scope);

/// LLVM's uniformity analysis of `thread`, and the analyses it leans on. Not kept up to date.
class Uniformity {
public:
  Uniformity(llvm::Function& thread, const ThreadgroupShape& shape, UniformScope scope);

  bool isUniform(const llvm::Value* value) const { return info->isUniform(value); }
  /// As isUniform, of a value as the user of `use` sees it: a value may differ between threads that
  /// left its loop after different numbers of iterations.
  bool isUniformUse(const llvm::Use& use) const { return !info->isDivergentUse(use); }
  /// The branch at the end of `block` may go different ways for different threads.
  bool branchDiverges(const llvm::BasicBlock& block) const {
    return info->hasDivergentTerminator(block);
  }
  /// Some branch of the function diverges.
  bool anyBranchDiverges() const;

private:
  llvm::Function& function;
  llvm::FunctionAnalysisManager analyses;
  llvm::UniformityInfo* info;
};

/// True where `value` is a thread's index along a line of threads that a SIMD-group takes 32
/// consecutive ones of, starting at a multiple of 32: the lane, the thread index, and the x
/// position where the shape makes it so.
bool isAlignedLaneIndex(const llvm::Value* value, const ThreadgroupShape& shape);

} // namespace metalloid::cpu
