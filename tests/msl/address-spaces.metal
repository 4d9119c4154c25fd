// SPDX-License-Identifier: Apache-2.0
// Members overloaded on the address space of the object, traits that tell spaces apart, and where
// variables live.
// RUN: metalloid-msl -math=safe %s | FileCheck %s
#include <metal_stdlib>
using namespace metal;

// CHECK-DAG: @_ZZ6spaces{{.*}}scratch = internal addrspace(3) global [64 x float] undef, align 4
// CHECK-DAG: @_ZZ6spaces{{.*}}objects = internal addrspace(3) global [2 x %struct.Complex] undef
// CHECK-DAG: @_ZL5table = internal addrspace(2) constant [4 x float] [float 1.000000e+00, float 2.000000e+00
// CHECK-DAG: @_ZZ6spaces{{.*}}local_table = {{.*}}addrspace(2) constant [2 x i32] [i32 5, i32 6]
constant float table[4] = {1, 2, 3, 4};

struct Complex {
  float re, im;
  constexpr Complex(float re, float im) thread : re(re), im(im) {}
  constexpr Complex() thread : re(0), im(0) {}
  constexpr Complex() threadgroup : re(0), im(0) {}
  constexpr operator float() const thread { return re; }
  constexpr operator float() const device { return re + 1; }
  constexpr operator float() const threadgroup { return re + 2; }
  constexpr operator float() const constant { return re + 3; }
  float length() const { return re + im; }
};

template <typename T> struct Space;
template <typename T> struct Space<thread T*> {
  static constexpr int value = 1;
};
template <typename T> struct Space<device T*> {
  static constexpr int value = 2;
};
template <typename T> struct Space<constant T*> {
  static constexpr int value = 3;
};
template <typename T> struct Space<threadgroup T*> {
  static constexpr int value = 4;
};
static_assert(Space<thread float*>::value == 1 && Space<device float*>::value == 2);
static_assert(Space<const device float*>::value == 2 && Space<constant float*>::value == 3);
static_assert(Space<threadgroup float*>::value == 4);

int overloaded(thread int*) { return 1; }
int overloaded(device int*) { return 2; }
int overloaded(threadgroup int*) { return 3; }

// CHECK: define void @spaces(
// CHECK: call float @_ZNU8CLglobalK7ComplexcvfEv(
// CHECK: call float @_ZNU10CLconstantK7ComplexcvfEv(
// CHECK: call float @_ZNU9CLprivateK7ComplexcvfEv(
// CHECK: call float @_ZNU7CLlocalK7ComplexcvfEv(
// CHECK: call float @_ZNK7Complex6lengthEv(
// CHECK: call i32 @_Z10overloadedPU8CLglobali(
// CHECK: call i32 @_Z10overloadedPi(
kernel void spaces(device Complex* p [[buffer(0)]], constant Complex& q [[buffer(1)]],
                   device int* out [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  threadgroup float scratch[64];
  threadgroup Complex objects[2];
  constant int local_table[2] = {5, 6};
  Complex local(1, 2);
  scratch[i] = p[i];
  scratch[1] = q;
  scratch[2] = local;
  scratch[3] = objects[1];
  scratch[4] = p[i].length() + local_table[i & 1] + table[i & 3];
  int number = 3;
  out[0] = overloaded(out) + overloaded(&number) + int(scratch[5]);
}
