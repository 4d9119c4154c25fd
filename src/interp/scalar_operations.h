// SPDX-License-Identifier: Apache-2.0
// What one instruction does to scalars. Integer results that LLVM leaves open are those of
// docs/numeric-contract.md, decided here anew and not by the steps of src/air.
#pragma once

#include <optional>

#include "interp/bits.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Intrinsics.h"

namespace metalloid::interp {

Bits binaryOperation(unsigned opcode, const llvm::Type& type, Bits a, Bits b, bool flush);
bool compare(llvm::CmpInst::Predicate predicate, const llvm::Type& type, Bits a, Bits b,
             bool flush);
/// Every cast but bitcasts between vectors of unlike elements.
Bits castOperation(unsigned opcode, const llvm::Type& from, const llvm::Type& to, Bits value,
                   bool flush);

/// An intrinsic that works element by element; nothing for others. `from` is the scalar type of the
/// first operand, `to` that of the result.
std::optional<Bits> intrinsicOperation(llvm::Intrinsic::ID id, const llvm::Type& from,
                                       const llvm::Type& to, llvm::ArrayRef<Bits> operands,
                                       bool flush);

/// The larger or smaller of two floats as the contract has it for SIMD-groups: the number where the
/// other is NaN, of equal values the second.
Bits floatMinMax(const llvm::Type& type, Bits a, Bits b, bool isMax, bool flush);

} // namespace metalloid::interp
