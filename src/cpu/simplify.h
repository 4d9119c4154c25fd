// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/thread_form.h"

namespace metalloid::cpu {

/// Cleans a thread-form function up for vectorisation: scalars only, private arrays in registers
/// where their indices are known, small loops unrolled.
void simplify(llvm::Function& thread, const ThreadgroupShape& shape);

/// The short form for a region just cut out of a simplified function: what the cut left behind.
void tidyRegion(llvm::Function& region, const ThreadgroupShape& shape);

} // namespace metalloid::cpu
