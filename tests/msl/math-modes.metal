// SPDX-License-Identifier: Apache-2.0
// What each math mode, and each pragma, lets later passes do with an expression.
// RUN: metalloid-msl -math=safe %s | FileCheck %s --check-prefixes=CHECK,SAFE
// RUN: metalloid-msl -math=fast %s | FileCheck %s --check-prefixes=CHECK,FAST
// RUN: metalloid-msl -math=relaxed %s | FileCheck %s --check-prefixes=CHECK,FAST
#include <metal_stdlib>
using namespace metal;

// Safe math fuses within an expression; fast math across. No flag gives up NaN or infinity.
// CHECK-LABEL: define void @by_mode(
// SAFE: call float @llvm.fmuladd.f32(
// SAFE: fmul float
// SAFE: fadd float
// FAST: fmul reassoc nsz arcp contract afn float
// FAST: fadd reassoc nsz arcp contract afn float
kernel void by_mode(device float* p [[buffer(0)]]) {
  p[0] = p[1] * p[2] + p[3];
  float product = p[4] * p[5];
  p[6] = product + p[7];
}

// CHECK-LABEL: define void @functions(
// SAFE: call float @air.sin.f32(
// FAST: call reassoc nsz arcp contract afn float @air.fast_sin.f32(
// CHECK: call {{.*}}float @air.sin.f32(
// CHECK: call {{.*}}float @air.fast_sin.f32(
kernel void functions(device float* p [[buffer(0)]]) {
  p[0] = sin(p[1]);
  p[2] = precise::sin(p[3]);
  p[4] = fast::sin(p[5]);
}

// CHECK-LABEL: define void @safe_here(
// CHECK: call float @llvm.fmuladd.f32(
// CHECK: fmul float
// CHECK: fadd float
// CHECK: ret void
kernel void safe_here(device float* p [[buffer(0)]]) {
#pragma METAL fp math_mode(safe)
  p[0] = p[1] * p[2] + p[3];
  {
#pragma METAL fp contract(off)
    p[0] = p[1] * p[2] + p[3];
  }
}

// CHECK-LABEL: define void @fast_here(
// CHECK: fmul reassoc nsz arcp contract afn float
// CHECK: fadd reassoc nsz arcp contract afn float
kernel void fast_here(device float* p [[buffer(0)]]) {
#pragma METAL fp math_mode(fast)
  p[0] = p[1] * p[2] + p[3];
}

// CHECK: !air.compile_options = !{![[DENORMS:[0-9]+]], ![[MATH:[0-9]+]], ![[FETCH:[0-9]+]]}
// CHECK: ![[DENORMS]] = !{!"air.compile.denorms_disable"}
// SAFE: ![[MATH]] = !{!"air.compile.fast_math_disable"}
// FAST: ![[MATH]] = !{!"air.compile.fast_math_enable"}
