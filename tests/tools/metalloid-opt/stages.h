// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "air/reflection.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace metalloid::test {

struct StageOptions {
  std::string stage;
  std::string kernel; ///< Empty: the module's first.
  std::vector<air::ConstantValue> constants;
};

/// Runs the stage on a module given as bitcode and prints what it gives to `out`.
llvm::Error runStage(ByteView bitcode, const StageOptions& options, llvm::raw_ostream& out);

/// "3=1", "alpha=2.5": index or name, then the value. A value with a point is taken as a float;
/// "true" and "false" are 1 and 0. The type is left to the kernel.
llvm::Expected<air::ConstantValue> parseConstant(llvm::StringRef text);

} // namespace metalloid::test
