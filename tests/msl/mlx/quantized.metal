// SPDX-License-Identifier: Apache-2.0
// Quantised matrices: packing, products with vectors and matrices.
// clang-format off
#include "mlx/backend/metal/kernels/utils.h"
#include "mlx/backend/metal/kernels/steel/gemm/gemm.h"
#include "mlx/backend/metal/kernels/quantized_utils.h"
#include "mlx/backend/metal/kernels/quantized.h"

#define QUANTIZED(type, group, bits) \
  instantiate_kernel("affine_quantize_" #type "_gs_" #group "_b_" #bits, affine_quantize, type, group, bits) \
  instantiate_kernel("affine_dequantize_" #type "_gs_" #group "_b_" #bits, affine_dequantize, type, group, bits) \
  instantiate_kernel("affine_gather_qmv_" #type "_gs_" #group "_b_" #bits, affine_gather_qmv, type, group, bits) \
  instantiate_kernel("affine_qvm_" #type "_gs_" #group "_b_" #bits "_batch_1", affine_qvm, type, group, bits, 1) \
  instantiate_kernel("affine_qmm_n_" #type "_gs_" #group "_b_" #bits "_batch_0", affine_qmm_n, type, group, bits, 0)
QUANTIZED(float, 64, 4)
QUANTIZED(float16_t, 32, 8)
QUANTIZED(bfloat16_t, 128, 3)
QUANTIZED(float, 32, 2)
