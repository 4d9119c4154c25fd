// SPDX-License-Identifier: Apache-2.0
#include "air/extract.h"

#include "air/error.h"
#include "air/metadata.h"
#include "air/module_contents.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace metalloid::air {
namespace {

constexpr unsigned ConstantAddressSpace = 2;

llvm::Error checkRecursion(Module& module) {
  CallGraph calls(module);
  for (auto component = scc_begin(&calls); !component.isAtEnd(); ++component) {
    if (!component.hasCycle())
      continue;
    for (const CallGraphNode* node : *component)
      if (const Function* function = node->getFunction())
        return refuse("function \"" + function->getName() + "\" calls itself");
  }
  return llvm::Error::success();
}

void removeLists(Module& module, const Function& kernel) {
  for (StringRef name : {"llvm.used", "llvm.compiler.used", "llvm.global_ctors",
                         "llvm.global_dtors", "llvm.global.annotations"})
    if (GlobalVariable* list = module.getNamedGlobal(name))
      list->eraseFromParent();
  for (StringRef name : {"air.function_constants", "air.vertex", "air.fragment", "air.visible"})
    if (NamedMDNode* node = module.getNamedMetadata(name))
      node->eraseFromParent();

  NamedMDNode* kernels = module.getNamedMetadata("air.kernel");
  SmallVector<MDNode*> kept;
  for (MDNode* node : kernels->operands())
    if (valueOperand<Function>(*node, 0) == &kernel)
      kept.push_back(node);
  kernels->clearOperands();
  for (MDNode* node : kept)
    kernels->addOperand(node);
}

void resolveAliases(Module& module) {
  for (GlobalAlias& alias : make_early_inc_range(module.aliases())) {
    alias.replaceAllUsesWith(alias.getAliasee());
    alias.eraseFromParent();
  }
}

void removeUnreached(Module& module, const Function& kernel) {
  auto reached = reachableFrom(kernel);
  SmallVector<GlobalValue*> dead;
  for (Function& function : module)
    if (!reached.contains(&function))
      dead.push_back(&function);
  for (GlobalVariable& variable : module.globals())
    if (!reached.contains(&variable))
      dead.push_back(&variable);
  // They may refer to each other, so that all let go first.
  for (GlobalValue* value : dead) {
    if (auto* function = dyn_cast<Function>(value))
      function->deleteBody();
    else
      cast<GlobalVariable>(value)->setInitializer(nullptr);
  }
  for (GlobalValue* value : dead) {
    value->replaceAllUsesWith(PoisonValue::get(value->getType()));
    value->eraseFromParent();
  }
}

void normaliseSymbol(GlobalObject& object, const Function& kernel) {
  object.setSection("");
  object.setComdat(nullptr);
  object.setPartition("");
  object.setVisibility(GlobalValue::DefaultVisibility);
  object.setDLLStorageClass(GlobalValue::DefaultStorageClass);
  if (object.isDeclaration())
    return;
  object.setLinkage(&object == &kernel ? GlobalValue::ExternalLinkage
                                       : GlobalValue::InternalLinkage);
}

/// Target features, probes, split stacks and the like are the back end's to choose.
void removeTargetAttributes(Function& function) {
  AttributeMask unwanted;
  for (const Attribute& attribute : function.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute())
      unwanted.addAttribute(attribute.getKindAsString());
  for (auto kind :
       {Attribute::Naked, Attribute::Speculatable, Attribute::SafeStack, Attribute::StackProtect,
        Attribute::StackProtectReq, Attribute::StackProtectStrong, Attribute::UWTable})
    unwanted.addAttribute(kind);
  function.removeFnAttrs(unwanted);
  function.clearGC();
}

/// Constant memory that no store, call or initialiser can change any more.
bool isOnlyLoaded(const GlobalVariable& variable) {
  SmallVector<const Value*> pointers{&variable};
  while (!pointers.empty())
    for (const User* user : pointers.pop_back_val()->users()) {
      if (isa<GEPOperator>(user) || isa<AddrSpaceCastOperator>(user) || isa<BitCastOperator>(user))
        pointers.push_back(user);
      else if (!isa<LoadInst>(user))
        return false;
    }
  return true;
}

} // namespace

llvm::Error extract(Module& module, Function& kernel) {
  removeLists(module, kernel);
  resolveAliases(module);
  removeUnreached(module, kernel);
  for (Function& function : module) {
    normaliseSymbol(function, kernel);
    removeTargetAttributes(function);
  }
  for (GlobalVariable& variable : module.globals()) {
    normaliseSymbol(variable, kernel);
    if (variable.getAddressSpace() == ConstantAddressSpace && isOnlyLoaded(variable))
      variable.setConstant(true);
  }
  return checkRecursion(module);
}

} // namespace metalloid::air
