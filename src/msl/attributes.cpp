// SPDX-License-Identifier: Apache-2.0
#include "msl/attributes.h"

namespace metalloid::msl {
namespace {

using enum AttributeKind;

constexpr llvm::StringLiteral kRasterisation = "vertex and fragment functions";
constexpr llvm::StringLiteral kMesh = "mesh and object functions";
constexpr llvm::StringLiteral kTessellation = "tessellation";
constexpr llvm::StringLiteral kRayTracing = "ray tracing";
constexpr llvm::StringLiteral kTile = "tile functions and imageblocks";
constexpr llvm::StringLiteral kFunctionPointers = "visible and stitchable functions";

constexpr Attribute kAttributes[] = {
    {"kernel", Kernel},
    {"host_name", HostName},
    {"max_total_threads_per_threadgroup", FunctionLimit},
    {"required_threads_per_threadgroup", FunctionLimit},
    {"buffer", Binding},
    {"texture", Binding},
    {"sampler", Binding},
    {"threadgroup", Binding},
    {"function_constant", FunctionConstant},
    {"id", Member},

    {"thread_position_in_grid", BuiltIn},
    {"threads_per_grid", BuiltIn},
    {"thread_position_in_threadgroup", BuiltIn},
    {"threads_per_threadgroup", BuiltIn},
    {"threadgroup_position_in_grid", BuiltIn},
    {"threadgroups_per_grid", BuiltIn},
    {"thread_index_in_threadgroup", BuiltIn},
    {"thread_index_in_simdgroup", BuiltIn},
    {"simdgroup_index_in_threadgroup", BuiltIn},
    {"simdgroups_per_threadgroup", BuiltIn},
    {"threads_per_simdgroup", BuiltIn},
    {"thread_execution_width", BuiltIn},
    {"thread_index_in_quadgroup", BuiltIn},
    {"quadgroup_index_in_threadgroup", BuiltIn},
    {"quadgroups_per_threadgroup", BuiltIn},
    {"dispatch_threads_per_threadgroup", BuiltIn},
    {"dispatch_simdgroups_per_threadgroup", BuiltIn},
    {"dispatch_quadgroups_per_threadgroup", BuiltIn},
    {"grid_origin", BuiltIn},
    {"grid_size", BuiltIn},

    {"vertex", Refused, kRasterisation},
    {"fragment", Refused, kRasterisation},
    {"stage_in", Refused, kRasterisation},
    {"position", Refused, kRasterisation},
    {"vertex_id", Refused, kRasterisation},
    {"instance_id", Refused, kRasterisation},
    {"base_vertex", Refused, kRasterisation},
    {"base_instance", Refused, kRasterisation},
    {"attribute", Refused, kRasterisation},
    {"color", Refused, kRasterisation},
    {"depth", Refused, kRasterisation},
    {"stencil", Refused, kRasterisation},
    {"user", Refused, kRasterisation},
    {"flat", Refused, kRasterisation},
    {"point_size", Refused, kRasterisation},
    {"point_coord", Refused, kRasterisation},
    {"clip_distance", Refused, kRasterisation},
    {"front_facing", Refused, kRasterisation},
    {"early_fragment_tests", Refused, kRasterisation},
    {"raster_order_group", Refused, kRasterisation},
    {"sample_id", Refused, kRasterisation},
    {"sample_mask", Refused, kRasterisation},
    {"render_target_array_index", Refused, kRasterisation},
    {"patch", Refused, kTessellation},
    {"patch_id", Refused, kTessellation},
    {"position_in_patch", Refused, kTessellation},
    {"mesh", Refused, kMesh},
    {"object", Refused, kMesh},
    {"payload", Refused, kMesh},
    {"intersection", Refused, kRayTracing},
    {"payload_in", Refused, kRayTracing},
    {"ray_data", Refused, kRayTracing},
    {"primitive_id", Refused, kRayTracing},
    {"imageblock_data", Refused, kTile},
    {"visible", Refused, kFunctionPointers},
    {"stitchable", Refused, kFunctionPointers},
};

} // namespace

const Attribute* findAttribute(llvm::StringRef name) {
  for (const Attribute& attribute : kAttributes)
    if (attribute.name == name)
      return &attribute;
  return nullptr;
}

llvm::StringRef refusedFunctionQualifier(llvm::StringRef word) {
  if (word == "vertex" || word == "fragment")
    return kRasterisation;
  return {};
}

} // namespace metalloid::msl
