// SPDX-License-Identifier: Apache-2.0
// Running one dispatch on the CPU: boxes, argument table, threads, faults.
#pragma once

#include "runtime/device.h"
#include "support/error.h"

namespace metalloid::runtime {

/// Runs `dispatch` to its end on the calling thread, helped by the thread pool where the grid is
/// worth it. The dispatch must have passed validateDispatch(), and its pipeline must be a
/// CpuPipeline. May be called from several threads at once. An Error of kind Fault names the kernel
/// that touched unmapped memory, met divergent barriers, ran past its limit or was interrupted.
Expected<void> executeDispatch(const Dispatch& dispatch);

/// Makes every kernel that is running now give up with a Fault (Ctrl-C). Kernels started later are
/// not affected. Async-signal-safe.
void interruptKernels();

/// Seconds that one dispatch may run from now on; 0, the default: no limit. Only kernels with loops
/// that may not end can run into it.
void setKernelTimeLimit(double seconds);

} // namespace metalloid::runtime
