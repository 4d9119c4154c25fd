// SPDX-License-Identifier: Apache-2.0
// Matrix products and convolutions, in blocks of SIMD-group matrices.
// clang-format off
#include <metal_simdgroup>
#include <metal_stdlib>
#include "mlx/backend/metal/kernels/utils.h"
#include "mlx/backend/metal/kernels/gemv.h"
#include "mlx/backend/metal/kernels/steel/gemm/gemm.h"
#include "mlx/backend/metal/kernels/steel/gemm/kernels/steel_gemm_fused.h"
#include "mlx/backend/metal/kernels/steel/conv/conv.h"
#include "mlx/backend/metal/kernels/steel/conv/params.h"
#include "mlx/backend/metal/kernels/steel/conv/kernels/steel_conv.h"

#define GEMV(name, type, axpby) \
  instantiate_kernel("gemv_" #name "_bm1_bn8_sm1_sn32_tm4_tn4_nc0_axpby" #axpby, gemv, type, 1, 8, 1, 32, 4, 4, 0, axpby)
GEMV(float32, float, 0)
GEMV(float16, half, 1)
GEMV(complex64, complex64_t, 0)

#define GEMM(layout, a, b, name, type) \
  instantiate_kernel("steel_gemm_fused_" #layout "_" #name "_" #name "_bm64_bn32_bk32_wm2_wn2", gemm, type, 64, 32, 32, 2, 2, a, b, float)
GEMM(nn, false, false, float32, float)
GEMM(nt, false, true, float16, half)
GEMM(tn, true, false, bfloat16, bfloat16_t)
GEMM(tt, true, true, complex64, complex64_t)

instantiate_kernel("implicit_gemm_conv_2d_float32_bm32_bn8_bk16_wm4_wn1_channel_l_filter_s", implicit_gemm_conv_2d, float, 32, 8, 16, 4, 1, 0, true)
