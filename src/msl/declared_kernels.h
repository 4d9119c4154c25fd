// SPDX-License-Identifier: Apache-2.0
// The kernels and function constants of a translation unit, found in the AST by their annotations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace clang {
class AnnotateAttr;
class ASTContext;
class Decl;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace metalloid::msl {

/// The MSL attribute `name` of `declaration`, as the token pass wrote it; null if it has none.
const clang::AnnotateAttr* findAnnotation(const clang::Decl& declaration, llvm::StringRef name);

/// The numbers, or the one string, in an attribute's parentheses; nothing where they are neither.
std::optional<uint64_t> annotationNumber(const clang::AnnotateAttr& annotation,
                                         const clang::ASTContext& context);
std::optional<std::string> annotationText(const clang::AnnotateAttr& annotation);

struct DeclaredKernels {
  std::vector<const clang::FunctionDecl*> kernels; ///< Defined, no templates; in source order.
  std::vector<const clang::VarDecl*> functionConstants;
};

DeclaredKernels findDeclaredKernels(const clang::ASTContext& context);

/// The program-scope variable that `name` means inside `function`; null if none.
const clang::VarDecl* findProgramScopeVariable(const clang::FunctionDecl& function,
                                               llvm::StringRef name);

} // namespace metalloid::msl
