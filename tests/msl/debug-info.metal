// SPDX-License-Identifier: Apache-2.0
// Debug information names the user's file and lines; the entry keeps the kernel's.
// RUN: metalloid-msl -g %s | FileCheck %s
#include <metal_stdlib>
using namespace metal;

// CHECK: define void @k(ptr addrspace(1) %p, <2 x i32> %i) {{.*}}!dbg ![[KERNEL:[0-9]+]]
// CHECK: ret void, !dbg ![[END:[0-9]+]]
// CHECK: DICompileUnit({{.*}}file: ![[UNIT_FILE:[0-9]+]]
// CHECK: ![[UNIT_FILE]] = !DIFile(filename: "{{.*}}debug-info.metal", directory: ".")
// CHECK: ![[END]] = !DILocation(line: [[#@LINE+3]],
kernel void k(device float* p [[buffer(0)]], uint2 i [[thread_position_in_grid]]) {
  p[i.x] = sqrt(p[i.y]);
}
