// SPDX-License-Identifier: Apache-2.0
// RUN: not metalloid-msl %s 2>&1 | FileCheck %s
#include <metal_atomic>
using namespace metal;

// CHECK: error: {{.*}}atomic<T> is supported for int, uint, float, long and ulong
struct Flags {
  atomic_bool done;
};
