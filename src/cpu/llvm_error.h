// SPDX-License-Identifier: Apache-2.0
// Errors of the passes: text for a person, without an error code.
#pragma once

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace metalloid::cpu {

// In the back end these names mean LLVM's, not those of support/error.h.
using llvm::Error;
using llvm::Expected;

/// `return refuse("kernel 'k': texture arguments are not supported")`.
inline Error refuse(const llvm::Twine& message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

} // namespace metalloid::cpu
