// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cpu/thread_form.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace metalloid::cpu {

/// A block that belongs to no region: all SIMD-groups reach it before any goes on.
struct Cut {
  llvm::BasicBlock* block;      ///< Holds a barrier and a branch, or a uniform branch alone.
  llvm::Value* condition;       ///< Of a uniform branch, else null.
  std::vector<unsigned> starts; ///< Which of RegionCuts::starts follow; the true edge first.
};

/// A kernel's control flow as regions between cuts.
struct RegionCuts {
  std::vector<Cut> cuts;
  std::vector<llvm::BasicBlock*> starts; ///< First block of each region; the entry is starts[0].

  /// The blocks of region `index` in no particular order, the start first.
  std::vector<llvm::BasicBlock*> blocksOf(unsigned index) const;
  /// The cuts that region `index` can reach next.
  std::vector<const Cut*> cutsAfter(unsigned index) const;
  const Cut* cutAt(const llvm::BasicBlock* block) const;
};

/// Gives barriers, and uniform branches that decide about barriers, blocks of their own. An error
/// names a branch that lets threads part before a barrier; `thread` is then spoilt.
llvm::Expected<RegionCuts> cutAtBarriers(llvm::Function& thread, const ThreadgroupShape& shape);

} // namespace metalloid::cpu
