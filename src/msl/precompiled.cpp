// SPDX-License-Identifier: Apache-2.0
#include "msl/library_files.h"

extern "C" const char metalloid_fast_pch[], metalloid_fast_pch_end[];
extern "C" const char metalloid_precise_pch[], metalloid_precise_pch_end[];

namespace metalloid::msl {

std::string_view precompiledLibrary(bool fastFunctions) {
  return fastFunctions ? std::string_view(metalloid_fast_pch, metalloid_fast_pch_end)
                       : std::string_view(metalloid_precise_pch, metalloid_precise_pch_end);
}

} // namespace metalloid::msl
