// SPDX-License-Identifier: Apache-2.0
// RUN: metalloid-msl %s | FileCheck %s
// CHECK: br label {{.*}}, !llvm.loop ![[FULL:[0-9]+]]
// CHECK: br label {{.*}}, !llvm.loop ![[ENABLE:[0-9]+]]
kernel void k(device float* p [[buffer(0)]]) {
#pragma clang loop unroll(full)
  for (int i = 0; i < 4; ++i)
    p[i] += 1;
#pragma unroll
  for (int i = 0; i < 4; ++i)
    p[i] += 2;
}
// CHECK: ![[FULL]] = distinct !{![[FULL]], {{.*}}![[UNROLL_FULL:[0-9]+]]}
// CHECK: ![[UNROLL_FULL]] = !{!"llvm.loop.unroll.full"}
// CHECK: ![[ENABLE]] = distinct !{![[ENABLE]], {{.*}}![[UNROLL:[0-9]+]]}
// CHECK: ![[UNROLL]] = !{!"llvm.loop.unroll.enable"}
