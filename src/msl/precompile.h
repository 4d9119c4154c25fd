// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "msl/compile.h"

namespace metalloid::msl {

/// Writes <metal_stdlib> precompiled, for the default language version, to `outputFile`. Returns
/// the diagnostics as text; empty when it worked. For the build: a program holds the result.
std::string precompileLibrary(MathMode math, const std::string& outputFile);

} // namespace metalloid::msl
