// SPDX-License-Identifier: Apache-2.0
// `#pragma METAL`.
#pragma once

namespace clang {
class Preprocessor;
} // namespace clang

namespace metalloid::msl {

/// Handles `#pragma METAL fp math_mode(safe|relaxed|fast)` and `#pragma METAL fp
/// contract(off|on|fast)` as Clang's pragmas of the same effect; `internals` is accepted.
void addMetalPragmas(clang::Preprocessor& preprocessor);

} // namespace metalloid::msl
