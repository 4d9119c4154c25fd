// SPDX-License-Identifier: Apache-2.0
// Unary, binary and ternary operations, copies and ranges.
// clang-format off
#include <metal_integer>
#include <metal_math>
#include "mlx/backend/metal/kernels/utils.h"
#include "mlx/backend/metal/kernels/unary_ops.h"
#include "mlx/backend/metal/kernels/unary.h"
#include "mlx/backend/metal/kernels/binary_ops.h"
#include "mlx/backend/metal/kernels/binary.h"
#include "mlx/backend/metal/kernels/ternary_ops.h"
#include "mlx/backend/metal/kernels/ternary.h"
#include "mlx/backend/metal/kernels/copy.h"
#include "mlx/backend/metal/kernels/arange.h"

#define UNARY(name, type, op) \
  instantiate_kernel("v_" #op #name #name, unary_v, type, type, op, 1) \
  instantiate_kernel("v2_" #op #name #name, unary_v2, type, type, op)
UNARY(float32, float, Exp)
UNARY(float16, half, Exp)
UNARY(bfloat16, bfloat16_t, Exp)
UNARY(complex64, complex64_t, Exp)
UNARY(float32, float, Sin)
UNARY(float32, float, Sqrt)
UNARY(float16, half, Erf)
UNARY(bfloat16, bfloat16_t, Log1p)
UNARY(complex64, complex64_t, Square)
UNARY(int32, int32_t, Negative)
UNARY(uint8, uint8_t, Sign)
UNARY(int64, int64_t, Abs)
UNARY(bool_, bool, LogicalNot)

#define BINARY(name, type, result, op) \
  instantiate_kernel("ss_" #op #name, binary_ss, type, result, op) \
  instantiate_kernel("sv_" #op #name, binary_sv, type, result, op, 1) \
  instantiate_kernel("vs_" #op #name, binary_vs, type, result, op, 1) \
  instantiate_kernel("vv_" #op #name, binary_vv, type, result, op, 1) \
  instantiate_kernel("vv2_" #op #name, binary_vv2, type, result, op) \
  instantiate_kernel("g1_" #op #name, binary_g_nd1, type, result, op, int) \
  instantiate_kernel("g2_" #op #name, binary_g_nd2, type, result, op, int) \
  instantiate_kernel("g3_" #op #name, binary_g_nd3, type, result, op, int)
BINARY(float32, float, float, Add)
BINARY(float16, half, half, Multiply)
BINARY(bfloat16, bfloat16_t, bfloat16_t, Maximum)
BINARY(int32, int32_t, int32_t, FloorDivide)
BINARY(uint8, uint8_t, uint8_t, Subtract)
BINARY(int64, int64_t, int64_t, Minimum)
BINARY(complex64, complex64_t, complex64_t, Multiply)
BINARY(float32, float, bool, Less)
BINARY(uint16, uint16_t, uint16_t, Power)

#define TERNARY(name, type) \
  instantiate_kernel("v_Select" #name, ternary_v, type, Select, false, false, 1) \
  instantiate_kernel("vs_Select" #name, ternary_v, type, Select, false, true, 1) \
  instantiate_kernel("g1_Select" #name, ternary_g_nd1, type, Select, int) \
  instantiate_kernel("g3large_Select" #name, ternary_g_nd3, type, Select)
TERNARY(float32, float)
TERNARY(bool_, bool)
TERNARY(complex64, complex64_t)

#define COPY(from, to, source, destination) \
  instantiate_kernel("s_copy" #from #to, copy_s, source, destination, 1) \
  instantiate_kernel("v_copy" #from #to, copy_v, source, destination, 1) \
  instantiate_kernel("g1_copy" #from #to, copy_g_nd1, source, destination, int) \
  instantiate_kernel("g3_copy" #from #to, copy_g_nd3, source, destination, int)
COPY(float32, float16, float, half)
COPY(bfloat16, float32, bfloat16_t, float)
COPY(bool_, complex64, bool, complex64_t)
COPY(int64, uint8, int64_t, uint8_t)

instantiate_kernel("arangefloat32", arange, float)
instantiate_kernel("arangeint64", arange, int64_t)
