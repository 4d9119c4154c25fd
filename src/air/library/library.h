// SPDX-License-Identifier: Apache-2.0
// The air functions that are the same on every target, as bitcode inside the program.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace metalloid::air {

/// The module that defines library function `name` and its relatives, complete in itself; empty
/// where the library has no such family. Lives as long as the program.
llvm::StringRef libraryPart(llvm::StringRef name);

/// Defines in `module` the library functions that it calls, and what those call, with internal
/// linkage and marked to be inlined; reads only the bodies that are needed. Names that the library
/// does not define stay declared. Declarations must have the types of functions.def
/// (air/functions.h: hasKnownType).
llvm::Error linkLibrary(llvm::Module& module);

} // namespace metalloid::air
