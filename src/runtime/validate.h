// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/device.h"
#include "support/error.h"

namespace metalloid::runtime {

/// Checks a dispatch against what its kernel and the CPU device allow: sizes of the threadgroup and
/// the grid, threadgroup memory, and for each argument that it is bound, aligned and long enough.
/// The error names the kernel, the argument, the sizes and what to do.
Expected<void> validateDispatch(const Dispatch& dispatch);

} // namespace metalloid::runtime
