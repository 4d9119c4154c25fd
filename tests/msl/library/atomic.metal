// SPDX-License-Identifier: Apache-2.0
// Every atomic function, on device and threadgroup memory. The last arguments are the order, the
// scope (2: device, 1: threadgroup) and that the access is volatile.
// RUN: metalloid-msl %s | grep air.atomic | FileCheck %s
// RUN: metalloid-msl %s > %t.ll && metalloid-opt %t.ll --stage=verify
#include <metal_atomic>
#include <metal_stdlib>
using namespace metal;

#define COMMON(T, object)                                                                          \
  T x = atomic_load_explicit(object, memory_order_relaxed);                                        \
  atomic_store_explicit(object, x, memory_order_relaxed);                                          \
  x = atomic_exchange_explicit(object, x, memory_order_relaxed);                                   \
  while (!atomic_compare_exchange_weak_explicit(object, &x, T(x + 1), memory_order_relaxed,        \
                                                memory_order_relaxed))                             \
    ;                                                                                              \
  atomic_fetch_add_explicit(object, x, memory_order_relaxed);                                      \
  atomic_fetch_sub_explicit(object, x, memory_order_relaxed);
#define INTEGER(T, object)                                                                         \
  COMMON(T, object)                                                                                \
  atomic_fetch_min_explicit(object, x, memory_order_relaxed);                                      \
  atomic_fetch_max_explicit(object, x, memory_order_relaxed);                                      \
  atomic_fetch_and_explicit(object, x, memory_order_relaxed);                                      \
  atomic_fetch_or_explicit(object, x, memory_order_relaxed);                                       \
  atomic_fetch_xor_explicit(object, x, memory_order_relaxed);

kernel void of_int(device atomic_int* p, threadgroup atomic_int* t) {
  { INTEGER(int, p) }
  { INTEGER(int, t) }
}
kernel void of_uint(device atomic_uint* p, threadgroup atomic_uint* t) {
  { INTEGER(uint, p) }
  { INTEGER(uint, t) }
}
kernel void of_ulong(device atomic_ulong* p, threadgroup atomic_ulong* t) {
  { INTEGER(ulong, p) }
  { INTEGER(ulong, t) }
  atomic_min_explicit(p, 3ul, memory_order_relaxed);
  atomic_max_explicit(p, 3ul, memory_order_relaxed);
}
kernel void of_float(device atomic_float* p, threadgroup atomic<float>* t) {
  { COMMON(float, p) }
  { COMMON(float, t) }
}

struct Counters {
  atomic_uint first, second[3];
};
kernel void in_struct(device Counters& c, uint i [[thread_position_in_grid]]) {
  threadgroup atomic_int local;
  atomic_store_explicit(&local, 0, memory_order_relaxed);
  atomic_fetch_add_explicit(&c.second[i % 3], 1u, memory_order_relaxed);
}

kernel void fences(device uint* p) {
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst);
  atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_acq_rel, thread_scope_threadgroup);
}

// CHECK-DAG: call {{.*}}i32 @air.atomic.global.add.s.i32(ptr addrspace(1) {{.*}}, i32 {{.*}}, i32 {{.*}}, i32 2, i1 {{.*}}true)
// CHECK-DAG: call {{.*}}i32 @air.atomic.local.add.s.i32(ptr addrspace(3) {{.*}}, i32 {{.*}}, i32 {{.*}}, i32 1, i1 {{.*}}true)
// CHECK-DAG: call void @air.atomic.fence(i32
// CHECK-DAG: declare i32 @air.atomic.global.load.i32(ptr addrspace(1), i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare void @air.atomic.global.store.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.xchg.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.cmpxchg.weak.i32(ptr addrspace(1), ptr, i32, i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.add.s.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.sub.s.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.min.s.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.max.s.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.and.s.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.or.s.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.xor.s.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.add.u.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.sub.u.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.min.u.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.max.u.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.and.u.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.or.u.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.global.xor.u.i32(ptr addrspace(1), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.global.load.i64(ptr addrspace(1), i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare void @air.atomic.global.store.i64(ptr addrspace(1), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.global.xchg.i64(ptr addrspace(1), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.global.cmpxchg.weak.i64(ptr addrspace(1), ptr, i64, i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.global.add.u.i64(ptr addrspace(1), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.global.sub.u.i64(ptr addrspace(1), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.global.min.u.i64(ptr addrspace(1), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.global.max.u.i64(ptr addrspace(1), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.global.and.u.i64(ptr addrspace(1), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.global.or.u.i64(ptr addrspace(1), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.global.xor.u.i64(ptr addrspace(1), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare float @air.atomic.global.load.f32(ptr addrspace(1), i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare void @air.atomic.global.store.f32(ptr addrspace(1), float, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare float @air.atomic.global.xchg.f32(ptr addrspace(1), float, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare float @air.atomic.global.add.f32(ptr addrspace(1), float, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare float @air.atomic.global.sub.f32(ptr addrspace(1), float, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.load.i32(ptr addrspace(3), i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare void @air.atomic.local.store.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.xchg.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.cmpxchg.weak.i32(ptr addrspace(3), ptr, i32, i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.add.s.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.sub.s.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.min.s.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.max.s.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.and.s.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.or.s.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.xor.s.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.add.u.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.sub.u.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.min.u.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.max.u.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.and.u.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.or.u.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.atomic.local.xor.u.i32(ptr addrspace(3), i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.local.load.i64(ptr addrspace(3), i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare void @air.atomic.local.store.i64(ptr addrspace(3), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.local.xchg.i64(ptr addrspace(3), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.local.cmpxchg.weak.i64(ptr addrspace(3), ptr, i64, i32, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.local.add.u.i64(ptr addrspace(3), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.local.sub.u.i64(ptr addrspace(3), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.local.min.u.i64(ptr addrspace(3), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.local.max.u.i64(ptr addrspace(3), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.local.and.u.i64(ptr addrspace(3), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.local.or.u.i64(ptr addrspace(3), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare i64 @air.atomic.local.xor.u.i64(ptr addrspace(3), i64, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare float @air.atomic.local.load.f32(ptr addrspace(3), i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare void @air.atomic.local.store.f32(ptr addrspace(3), float, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare float @air.atomic.local.xchg.f32(ptr addrspace(3), float, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare float @air.atomic.local.add.f32(ptr addrspace(3), float, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare float @air.atomic.local.sub.f32(ptr addrspace(3), float, i32, i32, i1{{[a-z ]*}})
// CHECK-DAG: declare void @air.atomic.fence(i32, i32, i32)
