// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/IR/Module.h"

namespace metalloid::air {

/// Gives the declarations of the target primitives, and the calls of them, the attributes that make
/// LLVM's passes keep them where they must stay and free where they may move, whatever the module
/// said: barriers and lane exchange are convergent, exchange reads no memory, atomics touch only
/// what their pointer points to.
void setPrimitiveAttributes(llvm::Module& module);

} // namespace metalloid::air
