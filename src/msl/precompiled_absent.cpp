// SPDX-License-Identifier: Apache-2.0
// For the program that makes the precompiled library.
#include "msl/library_files.h"

namespace metalloid::msl {

std::string_view precompiledLibrary(bool) {
  return {};
}

} // namespace metalloid::msl
