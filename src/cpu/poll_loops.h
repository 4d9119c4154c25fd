// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/IR/Function.h"

namespace metalloid::cpu {

/// Makes loops of `function` that may not end ask Services::interrupted every `interval` iterations
/// and return from the function when told to. `function` returns void and has the worker as its
/// parameter WorkerParam. True where there was such a loop.
bool pollLoops(llvm::Function& function, uint32_t interval);

} // namespace metalloid::cpu
