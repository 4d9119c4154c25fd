// SPDX-License-Identifier: Apache-2.0
// What MSL asks of a kernel's parameters.
// RUN: not metalloid-msl %s 2>&1 | FileCheck %s
#include <metal_stdlib>
using namespace metal;

constant bool one [[function_constant(0)]];
// CHECK: :[[@LINE+1]]:15: error: function constant index 0 is already used
constant bool two [[function_constant(0)]];

// CHECK: :[[@LINE+1]]:31: error: parameter 'n' of kernel 'no_attribute' is no buffer, texture or sampler and has no attribute that names a built-in value
kernel void no_attribute(uint n) {}

// CHECK: :[[@LINE+1]]:33: error: parameter 'p' of kernel 'thread_pointer' must point to device, constant or threadgroup memory
kernel void thread_pointer(int* p [[buffer(0)]]) {}

// CHECK: :[[@LINE+1]]:34: error: 'buffer' index of parameter 'p' must be a constant from 0 to 30
kernel void far_away(device int* p [[buffer(31)]]) {}

// CHECK: :[[@LINE+1]]:60: error: 'buffer' index 3 of parameter 'q' is already used
kernel void twice(device int* p [[buffer(3)]], device int* q [[buffer(3)]]) {}

// CHECK: :[[@LINE+1]]:61: error: parameters 'a' and 'b' must both be scalars or both be vectors
kernel void mixed(uint a [[thread_position_in_grid]], uint2 b [[threads_per_grid]]) {}

// CHECK: :[[@LINE+1]]:30: error: type 'float' of parameter 'x' is not valid for 'thread_position_in_grid': use ushort, uint or a vector of them
kernel void fractional(float x [[thread_position_in_grid]]) {}

// CHECK: :[[@LINE+1]]:12: error: kernel 'not_void' must return void
kernel int not_void(device int* p [[buffer(0)]]) { return 0; }

// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: attribute 'texture' cannot be applied to parameter 'p', which needs 'buffer'
kernel void misplaced(device int* p [[texture(0)]]) {}

// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: 'function_constant' of parameter 'p' must name a function constant
kernel void conditional(device int* p [[buffer(0), function_constant(three)]]) {}

// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: 'max_total_threads_per_threadgroup' needs a constant from 1 to 1024
[[kernel, max_total_threads_per_threadgroup(4096)]] void limited(device int* p [[buffer(0)]]) {}

namespace first {
kernel void same(device int* p [[buffer(0)]]) {}
} // namespace first
template <typename T> [[kernel]] void generic(device T* p [[buffer(0)]]) {}
// CHECK: error: two kernels are named 'first::same'
template [[host_name("first::same")]] [[kernel]] void generic<int>(device int*);

kernel void callee(device int* p [[buffer(0)]]) {}
// CHECK: error: kernel 'callee' is called: a kernel cannot be
kernel void caller(device int* p [[buffer(0)]]) { callee(p); }

// CHECK: :[[@LINE+1]]:5: error: function 'nowhere' is used but not defined
int nowhere(device int* p, uint n);
kernel void undefined(device int* p [[buffer(0)]]) { p[0] = nowhere(p, 1); }
