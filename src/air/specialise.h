// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "air/reflection.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace metalloid::air {

/// Gives the function constants of `module` their values, runs the static initialisers that compute
/// from them, and marks the arguments of `reflection` whose predicate turned out false as inactive.
///
/// In: a verified module and the reflection of the kernel wanted. Out: no initialiser is left, and
/// every variable they wrote is a constant with its value. A value that no constant of the module
/// asks for is ignored, as Metal does. Errors: a value of another type than the constant's; a
/// required constant that the kernel depends on without a value; an initialiser that needs more
/// than arithmetic.
llvm::Error specialise(llvm::Module& module, Reflection& reflection,
                       std::span<const ConstantValue> values);

} // namespace metalloid::air
