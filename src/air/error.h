// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace metalloid::air {

/// An error of this part: `message` begins with "air: " and names the construct.
inline llvm::Error refuse(const llvm::Twine& message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "air: " + message);
}

} // namespace metalloid::air
