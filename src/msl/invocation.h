// SPDX-License-Identifier: Apache-2.0
// How Clang is configured for MSL: language, code generation, limits. No command line is involved.
#pragma once

#include <memory>

#include "msl/compile.h"
#include "msl/target.h"

namespace clang {
class CompilerInvocation;
} // namespace clang

namespace metalloid::msl {

/// A configuration that compiles `source`; its main file and header folders are not yet set.
std::shared_ptr<clang::CompilerInvocation> makeInvocation(const Source& source,
                                                          const AirVersion& version);

/// Whether unqualified math functions mean the fast ones.
inline bool usesFastFunctions(MathMode mode) {
  return mode != MathMode::Safe;
}

} // namespace metalloid::msl
