// SPDX-License-Identifier: Apache-2.0
// Reductions, softmax, log-sum-exp, scans, sorting and searching.
// clang-format off
#include <metal_atomic>
#include <metal_simdgroup>
#include "mlx/backend/metal/kernels/defines.h"
#include "mlx/backend/metal/kernels/utils.h"
#include "mlx/backend/metal/kernels/atomic.h"
#include "mlx/backend/metal/kernels/reduction/ops.h"
#include "mlx/backend/metal/kernels/reduce.h"
#include "mlx/backend/metal/kernels/softmax.h"
#include "mlx/backend/metal/kernels/logsumexp.h"
#include "mlx/backend/metal/kernels/scan.h"
#include "mlx/backend/metal/kernels/sort.h"
#include "mlx/backend/metal/kernels/searchsorted.h"

#define REDUCE(name, input, output, op) \
  instantiate_kernel("all_reduce_" #name, all_reduce, input, output, op<output>) \
  instantiate_kernel("row_reduce_small_2_reduce_" #name, row_reduce_small, input, output, op<output>, int, 2) \
  instantiate_kernel("row_reduce_looped_1_reduce_" #name, row_reduce_looped, input, output, op<output>, int, 1) \
  instantiate_kernel("row_reduce_simple_" #name, row_reduce_simple, input, output, op<output>) \
  instantiate_kernel("col_reduce_small_1_reduce_" #name, col_reduce_small, input, output, op<output>, int, 1) \
  instantiate_kernel("col_reduce_longcolumn_large_2_reduce_" #name, col_reduce_longcolumn, input, output, op<output>, int64_t, 2) \
  instantiate_kernel("col_reduce_looped_1_32_32_reduce_" #name, col_reduce_looped, input, output, op<output>, int, 1, 32, 32)
REDUCE(sumfloat32, float, float, Sum)
REDUCE(sumint8, int8_t, int32_t, Sum)
REDUCE(prodbfloat16, bfloat16_t, bfloat16_t, Prod)
REDUCE(maxfloat16, half, half, Max)
REDUCE(minuint64, uint64_t, uint64_t, Min)
instantiate_kernel("init_reduce_sumfloat32", init_reduce, float, Sum<float>)
instantiate_kernel("init_reduce_andbool_", init_reduce, bool, And<bool>)

#define SOFTMAX(name, type) \
  instantiate_kernel("block_softmax_" #name, softmax_single_row, type) \
  instantiate_kernel("looped_softmax_" #name, softmax_looped, type) \
  instantiate_kernel("block_logsumexp_" #name, logsumexp, type) \
  instantiate_kernel("looped_logsumexp_" #name, logsumexp_looped, type)
SOFTMAX(float32, float)
SOFTMAX(float16, half)
SOFTMAX(bfloat16, bfloat16_t)

#define SCAN(name, type, op, inclusive, reverse) \
  instantiate_kernel("contig_scan_" name, contiguous_scan, type, type, op<type>, 4, inclusive, reverse) \
  instantiate_kernel("strided_scan_" name, strided_scan, type, type, op<type>, 4, inclusive, reverse)
SCAN("inclusive_sum_float32_float32", float, CumSum, true, false)
SCAN("reverse_exclusive_prod_int32_int32", int32_t, CumProd, false, true)

#define SORT(name, type, bn) \
  instantiate_kernel("c_block_sort_" #name "_" #name "_bn" #bn "_tn4", block_sort, type, type, false, bn, 4) \
  instantiate_kernel("ncarg_block_sort_" #name "_uint32_bn" #bn "_tn4", block_sort_nc, type, uint32_t, true, bn, 4)
SORT(float32, float, 128)
SORT(bfloat16, bfloat16_t, 256)
SORT(int16, int16_t, 64)
