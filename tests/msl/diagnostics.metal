// SPDX-License-Identifier: Apache-2.0
// What is wrong is said in MSL's words, at the place in the user's source.
// RUN: not metalloid-msl %s 2>&1 | FileCheck %s --strict-whitespace --match-full-lines
#include <metal_stdlib>
using namespace metal;

kernel void k(device float* out [[buffer(0)]], constant float& scale [[buffer(1)]],
              threadgroup float* shared [[threadgroup(0)]]) {
  device float* p = shared;
  scale = 3;
  float4 v = out;
  bfloat b = "text";
  undefined_function(v.q);
  half h = v.xy;
}
//      CHECK:{{.*}}diagnostics.metal:9:17: error: cannot initialize a variable of type 'device float *' with an lvalue of type 'threadgroup float *'
// CHECK-NEXT:  device float* p = shared;
// CHECK-NEXT:                ^
//      CHECK:{{.*}}diagnostics.metal:10:9: error: cannot assign to variable 'scale' with const-qualified type 'const constant float &'
//      CHECK:{{.*}}diagnostics.metal:11:10: error: no viable conversion from 'device float *' to 'float4' (aka 'vec<float, 4>')
// CHECK-NEXT:  float4 v = out;
// CHECK-NEXT:         ^
// CHECK-NEXT:{{.*}}diagnostics.metal:12:10: error: no viable conversion from 'const constant char[5]' to 'bfloat'
//      CHECK:{{.*}}diagnostics.metal:13:24: error: no member named 'q' in 'metal::vec<float, 4>'
//      CHECK:{{.*}}diagnostics.metal:14:8: error: no viable conversion from '__V2' (aka 'vec<float, 2>') to 'half'
