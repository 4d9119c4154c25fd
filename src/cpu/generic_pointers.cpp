// SPDX-License-Identifier: Apache-2.0
// Address spaces end here. In: a function whose pointers say device, constant, threadgroup or
// thread. Out: the same code over plain pointers, because a CPU has one address space and LLVM's
// x86 and Arm back ends give numbered ones meanings of their own. It happens while the kernel is
// copied into its thread form, so that types change once and everywhere.
#include "cpu/generic_pointers.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace metalloid::cpu {

Type* GenericPointers::remapType(Type* type) {
  if (auto* pointer = dyn_cast<PointerType>(type))
    return PointerType::get(pointer->getContext(), 0);
  if (auto* vector = dyn_cast<VectorType>(type))
    return VectorType::get(remapType(vector->getElementType()), vector->getElementCount());
  if (auto* array = dyn_cast<ArrayType>(type))
    return ArrayType::get(remapType(array->getElementType()), array->getNumElements());
  if (auto* structure = dyn_cast<StructType>(type))
    return remapStruct(structure);
  if (auto* function = dyn_cast<FunctionType>(type)) {
    SmallVector<Type*> parameters;
    for (Type* parameter : function->params())
      parameters.push_back(remapType(parameter));
    return FunctionType::get(remapType(function->getReturnType()), parameters,
                             function->isVarArg());
  }
  return type;
}

Type* GenericPointers::remapStruct(StructType* type) {
  if (type->isOpaque())
    return type;
  if (auto known = mapped_.find(type); known != mapped_.end())
    return known->second;
  SmallVector<Type*> members;
  for (Type* member : type->elements())
    members.push_back(remapType(member));
  bool same = equal(members, type->elements());
  Type* result = same ? type
                 : type->isLiteral()
                     ? StructType::get(type->getContext(), members, type->isPacked())
                     : StructType::create(members, type->getName(), type->isPacked());
  mapped_[type] = result;
  return result;
}

namespace {

// A function of the same name and attributes whose pointers are generic. Intrinsics carry their
// pointer types in their names, so they are asked for afresh.
Function* genericFunction(Function& function, GenericPointers& types) {
  auto* type = cast<FunctionType>(types.remapType(function.getFunctionType()));
  if (type == function.getFunctionType())
    return &function;
  if (function.isIntrinsic()) {
    SmallVector<Type*> overloads;
    if (Intrinsic::getIntrinsicSignature(function.getIntrinsicID(), type, overloads))
      return Intrinsic::getOrInsertDeclaration(function.getParent(), function.getIntrinsicID(),
                                               overloads);
  }
  Function* generic = Function::Create(type, function.getLinkage(), "", function.getParent());
  generic->takeName(&function);
  generic->copyAttributesFrom(&function);
  return generic;
}

GlobalVariable* genericGlobal(GlobalVariable& global, GenericPointers& types) {
  auto* generic = new GlobalVariable(*global.getParent(), types.remapType(global.getValueType()),
                                     global.isConstant(), GlobalValue::InternalLinkage, nullptr, "",
                                     nullptr, GlobalValue::NotThreadLocal, 0);
  generic->takeName(&global);
  generic->setAlignment(global.getAlign());
  generic->setUnnamedAddr(global.getUnnamedAddr());
  return generic;
}

void seedGlobals(Module& module, ValueToValueMapTy& values, GenericPointers& types) {
  for (Function& function : make_early_inc_range(module))
    if (function.isDeclaration())
      if (Function* generic = genericFunction(function, types); generic != &function)
        values[&function] = generic;
  SmallVector<std::pair<GlobalVariable*, GlobalVariable*>> made;
  for (GlobalVariable& global : make_early_inc_range(module.globals()))
    if (global.hasInitializer() && global.getAddressSpace() != 0 && !values.count(&global)) {
      made.emplace_back(&global, genericGlobal(global, types));
      values[&global] = made.back().second;
    }
  for (auto [global, generic] : made)
    generic->setInitializer(MapValue(global->getInitializer(), values, RF_None, &types));
}

} // namespace

void cloneWithGenericPointers(Function& from, Function& to, ValueToValueMapTy& values) {
  GenericPointers types;
  seedGlobals(*from.getParent(), values, types);
  SmallVector<ReturnInst*> returns;
  CloneFunctionBodyInto(to, from, values, RF_NoModuleLevelChanges, returns, "", nullptr, &types);
  for (Instruction& instruction : make_early_inc_range(instructions(to)))
    if (auto* cast = dyn_cast<AddrSpaceCastInst>(&instruction)) {
      cast->replaceAllUsesWith(cast->getPointerOperand());
      cast->eraseFromParent();
    }
}

} // namespace metalloid::cpu
