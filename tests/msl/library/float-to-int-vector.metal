// SPDX-License-Identifier: Apache-2.0
// A float does not become a component of an integer vector by itself: it would lose its fraction.
// RUN: not metalloid-msl %s 2>&1 | FileCheck %s
#include <metal_stdlib>
using namespace metal;

kernel void scale(device int4* p) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: error: invalid operands to binary expression
  p[0] = p[0] * 2.5f;
}
