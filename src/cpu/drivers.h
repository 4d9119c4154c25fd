// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cpu/split_regions.h"
#include "cpu/thread_form.h"

namespace metalloid::cpu {

/// The entry of an image whose kernel is one SIMD-group function, `simd`. With `fibers` it runs the
/// SIMD-group that Worker::simdgroup names, else all SIMD-groups of each threadgroup.
llvm::Function* buildDriver(llvm::Function& simd, const ThreadgroupShape& shape, bool fibers);

/// The entry of an image whose kernel was cut into regions; their functions are in SIMD-group form.
llvm::Function* buildRegionDriver(const Regions& regions, const ThreadgroupShape& shape);

} // namespace metalloid::cpu
