// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "air/reflection.h"

#include "llvm/Support/JSON.h"

namespace metalloid::test {

/// Every field of `reflection`, under its own name.
llvm::json::Value toJson(const air::Reflection& reflection);

} // namespace metalloid::test
