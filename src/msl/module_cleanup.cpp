// SPDX-License-Identifier: Apache-2.0
#include "msl/module_cleanup.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace metalloid::msl {
namespace {

constexpr unsigned kThreadgroupSpace = 3;

// The guard of a threadgroup variable whose class has a constructor reads "already constructed".
void dropGuards(Module& module) {
  for (GlobalVariable& variable : module.globals()) {
    if (!variable.getName().starts_with("_ZGV"))
      continue;
    for (User* user : make_early_inc_range(variable.users()))
      if (auto* load = dyn_cast<LoadInst>(user)) {
        load->replaceAllUsesWith(ConstantInt::get(load->getType(), 1));
        load->eraseFromParent();
      }
  }
}

void uninitialiseThreadgroupMemory(Module& module) {
  for (GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() != kThreadgroupSpace || !variable.hasInitializer())
      continue;
    variable.setInitializer(UndefValue::get(variable.getValueType()));
    variable.setComdat(nullptr);
    variable.setLinkage(GlobalValue::InternalLinkage);
    variable.setConstant(false);
  }
}

void hideFunctions(Module& module) {
  SmallPtrSet<const Function*, 16> kernels;
  if (NamedMDNode* list = module.getNamedMetadata("air.kernel"))
    for (const MDNode* kernel : list->operands())
      kernels.insert(mdconst::extract<Function>(kernel->getOperand(0)));
  for (Function& function : make_early_inc_range(module)) {
    if (function.isDeclaration()) {
      if (function.use_empty())
        function.eraseFromParent();
      else if (function.doesNotAccessMemory())
        function.removeFnAttr(Attribute::Convergent);
      continue;
    }
    if (kernels.contains(&function))
      continue;
    function.setComdat(nullptr);
    function.setLinkage(GlobalValue::InternalLinkage);
    function.removeFnAttr(Attribute::NoInline);
    function.addFnAttr(Attribute::AlwaysInline);
  }
}

// Fast math is a matter of the flags on each operation; none of them may give up NaN or infinity.
void keepNansAndInfinities(Module& module) {
  for (Function& function : module) {
    for (const char* attribute : {"no-signed-zeros-fp-math", "approx-func-fp-math",
                                  "no-nans-fp-math", "no-infs-fp-math", "unsafe-fp-math"})
      function.removeFnAttr(attribute);
    for (Instruction& instruction : instructions(function))
      if (isa<FPMathOperator>(instruction)) {
        instruction.setHasNoNaNs(false);
        instruction.setHasNoInfs(false);
      }
  }
}

} // namespace

void dropAnnotations(Module& module) {
  for (Function& function : make_early_inc_range(module)) {
    if (!function.getName().starts_with("llvm.var.annotation"))
      continue;
    while (!function.use_empty())
      cast<Instruction>(function.user_back())->eraseFromParent();
    function.eraseFromParent();
  }
  if (GlobalVariable* annotations = module.getNamedGlobal("llvm.global.annotations"))
    annotations->eraseFromParent();
  // Their strings and lists of arguments: a list is made after the strings that it refers to.
  SmallVector<GlobalVariable*> variables;
  for (GlobalVariable& variable : module.globals())
    if (variable.hasPrivateLinkage())
      variables.push_back(&variable);
  for (GlobalVariable* variable : reverse(variables)) {
    variable->removeDeadConstantUsers();
    if (variable->use_empty())
      variable->eraseFromParent();
  }
}

void cleanUpModule(Module& module) {
  dropGuards(module);
  uninitialiseThreadgroupMemory(module);
  hideFunctions(module);
  keepNansAndInfinities(module);
}

} // namespace metalloid::msl
