// SPDX-License-Identifier: Apache-2.0
#include "msl/declared_kernels.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"

#include "msl/attributes.h"

using namespace clang;

namespace metalloid::msl {
namespace {

class Finder {
public:
  explicit Finder(DeclaredKernels& found) : found(found) {}

  // What a precompiled header declares is not loaded: the library has no kernels.
  void visitScope(const DeclContext& scope) {
    for (const Decl* declaration : scope.noload_decls())
      visit(*declaration);
  }

private:
  void visit(const Decl& declaration) {
    if (const auto* function = dyn_cast<FunctionDecl>(&declaration))
      visitFunction(*function);
    else if (const auto* variable = dyn_cast<VarDecl>(&declaration))
      visitVariable(*variable);
    else if (const auto* functionTemplate = dyn_cast<FunctionTemplateDecl>(&declaration))
      visitTemplate(*functionTemplate);
    else if (isa<NamespaceDecl, LinkageSpecDecl>(declaration))
      visitScope(*cast<DeclContext>(&declaration));
  }

  void visitFunction(const FunctionDecl& function) {
    if (!function.isDependentContext() && function.isThisDeclarationADefinition() &&
        function.getTemplateSpecializationKind() == TSK_Undeclared)
      addKernel(function);
  }

  void visitTemplate(const FunctionTemplateDecl& functionTemplate) {
    if (!functionTemplate.isCanonicalDecl())
      return;
    for (const FunctionDecl* specialisation : functionTemplate.specializations())
      if (const FunctionDecl* definition = specialisation->getDefinition();
          definition && isExplicit(definition->getTemplateSpecializationKind()))
        addKernel(*definition);
  }

  static bool isExplicit(TemplateSpecializationKind kind) {
    return kind == TSK_ExplicitInstantiationDefinition || kind == TSK_ExplicitSpecialization;
  }

  void addKernel(const FunctionDecl& function) {
    if (findAnnotation(function, "kernel"))
      found.kernels.push_back(&function);
  }

  void visitVariable(const VarDecl& variable) {
    if (findAnnotation(variable, "function_constant"))
      found.functionConstants.push_back(&variable);
  }

  DeclaredKernels& found;
};

} // namespace

const AnnotateAttr* findAnnotation(const Decl& declaration, StringRef name) {
  for (const auto* annotation : declaration.specific_attrs<AnnotateAttr>()) {
    StringRef text = annotation->getAnnotation();
    if (text.consume_front(kAnnotationPrefix) && text == name)
      return annotation;
  }
  return nullptr;
}

std::optional<uint64_t> annotationNumber(const AnnotateAttr& annotation,
                                         const ASTContext& context) {
  if (annotation.args_size() != 1)
    return std::nullopt;
  const Expr* argument = *annotation.args_begin();
  Expr::EvalResult value;
  if (argument->isValueDependent() || !argument->EvaluateAsInt(value, context) ||
      value.Val.getInt().isNegative())
    return std::nullopt;
  return value.Val.getInt().getLimitedValue();
}

std::optional<std::string> annotationText(const AnnotateAttr& annotation) {
  if (annotation.args_size() != 1)
    return std::nullopt;
  const Expr* argument = *annotation.args_begin();
  if (const auto* constant = dyn_cast<ConstantExpr>(argument))
    argument = constant->getSubExpr();
  if (const auto* literal = dyn_cast<StringLiteral>(argument->IgnoreParenImpCasts()))
    return literal->getString().str();
  return std::nullopt;
}

DeclaredKernels findDeclaredKernels(const ASTContext& context) {
  DeclaredKernels found;
  Finder(found).visitScope(*context.getTranslationUnitDecl());
  return found;
}

const VarDecl* findProgramScopeVariable(const FunctionDecl& function, StringRef name) {
  ASTContext& context = function.getASTContext();
  const DeclarationName identifier(&context.Idents.get(name));
  for (const DeclContext* scope = function.getDeclContext(); scope; scope = scope->getParent())
    for (const NamedDecl* declaration : scope->lookup(identifier))
      if (const auto* variable = dyn_cast<VarDecl>(declaration))
        return variable;
  return nullptr;
}

} // namespace metalloid::msl
