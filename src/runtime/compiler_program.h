// SPDX-License-Identifier: Apache-2.0
// Where the program metalloid-compiler is, and which build of it.
#pragma once

#include <string>

#include "support/error.h"

namespace metalloid::runtime {

struct CompilerProgram {
  std::string path;
  /// Its ELF build id, hexadecimal: part of every cache key.
  std::string build;
};

/// METALLOID_COMPILER, else metalloid-compiler beside this library: in ../bin, in the same folder,
/// in bin. The error says where it was looked for and what to do. A missing execute permission,
/// which unpacking by hand loses, is given back where the file is ours.
Expected<CompilerProgram> findCompiler();

} // namespace metalloid::runtime
