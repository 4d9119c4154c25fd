// SPDX-License-Identifier: Apache-2.0
// The headers of features that are not supported say which.
// RUN: not metalloid-msl -DHEADER="<metal_raytracing>" %s 2>&1 | FileCheck %s --check-prefix=RAYS
// RUN: not metalloid-msl -DHEADER="<metal_tensor>" %s 2>&1 | FileCheck %s --check-prefix=TENSOR
// RUN: not metalloid-msl -DHEADER="<metal_cooperative_tensor>" %s 2>&1 | FileCheck %s --check-prefix=COOPERATIVE
// RUN: not metalloid-msl -DHEADER="<metal_command_buffer>" %s 2>&1 | FileCheck %s --check-prefix=COMMANDS
// RUN: not metalloid-msl -DHEADER="<metal_visible_function_table>" %s 2>&1 | FileCheck %s --check-prefix=TABLES
// RUN: not metalloid-msl -DHEADER="<MetalPerformancePrimitives/MetalPerformancePrimitives.h>" %s 2>&1 | FileCheck %s --check-prefix=PRIMITIVES
#include HEADER

// RAYS: error: "ray tracing (metal_raytracing) is not supported"
// TENSOR: error: "tensors (metal_tensor) are not supported"
// COOPERATIVE: error: "cooperative tensors (metal_cooperative_tensor) are not supported"
// COMMANDS: error: "indirect command buffers (metal_command_buffer) are not supported"
// TABLES: error: "function tables (metal_visible_function_table) are not supported"
// PRIMITIVES: error: "MetalPerformancePrimitives (tensor operations) is not supported"
