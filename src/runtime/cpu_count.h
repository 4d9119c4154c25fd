// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace metalloid::runtime {

/// Threads that kernels may use: METALLOID_NUM_THREADS where it is a number of at least 1, else the
/// CPUs of this process's affinity mask, cut down to the CPU quota of its control groups.
unsigned usableCpus();

} // namespace metalloid::runtime
