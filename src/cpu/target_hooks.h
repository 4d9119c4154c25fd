// SPDX-License-Identifier: Apache-2.0
// What the vectoriser asks of a target: the only place that knows instruction sets.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace metalloid::cpu {

struct TargetHooks {
  bool gathers = false;  ///< Masked gathers of 32- and 64-bit elements are instructions.
  bool scatters = false; ///< The same of scatters.
  /// Narrowest element, in bits, of which contiguous masked loads and stores are instructions.
  unsigned maskedBits = 128;
  /// Two 16-lane vectors can be permuted by one instruction (AVX-512).
  bool permutesPairs = false;

  /// By the function's "target-cpu" and "target-features" and its module's triple.
  static TargetHooks of(const llvm::Function& function);

  bool masks(unsigned bits) const { return bits >= maskedBits; }
};

/// Lane i of the result is lane indices[i] (0 … 31) of the 32 i32 lanes of `low` then `high`; only
/// where TargetHooks::permutesPairs.
llvm::Value* permutePair(llvm::IRBuilderBase& builder, llvm::Value* low, llvm::Value* high,
                         llvm::Value* indices);

/// Attributes that let code of `chunk` lanes use the target's full registers.
void allowVectorWidth(llvm::Function& function, unsigned chunk);

} // namespace metalloid::cpu
