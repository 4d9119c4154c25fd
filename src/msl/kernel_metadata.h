// SPDX-License-Identifier: Apache-2.0
// What AIR says of a kernel in metadata: all that reflection knows comes from here.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace clang {
class ASTContext;
class FunctionDecl;
} // namespace clang
namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace metalloid::msl {

class FunctionConstants;
struct AirVersion;
struct Source;

/// Adds `kernel`, whose declaration is `declaration`, to !air.kernel: limits, and each parameter
/// with its binding or built-in value, as Apple's compiler writes them. Checks what MSL asks of a
/// kernel's parameters and reports violations to the context's diagnostics.
void addKernelMetadata(llvm::Function& kernel, const clang::FunctionDecl& declaration,
                       FunctionConstants& constants);

/// Adds what AIR says of a module: versions, compile options, limits of the machine, source name.
void addModuleMetadata(llvm::Module& module, const Source& source, const AirVersion& version);

} // namespace metalloid::msl
