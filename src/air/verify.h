// SPDX-License-Identifier: Apache-2.0
// What an AIR module may not contain. Everything behind air::readModule relies on these rules.
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace metalloid::air {

/// Bytes of allocas one function may have.
inline constexpr uint64_t MaxPrivateBytes = 65536;

/// Success where `module` is valid LLVM IR for an AIR target and holds none of: inline or module
/// assembly, ifuncs, undefined symbols other than air functions and the intrinsics listed in
/// verify.cpp, calls through pointers, exceptions, computed gotos, thread-local variables, prefix
/// or prologue data, allocas of variable size or more than MaxPrivateBytes. The Error names the
/// construct and where it stands. Debug information that is broken is dropped, not an error.
llvm::Error verify(llvm::Module& module);

} // namespace metalloid::air
