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
                             llvm::GlobalValue::ExternalLinkage, "");
  module.getFunctionList().insert(function.getIterator(), entry);
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

namespace {

// Follows a value to where something depends on it. Calls are followed into the function called.
class UseFinder {
public:
  // `isObject`: the value is the address of a copy of what is followed, so that writing there is no
  // use.
  bool isUsed(const llvm::Value& value, bool isObject) {
    if (!seen.insert(&value).second)
      return false; // already being followed
    for (const llvm::Use& use : value.uses())
      if (isUse(use, isObject))
        return true;
    return false;
  }

private:
  bool isUse(const llvm::Use& use, bool isObject) {
    const auto* user = cast<llvm::Instruction>(use.getUser());
    if (user->isLifetimeStartOrEnd())
      return false;
    if (const auto* store = dyn_cast<llvm::StoreInst>(user))
      return store->getPointerOperand() == use.get() ? !isObject
                                                     : isKept(*store->getPointerOperand());
    if (const auto* copy = dyn_cast<llvm::MemTransferInst>(user))
      return copy->getRawDest() == use.get() ? !isObject : isKept(*copy->getRawDest());
    if (const auto* call = dyn_cast<llvm::CallBase>(user)) {
      const llvm::Function* callee = call->getCalledFunction();
      return !callee || callee->isDeclaration() || !call->isArgOperand(&use) ||
             isUsed(*callee->getArg(call->getArgOperandNo(&use)), isObject);
    }
    if (isa<llvm::LoadInst>(user))
      return isUsed(*user, /*isObject=*/false);
    if (isa<llvm::CastInst, llvm::GetElementPtrInst>(user))
      return isUsed(*user, isObject);
    return true;
  }

  // Whether what is written to `address` may be read.
  bool isKept(const llvm::Value& address) {
    return !isa<llvm::AllocaInst>(address) || isUsed(address, /*isObject=*/true);
  }

  llvm::SmallPtrSet<const llvm::Value*, 16> seen;
};

} // namespace

bool isUnused(const llvm::Argument& argument) {
  return !UseFinder().isUsed(argument, /*isObject=*/false);
}

} // namespace metalloid::msl
