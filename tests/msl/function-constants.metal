// SPDX-License-Identifier: Apache-2.0
// Function constants, constants computed from them, and arguments that depend on them.
// RUN: metalloid-msl %s | FileCheck %s
#include <metal_stdlib>
using namespace metal;

constant bool flip [[function_constant(3)]];
static constant constexpr int width [[function_constant(10)]];
constant float unread [[function_constant(11)]];
constant bool flip_wide = flip && width > 4;

// CHECK-NOT: @.str
// CHECK-DAG: @[[FLIP_IN:_Z4flip.MTL_FC_INIT_3_b]] = internal addrspace(2) externally_initialized constant i8 undef, section "air.fc_initializer", align 1
// CHECK-DAG: @flip = internal addrspace(2) global i8 undef
// CHECK-DAG: @[[WIDTH_IN:_Z5width.MTL_FC_INIT_10_i]] = internal addrspace(2) externally_initialized constant i32 undef, section "air.fc_initializer", align 4
// CHECK-DAG: @[[PRED:__metal_implicit_fc_pred_0]] = internal addrspace(2) global i8 0
// CHECK-DAG: @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @[[INIT:_GLOBAL__sub_I_function_constants.metal]], ptr null }]

// The host's values are copied before anything is computed from them, and the conditions come last.
// CHECK: define internal void @[[INIT]]()
// CHECK-DAG: load i8, ptr addrspace(2) @[[FLIP_IN]]
// CHECK-DAG: load i32, ptr addrspace(2) @[[WIDTH_IN]]
// CHECK: call void @__cxx_global_var_init()
// CHECK: call i8 @air.normalize_function_constant_predicate.i8(
// CHECK: store i8 {{.*}} @[[PRED]]
// CHECK: ret void
kernel void k(device float* out [[buffer(0)]], device const float* in [[buffer(1), function_constant(flip_wide)]],
              device const float* wide [[buffer(1), function_constant(flip)]]) {
  out[width] = flip ? 1 : 2;
}

// CHECK: !air.function_constants = !{![[FLIP:[0-9]+]], ![[WIDTH:[0-9]+]]}
// CHECK: ![[FLIP]] = !{ptr addrspace(2) @[[FLIP_IN]], !"bool", !"flip", i32 3, i1 true}
// CHECK: ![[WIDTH]] = !{ptr addrspace(2) @[[WIDTH_IN]], !"int", !"width", i32 10, i1 true}
// CHECK: !{i32 1, !"air.function_constant", ![[ONE:[0-9]+]], !"air.buffer", !"air.location_index", i32 1, i32 1, !"air.read",
// CHECK: ![[ONE]] = !{ptr addrspace(2) @[[PRED]], !"bool", !"flip_wide"}
