// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/IR/Module.h"

namespace metalloid::air {

/// Says on every function whether float denormals are flushed, inputs and results, so that folding
/// constants agrees with running. Half and bfloat keep theirs.
void setDenormalMode(llvm::Module& module, bool flushFloat);

} // namespace metalloid::air
