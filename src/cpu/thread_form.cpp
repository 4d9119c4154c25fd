// SPDX-License-Identifier: Apache-2.0
#include "cpu/thread_form.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

/// One past the largest value of an id function, or 0 where any i32 is possible.
uint32_t idLimit(StringRef name) {
  if (name == LaneId)
    return 32;
  if (name == ThreadIndex || name == ThreadX || name == ThreadY || name == ThreadZ)
    return 1024;
  return 0;
}

FunctionType* typeOf(LLVMContext& context, StringRef name) {
  Type* i32 = Type::getInt32Ty(context);
  if (name == PrivateBlock)
    return FunctionType::get(PointerType::get(context, 0), {i32, Type::getInt64Ty(context)}, false);
  if (name == ThreadgroupBarrier)
    return FunctionType::get(Type::getVoidTy(context), {i32}, false);
  if (name == Returned)
    return FunctionType::get(Type::getVoidTy(context), {Type::getInt1Ty(context)}, false);
  return FunctionType::get(i32, false);
}

} // namespace

Function* threadFormFunction(Module& module, StringRef name) {
  if (Function* known = module.getFunction(name))
    return known;
  LLVMContext& context = module.getContext();
  auto* function =
      Function::Create(typeOf(context, name), GlobalValue::ExternalLinkage, name, module);
  function->setDoesNotThrow();
  if (name == ThreadgroupBarrier) {
    function->setConvergent();
    return function;
  }
  function->setWillReturn();
  if (name == Returned) {
    function->setConvergent();
    function->setOnlyAccessesInaccessibleMemory();
    return function;
  }
  function->setDoesNotAccessMemory();
  if (name == PrivateBlock) {
    function->addRetAttr(Attribute::NoAlias);
    function->addRetAttr(Attribute::getWithAlignment(context, Align(64)));
    return function;
  }
  function->addFnAttr(Attribute::Speculatable);
  if (uint32_t limit = idLimit(name))
    function->addRangeRetAttr(ConstantRange(APInt(32, 0), APInt(32, limit)));
  return function;
}

StringRef threadFormName(const Value* value) {
  auto* call = dyn_cast<CallBase>(value);
  if (!call || !call->getCalledFunction())
    return "";
  StringRef name = call->getCalledFunction()->getName();
  return name.starts_with("cpu.") ? name : "";
}

} // namespace metalloid::cpu
