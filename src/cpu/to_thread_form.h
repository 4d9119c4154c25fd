// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "air/prepare.h"
#include "cpu/thread_form.h"

namespace metalloid::cpu {

struct ThreadForm {
  llvm::Function* function = nullptr; ///< In the prepared module, which loses the kernel.
  uint32_t threadgroupBytes = 0;      ///< Static threadgroup memory, a multiple of 64.
  uint32_t barriers = 0;              ///< Threadgroup barriers, numbered 0 … barriers - 1.
};

/// Makes the thread-form function of a prepared kernel for threadgroups of `shape`. Errors name the
/// kernel and what the CPU cannot take: textures, samplers, recursion, unknown built-ins.
llvm::Expected<ThreadForm> toThreadForm(air::Prepared& prepared, const ThreadgroupShape& shape);

} // namespace metalloid::cpu
