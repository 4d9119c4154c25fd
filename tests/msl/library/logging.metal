// SPDX-License-Identifier: Apache-2.0
// Programs that log compile; their messages are not printed.
// RUN: metalloid-msl %s | FileCheck %s
#include <metal_logging>
using namespace metal;

constant os_log logger("subsystem", "category");

kernel void log(device float* x, uint i [[thread_position_in_grid]]) {
  logger.log_debug("%f", x[i]);
  logger.log_info("%d", i);
  logger.log_error("none");
  os_log_default.log("%u", i);
  x[i] = 1;
}
// CHECK-NOT: air.os_log
