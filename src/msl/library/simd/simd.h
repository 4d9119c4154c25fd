// SPDX-License-Identifier: Apache-2.0
// The names that programs share between host and kernels: simd_float4, vector_float4, simd::float4,
// simd_float4x4, matrix_float4x4, simd::float4x4.
#pragma once

#include <metal_types>

#define METALLOID_NAMES(T)                                                                         \
  typedef metal::T##2 simd_##T##2, vector_##T##2;                                                  \
  typedef metal::T##3 simd_##T##3, vector_##T##3;                                                  \
  typedef metal::T##4 simd_##T##4, vector_##T##4;                                                  \
  typedef metal::packed_##T##2 simd_packed_##T##2;                                                 \
  typedef metal::packed_##T##4 simd_packed_##T##4;                                                 \
  namespace simd {                                                                                 \
  using metal::T##2, metal::T##3, metal::T##4;                                                     \
  }
METALLOID_FOR_EACH_SCALAR_NAME(METALLOID_NAMES)
#undef METALLOID_NAMES

#define METALLOID_NAME(T, C, R)                                                                    \
  typedef metal::T##C##x##R simd_##T##C##x##R, matrix_##T##C##x##R;                                \
  namespace simd {                                                                                 \
  using metal::T##C##x##R;                                                                         \
  }
METALLOID_FOR_EACH_MATRIX(METALLOID_NAME, float)
METALLOID_FOR_EACH_MATRIX(METALLOID_NAME, half)
#undef METALLOID_NAME
