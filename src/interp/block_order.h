// SPDX-License-Identifier: Apache-2.0
// The order in which the lanes of a SIMD-group meet (docs/numeric-contract.md, "Convergence").
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

namespace metalloid::interp {

/// Blocks of a function in an order in which every block comes after all that lead to it without
/// going round a loop, and the blocks of a loop come together. Lanes at the least position run
/// first: at a block stand then all lanes that can come to it in this turn of the loops around it.
/// Each loop ends with a meeting place, where lanes that begin the next turn wait for the others.
class BlockOrder {
public:
  explicit BlockOrder(llvm::Function& function);

  struct Place {
    llvm::BasicBlock* block;
    bool isMeeting; ///< The end of the loop with header `block`.
  };
  const Place& at(uint32_t position) const { return places_[position]; }

  /// Where a lane goes that jumps from `from` to `to`.
  uint32_t afterJump(const llvm::BasicBlock& from, const llvm::BasicBlock& to) const;
  uint32_t positionOf(const llvm::BasicBlock& block) const { return positions_.lookup(&block); }

private:
  std::vector<Place> places_;
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> positions_;
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> meetings_; ///< By header.
};

} // namespace metalloid::interp
