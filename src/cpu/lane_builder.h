// SPDX-License-Identifier: Apache-2.0
// An IRBuilder for values of 32 lanes that are kept as machine vectors of `chunk` lanes each.
#pragma once

#include "cpu/lane_facts.h"
#include "cpu/target_hooks.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace metalloid::cpu {

/// A value of 32 lanes: 32 / chunk vectors.
using Parts = llvm::SmallVector<llvm::Value*, 8>;

/// The lanes that are active. Full masks are known as such, so that plain loads and stores do.
struct Mask {
  bool full = true;
  Parts lanes; ///< Vectors of i1; empty when full.
};

class LaneBuilder : public llvm::IRBuilder<> {
public:
  LaneBuilder(llvm::LLVMContext& context, unsigned chunk, const TargetHooks& hooks)
      : IRBuilder(context), chunk(chunk), count(32 / chunk), hooks(hooks) {}

  const unsigned chunk; ///< Lanes a part.
  const unsigned count; ///< Parts.
  const TargetHooks hooks;

  llvm::FixedVectorType* vectorOf(llvm::Type* element) const {
    return llvm::FixedVectorType::get(element, chunk);
  }
  /// One value a part.
  Parts each(llvm::function_ref<llvm::Value*(unsigned part)> make) const;
  Parts splat(llvm::Value* value);
  Parts constants(llvm::Type* type, const LaneNumbers& numbers);
  /// base + numbers in every lane; for pointers the numbers are bytes.
  Parts plus(llvm::Value* base, const LaneNumbers& numbers);
  Parts select(const Parts& mask, const Parts& yes, const Parts& no);
  Parts cast(llvm::Instruction::CastOps operation, const Parts& values, llvm::Type* element);
  Parts freeze(const Parts& values);

  /// Result lane l is lane source(l) of `a` (0 … 31) or of `b` (32 … 63).
  Parts shuffle(const Parts& a, const Parts& b, llvm::function_ref<unsigned(unsigned lane)> source);
  /// Result lane l is lane indices[l] (i32, 0 … 31) of `values`, of any element type.
  Parts permute(const Parts& values, const Parts& indices);

  /// All lanes as vectors.
  Parts lanesOf(const Mask& mask);
  /// Those lanes of `mask` where `condition` holds; poison in idle lanes does no harm.
  Mask both(const Mask& mask, const Parts& condition);
  llvm::Value* any(const Parts& mask);       ///< i1
  llvm::Value* bits(const Parts& mask);      ///< i32, lane l in bit l
  Parts fromBits(llvm::Value* bits);         ///< The reverse.
  llvm::Value* firstLane(llvm::Value* bits); ///< i32: number of the lowest bit set.
  llvm::Value* lastLane(llvm::Value* bits);  ///< i32: number of the highest bit set.

  llvm::Value* extract(const Parts& values, unsigned lane);
  llvm::Value* extract(const Parts& values, llvm::Value* lane); ///< i32 lane known at run time.
  /// Lanes set one by one.
  Parts gathered(llvm::Type* element, llvm::function_ref<llvm::Value*(unsigned lane)> make);

  /// Stack memory of the function, allocated in its entry block.
  llvm::AllocaInst* stack(llvm::Type* type, llvm::Align alignment = llvm::Align(64));
  /// Stores all lanes to an array on the stack.
  llvm::AllocaInst* spill(const Parts& values);
  /// Loads all lanes from an array of `element`.
  Parts reload(llvm::Type* element, llvm::Value* array);
};

} // namespace metalloid::cpu
