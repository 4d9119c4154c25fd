// SPDX-License-Identifier: Apache-2.0
// The `[[attributes]]` of MSL: which exist, what each is for, which features are refused.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace metalloid::msl {

enum class AttributeKind : uint8_t {
  Kernel,           ///< On a function: an entry point.
  FunctionLimit,    ///< On a kernel, takes a number.
  HostName,         ///< On a kernel: its name for the host.
  Binding,          ///< On a parameter: buffer(n), texture(n), sampler(n), threadgroup(n).
  BuiltIn,          ///< On a parameter: a value that the dispatch gives.
  FunctionConstant, ///< On a program-scope constant: its index; on a parameter: its condition.
  Member,           ///< On a member of an argument buffer.
  Refused,          ///< Belongs to a feature that does not exist here.
};

struct Attribute {
  llvm::StringLiteral name;
  AttributeKind kind;
  llvm::StringLiteral feature = ""; ///< Of a refused attribute, for the error.
};

/// Null if MSL has no such attribute.
const Attribute* findAttribute(llvm::StringRef name);

/// Clang carries MSL's attributes as annotations of this prefix and the attribute's name.
inline constexpr llvm::StringLiteral kAnnotationPrefix = "msl.";

/// The annotation, not an attribute of MSL, of a parameter declared as an array: its extent.
inline constexpr llvm::StringLiteral kArrayExtent = "array extent";

/// The feature that a function qualifier such as `vertex` stands for; empty if it is none.
llvm::StringRef refusedFunctionQualifier(llvm::StringRef word);

} // namespace metalloid::msl
