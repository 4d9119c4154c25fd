// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cpu/compile.h"

#include "llvm/Target/TargetMachine.h"

namespace metalloid::cpu {

/// LLVM's description of the machine that `level` stands for: position-independent, small code
/// model, every function and object in a section of its own. Initialises LLVM's targets on the
/// first call; safe to call from several threads.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>> createTarget(Level level);

/// Lanes of one machine vector of 32-bit values: 16, 8 or 4.
unsigned nativeLanes(const llvm::TargetMachine& target);

/// Tells every function of `module` which machine it is compiled for.
void applyTarget(llvm::Module& module, const llvm::TargetMachine& target);

} // namespace metalloid::cpu
