// SPDX-License-Identifier: Apache-2.0
// A swizzle that repeats a component cannot be assigned.
// RUN: not metalloid-msl %s 2>&1 | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void assign(device float4* p) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: no setter defined for property 'xx'
  p[0].xx = float2(1, 2);
}
