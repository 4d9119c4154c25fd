// SPDX-License-Identifier: Apache-2.0
// LLVM's diagnostics as text. Without a handler LLVM prints an error and exits the process.
#pragma once

#include <string>

namespace llvm {
class LLVMContext;
}

namespace metalloid::air {

/// Makes `context` collect diagnostics instead of printing them and exiting. Idempotent.
void collectDiagnostics(llvm::LLVMContext& context);

/// The errors collected since the last call, a line each; empty where there were none.
std::string takeDiagnostics(llvm::LLVMContext& context);

} // namespace metalloid::air
