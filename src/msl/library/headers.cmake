# SPDX-License-Identifier: Apache-2.0
# The headers of our Metal standard library, which the compiler embeds under these names.
set(METALLOID_MSL_HEADER_FOLDER ${CMAKE_CURRENT_LIST_DIR})
set(METALLOID_MSL_HEADERS
  __config
  __float_functions
  __scalar_types
  metal_array
  metal_atomic
  metal_command_buffer
  metal_common
  metal_compute
  metal_cooperative_tensor
  metal_extended_vector
  metal_geometric
  metal_integer
  metal_limits
  metal_logging
  metal_math
  metal_matrix
  metal_pack
  metal_packed_vector
  metal_quadgroup
  metal_raytracing
  metal_relational
  metal_sampler
  metal_simdgroup
  metal_simdgroup_matrix
  metal_stdlib
  metal_tensor
  metal_texture
  metal_type_traits
  metal_types
  metal_uniform
  metal_utility
  metal_visible_function_table
  MetalPerformancePrimitives/MetalPerformancePrimitives.h
  simd/simd.h)
