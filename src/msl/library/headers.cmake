# SPDX-License-Identifier: Apache-2.0
# The headers of our Metal standard library, which the compiler embeds under these names.
set(METALLOID_MSL_HEADER_FOLDER ${CMAKE_CURRENT_LIST_DIR})
set(METALLOID_MSL_HEADERS
  __config
  __float_functions
  metal_atomic
  metal_common
  metal_compute
  metal_extended_vector
  metal_geometric
  metal_integer
  metal_limits
  metal_math
  metal_matrix
  metal_packed_vector
  metal_quadgroup
  metal_relational
  metal_simdgroup
  metal_stdlib
  metal_type_traits
  metal_types
  metal_utility)
