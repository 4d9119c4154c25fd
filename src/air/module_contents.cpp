// SPDX-License-Identifier: Apache-2.0
#include "air/module_contents.h"

#include "air/error.h"
#include "air/metadata.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace metalloid::air {
namespace {

constexpr unsigned ThreadgroupAddressSpace = 3;

/// Adds the globals that `value` is or, as a constant expression or aggregate, contains.
void collectGlobals(const Value& value, SetVector<const GlobalValue*>& globals,
                    SmallPtrSetImpl<const Value*>& seen) {
  if (auto* global = dyn_cast<GlobalValue>(&value)) {
    globals.insert(global);
    return;
  }
  if (!isa<Constant>(value) || isa<ConstantData>(value) || !seen.insert(&value).second)
    return;
  for (const Value* operand : cast<Constant>(value).operand_values())
    collectGlobals(*operand, globals, seen);
}

} // namespace

llvm::Expected<const MDNode*> findKernel(const Module& module, StringRef name) {
  std::vector<std::string> others;
  if (const NamedMDNode* kernels = module.getNamedMetadata("air.kernel"))
    for (const MDNode* node : kernels->operands()) {
      auto* kernel = valueOperand<Function>(*node, 0);
      if (!kernel)
        continue;
      if (kernel->getName() != name) {
        others.push_back(kernel->getName().str());
        continue;
      }
      if (kernel->isDeclaration())
        return refuse("kernel \"" + name + "\" has no body");
      if (!kernel->getReturnType()->isVoidTy() || kernel->isVarArg())
        return refuse("kernel \"" + name + "\" does not return void");
      return node;
    }
  return refuse("there is no kernel \"" + name + "\"; the module has " +
                (others.empty() ? "none" : join(others, ", ")));
}

llvm::Expected<std::vector<ConstantGlobal>> functionConstants(const Module& module) {
  std::vector<ConstantGlobal> constants;
  const NamedMDNode* list = module.getNamedMetadata("air.function_constants");
  if (!list)
    return constants;
  for (const MDNode* node : list->operands()) {
    auto* global = valueOperand<GlobalVariable>(*node, 0);
    auto type = stringOperand(*node, 1), name = stringOperand(*node, 2);
    auto index = integerOperand(*node, 3);
    if (!global || !type || !name || !index)
      return refuse("a function constant's description is malformed");
    constants.push_back({.description = {.name = name->str(),
                                         .typeName = type->str(),
                                         .index = static_cast<uint32_t>(*index),
                                         .required = integerOperand(*node, 4).value_or(1) != 0},
                         .global = global});
  }
  return constants;
}

SetVector<const GlobalValue*> reachableFrom(const GlobalValue& root) {
  SetVector<const GlobalValue*> reached;
  SmallPtrSet<const Value*, 16> seen;
  reached.insert(&root);
  for (size_t next = 0; next < reached.size(); ++next) {
    if (auto* function = dyn_cast<Function>(reached[next])) {
      for (const Instruction& instruction : instructions(*function))
        for (const Value* operand : instruction.operand_values())
          collectGlobals(*operand, reached, seen);
    } else if (auto* variable = dyn_cast<GlobalVariable>(reached[next])) {
      if (variable->hasInitializer())
        collectGlobals(*variable->getInitializer(), reached, seen);
    } else if (auto* alias = dyn_cast<GlobalAlias>(reached[next])) {
      collectGlobals(*alias->getAliasee(), reached, seen);
    }
  }
  return reached;
}

uint32_t threadgroupBytes(const Module& module, const Function& kernel) {
  auto reached = reachableFrom(kernel);
  const DataLayout& layout = module.getDataLayout();
  uint64_t bytes = 0;
  for (const GlobalVariable& variable : module.globals()) {
    if (variable.getAddressSpace() != ThreadgroupAddressSpace || !reached.contains(&variable))
      continue;
    Align align = variable.getAlign().value_or(layout.getABITypeAlign(variable.getValueType()));
    bytes = alignTo(bytes, align) + layout.getTypeAllocSize(variable.getValueType());
  }
  return static_cast<uint32_t>(std::min<uint64_t>(bytes, UINT32_MAX));
}

} // namespace metalloid::air
