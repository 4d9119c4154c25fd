// SPDX-License-Identifier: Apache-2.0
// Barriers: flags 1 for device, 2 for threadgroup, 4 for texture memory.
// RUN: metalloid-msl %s | FileCheck %s
// RUN: metalloid-msl %s > %t.ll && metalloid-opt %t.ll --stage=verify
#include <metal_compute>
using namespace metal;

kernel void barriers(device float* p, uint i [[thread_position_in_grid]]) {
  threadgroup_barrier(mem_flags::mem_none);
  threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
  simdgroup_barrier(mem_flags::mem_threadgroup);
  // A barrier stays where it is: nothing that it orders moves across, and no copy is made.
  if (i < 5)
    threadgroup_barrier(mem_flags::mem_texture);
}
static_assert(int(mem_flags::mem_none) == 0 && int(mem_flags::mem_device) == 1);
static_assert(int(mem_flags::mem_threadgroup) == 2 && int(mem_flags::mem_texture) == 4);

// CHECK-DAG: declare void @air.wg.barrier(i32, i32) #[[BARRIER:[0-9]+]]
// CHECK-DAG: declare void @air.simdgroup.barrier(i32, i32) #[[BARRIER]]
// CHECK-DAG: attributes #[[BARRIER]] = { {{.*}}convergent
