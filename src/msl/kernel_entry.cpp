// SPDX-License-Identifier: Apache-2.0
#include "msl/kernel_entry.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include "msl/declared_kernels.h"
#include "msl/type_names.h"

using namespace clang;

namespace metalloid::msl {
namespace {

void report(const FunctionDecl& function, const llvm::Twine& message) {
  DiagnosticsEngine& diagnostics = function.getASTContext().getDiagnostics();
  diagnostics.Report(function.getLocation(),
                     diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0"))
      << message.str();
}

// host_name if it is given; else the name in the source, qualified, or mangled for an
// instantiation.
std::string hostName(const llvm::Function& function, const FunctionDecl& declaration) {
  if (const AnnotateAttr* annotation = findAnnotation(declaration, "host_name")) {
    if (auto name = annotationText(*annotation); name && !name->empty())
      return *name;
    report(declaration, "'host_name' needs a string");
  }
  if (declaration.isTemplateInstantiation())
    return function.getName().str();
  return declaration.getQualifiedNameAsString();
}

// The type in which AIR passes a parameter, given how Clang does.
llvm::Type* airParameterType(const llvm::Argument& argument, QualType type) {
  llvm::LLVMContext& context = argument.getContext();
  if (const auto vector = vectorType(type)) {
    const unsigned bits = type->getAsCXXRecordDecl()->getASTContext().getTypeSize(vector->element);
    return llvm::FixedVectorType::get(llvm::Type::getIntNTy(context, bits), vector->count);
  }
  if (const auto resource = resourceType(type))
    return llvm::PointerType::get(context, resource->kind == ResourceType::Kind::Texture ? 1 : 2);
  return argument.getType();
}

} // namespace

llvm::Function* makeKernelEntry(llvm::Function& function, const FunctionDecl& declaration) {
  llvm::Module& module = *function.getParent();
  if (!function.use_empty())
    report(declaration, "kernel '" + declaration.getName() + "' is called: a kernel cannot be");
  const std::string name = hostName(function, declaration);

  llvm::SmallVector<llvm::Type*, 16> types;
  for (auto [argument, parameter] : llvm::zip_equal(function.args(), declaration.parameters()))
    types.push_back(airParameterType(argument, parameter->getType()));
  auto* entry =
      llvm::Function::Create(llvm::FunctionType::get(function.getReturnType(), types, false),
                             llvm::GlobalValue::ExternalLinkage, "", &module);
  entry->copyAttributesFrom(&function);
  entry->setComdat(nullptr);
  entry->copyMetadata(&function, 0);
  entry->splice(entry->begin(), &function);

  llvm::IRBuilder<> builder(&entry->getEntryBlock(), entry->getEntryBlock().begin());
  for (auto [from, to] : llvm::zip_equal(function.args(), entry->args())) {
    const unsigned index = from.getArgNo();
    to.setName(from.getName());
    if (from.getType() == to.getType()) {
      from.replaceAllUsesWith(&to);
      continue;
    }
    // Was a pointer to an object: keep the object in memory of the kernel's own.
    llvm::AllocaInst* object = builder.CreateAlloca(function.getParamByValType(index));
    object->setAlignment(function.getParamAlign(index).valueOrOne());
    builder.CreateAlignedStore(&to, object, object->getAlign());
    from.replaceAllUsesWith(object);
    entry->removeParamAttrs(index, llvm::AttributeFuncs::typeIncompatible(
                                       to.getType(), entry->getAttributes().getParamAttrs(index)));
    entry->removeParamAttr(index, llvm::Attribute::ByVal);
    entry->removeParamAttr(index, llvm::Attribute::Alignment);
  }
  function.replaceAllUsesWith(llvm::PoisonValue::get(function.getType()));
  function.eraseFromParent();

  if (llvm::GlobalValue* other = module.getNamedValue(name)) {
    if (other->hasExternalLinkage() && !other->isDeclaration())
      report(declaration, "two kernels are named '" + name + "'");
    other->setName(name + ".device"); // a function of the program that the host cannot see
  }
  entry->setName(name);
  return entry;
}

bool isUnused(const llvm::Argument& argument) {
  for (const llvm::User* user : argument.users()) {
    const auto* store = dyn_cast<llvm::StoreInst>(user);
    if (!store || store->getValueOperand() != &argument)
      return false;
    const auto* object = dyn_cast<llvm::AllocaInst>(store->getPointerOperand());
    if (!object)
      return false;
    for (const llvm::User* use : object->users())
      if (use != store && !cast<llvm::Instruction>(use)->isLifetimeStartOrEnd())
        return false;
  }
  return true;
}

} // namespace metalloid::msl
