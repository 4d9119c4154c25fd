// SPDX-License-Identifier: Apache-2.0
// Matrices of a SIMD-group: load, store, fill and multiply, for every element type.
// RUN: metalloid-msl %s | grep ^declare | FileCheck %s
// RUN: metalloid-msl %s > %t.ll && metalloid-opt %t.ll --stage=verify
#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

template <typename T> void memory(device T* p, threadgroup T* shared) {
  simdgroup_matrix<T, 8, 8> a, b = make_filled_simdgroup_matrix<T, 8, 8>(T(2));
  simdgroup_load(a, p);
  simdgroup_load(b, p + 64, 32, ulong2(8, 16), true);
  simdgroup_store(a, shared, 8);
  simdgroup_load(a, shared, 8, 0, false);
  simdgroup_store(simdgroup_matrix<T, 8, 8>(T(1)), p, 32, ulong2(8, 0), true);
}
kernel void of_float(device float* p, threadgroup float* s) { memory(p, s); }
kernel void of_half(device half* p, threadgroup half* s) { memory(p, s); }
kernel void of_bfloat(device bfloat* p, threadgroup bfloat* s) { memory(p, s); }

kernel void multiply(device float* p, device half* h, device bfloat* b) {
  simdgroup_float8x8 f, sum = make_filled_simdgroup_matrix<float, 8>(0.0f);
  simdgroup_half8x8 g;
  simdgroup_bfloat8x8 d;
  simdgroup_load(f, p);
  simdgroup_load(g, h);
  simdgroup_load(d, b);
  simdgroup_multiply_accumulate(sum, f, f, sum);
  simdgroup_multiply_accumulate(sum, g, g, sum);
  simdgroup_multiply_accumulate(sum, d, d, sum);
  simdgroup_multiply_accumulate(sum, f, g, sum);
  simdgroup_multiply_accumulate(g, g, g, g);
  simdgroup_multiply(sum, sum, d);
  simdgroup_store(sum * sum, p);
  simdgroup_store(g, h);
}

// A thread reads and writes its two elements.
kernel void elements(device float* p, uint lane [[thread_index_in_simdgroup]]) {
  simdgroup_float8x8 m;
  simdgroup_load(m, p);
  m.thread_elements()[0] *= 2;
  thread float2& mine = m.thread_elements();
  mine.y += mine.x;
  simdgroup_store(m, p);
}

static_assert(is_same_v<simdgroup_float8x8, simdgroup_matrix<float, 8, 8>>);
static_assert(is_same_v<simdgroup_bfloat8x8, simdgroup_matrix<bfloat, 8, 8>>);

// CHECK-DAG: declare <64 x float> @air.simdgroup_matrix_8x8_load.v64f32.p1f32(ptr addrspace(1), i64, <2 x i64>, i1{{[a-z ]*}})
// CHECK-DAG: declare <64 x float> @air.simdgroup_matrix_8x8_load.v64f32.p3f32(ptr addrspace(3), i64, <2 x i64>, i1{{[a-z ]*}})
// CHECK-DAG: declare <64 x half> @air.simdgroup_matrix_8x8_load.v64f16.p1f16(ptr addrspace(1), i64, <2 x i64>, i1{{[a-z ]*}})
// CHECK-DAG: declare <64 x half> @air.simdgroup_matrix_8x8_load.v64f16.p3f16(ptr addrspace(3), i64, <2 x i64>, i1{{[a-z ]*}})
// CHECK-DAG: declare <64 x bfloat> @air.simdgroup_matrix_8x8_load.v64bf16.p1bf16(ptr addrspace(1), i64, <2 x i64>, i1{{[a-z ]*}})
// CHECK-DAG: declare <64 x bfloat> @air.simdgroup_matrix_8x8_load.v64bf16.p3bf16(ptr addrspace(3), i64, <2 x i64>, i1{{[a-z ]*}})
// CHECK-DAG: declare void @air.simdgroup_matrix_8x8_store.v64f32.p1f32(<64 x float>, ptr addrspace(1), i64, <2 x i64>, i1{{[a-z ]*}})
// CHECK-DAG: declare void @air.simdgroup_matrix_8x8_store.v64f32.p3f32(<64 x float>, ptr addrspace(3), i64, <2 x i64>, i1{{[a-z ]*}})
// CHECK-DAG: declare void @air.simdgroup_matrix_8x8_store.v64f16.p1f16(<64 x half>, ptr addrspace(1), i64, <2 x i64>, i1{{[a-z ]*}})
// CHECK-DAG: declare void @air.simdgroup_matrix_8x8_store.v64bf16.p3bf16(<64 x bfloat>, ptr addrspace(3), i64, <2 x i64>, i1{{[a-z ]*}})
// CHECK-DAG: declare <64 x float> @air.simdgroup_matrix_8x8_init_filled.v64f32.f32(float)
// CHECK-DAG: declare <64 x half> @air.simdgroup_matrix_8x8_init_filled.v64f16.f16(half)
// CHECK-DAG: declare <64 x bfloat> @air.simdgroup_matrix_8x8_init_filled.v64bf16.bf16(bfloat)
// CHECK-DAG: declare <64 x float> @air.simdgroup_matrix_8x8_init_diag.v64f32.f32(float)
// CHECK-DAG: declare <64 x half> @air.simdgroup_matrix_8x8_init_diag.v64f16.f16(half)
// CHECK-DAG: declare <64 x bfloat> @air.simdgroup_matrix_8x8_init_diag.v64bf16.bf16(bfloat)
// CHECK-DAG: declare <64 x float> @air.simdgroup_matrix_8x8_multiply_accumulate.v64f32.v64f32.v64f32.v64f32(<64 x float>, <64 x float>, <64 x float>)
// CHECK-DAG: declare <64 x float> @air.simdgroup_matrix_8x8_multiply_accumulate.v64f32.v64f16.v64f16.v64f32(<64 x half>, <64 x half>, <64 x float>)
// CHECK-DAG: declare <64 x float> @air.simdgroup_matrix_8x8_multiply_accumulate.v64f32.v64bf16.v64bf16.v64f32(<64 x bfloat>, <64 x bfloat>, <64 x float>)
// CHECK-DAG: declare <64 x float> @air.simdgroup_matrix_8x8_multiply_accumulate.v64f32.v64f32.v64f16.v64f32(<64 x float>, <64 x half>, <64 x float>)
// CHECK-DAG: declare <64 x float> @air.simdgroup_matrix_8x8_multiply_accumulate.v64f32.v64f32.v64bf16.v64f32(<64 x float>, <64 x bfloat>, <64 x float>)
// CHECK-DAG: declare <64 x half> @air.simdgroup_matrix_8x8_multiply_accumulate.v64f16.v64f16.v64f16.v64f16(<64 x half>, <64 x half>, <64 x half>)
