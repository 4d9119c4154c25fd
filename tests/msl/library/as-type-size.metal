// SPDX-License-Identifier: Apache-2.0
// RUN: not metalloid-msl %s 2>&1 | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void reinterpret(device float* p) {
  // CHECK: error: {{.*}}as_type: the two types must have the same size
  p[0] = as_type<float>(half(1));
}
