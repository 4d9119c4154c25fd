// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/IR/Module.h"

namespace metalloid::air {

/// Decides every fused multiply-add, once and for every target: the numeric contract.
///
/// In: AIR as a front end wrote it. Out: no llvm.fmuladd and no fast-math flag; a floating-point
/// instruction means exactly one rounding. llvm.fmuladd always becomes llvm.fma. A multiply and an
/// add or subtract that both carry the flag `contract` fuse where the product has no other use and
/// both stand in one block; of two products the left one fuses. It stands before the air functions
/// are linked: their code is rounded as it is written.
void contract(llvm::Module& module);

} // namespace metalloid::air
