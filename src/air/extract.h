// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace metalloid::air {

/// Leaves `kernel` and what it refers to; all else goes, and all but the kernel becomes internal.
///
/// In: a specialised module. Out: no aliases, sections, comdats or lists of used symbols; constant
/// memory that nothing writes is marked constant, so that loads from it fold; functions carry no
/// attributes by which bitcode could steer code generation. It stands right after specialisation so
/// that every later step works on one kernel. An Error where the kernel calls itself, through any
/// number of others: its stack would have no bound.
llvm::Error extract(llvm::Module& module, llvm::Function& kernel);

} // namespace metalloid::air
