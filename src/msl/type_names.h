// SPDX-License-Identifier: Apache-2.0
// Types as AIR's metadata describes them.
#pragma once

#include <optional>
#include <string>

#include "clang/AST/Type.h"

namespace llvm {
class LLVMContext;
class MDNode;
} // namespace llvm

namespace metalloid::msl {

/// "uint3", "bfloat", "packed_float3", "float4x4", "mlx::steel::GEMMParams", "complex_t<float>".
std::string airTypeName(clang::QualType type, const clang::ASTContext& context);

/// vec<T, N> of the library: its element and N.
struct VectorType {
  clang::QualType element;
  unsigned count = 0;
};
std::optional<VectorType> vectorType(clang::QualType type);

/// A texture or sampler of the library, passed by value as an opaque handle.
struct ResourceType {
  enum class Kind : uint8_t { Texture, Sampler } kind = Kind::Texture;
  std::string access; ///< Of a texture: "sample", "read", "write", "read_write".
};
std::optional<ResourceType> resourceType(clang::QualType type);

/// What `air.struct_type_info` says of a class: offset, size, array length, type name, name of each
/// field. Null for a type without named fields of its own, such as a scalar or vector.
llvm::MDNode* structTypeInfo(clang::QualType type, const clang::ASTContext& context,
                             llvm::LLVMContext& metadata);

} // namespace metalloid::msl
