// SPDX-License-Identifier: Apache-2.0
#include "air/primitive_attributes.h"

#include "air/primitives.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace metalloid::air {
namespace {

bool isConvergent(Primitive kind) {
  switch (kind) {
  case Primitive::Fence:
  case Primitive::AtomicLoad:
  case Primitive::AtomicStore:
  case Primitive::AtomicExchange:
  case Primitive::AtomicCompareExchange:
  case Primitive::AtomicModify:
  case Primitive::LogMessage:
    return false;
  default:
    return true;
  }
}

MemoryEffects memoryEffects(Primitive kind) {
  switch (kind) {
  case Primitive::ThreadgroupBarrier:
  case Primitive::SimdgroupBarrier:
  case Primitive::Fence:
  case Primitive::LogMessage:
    return MemoryEffects::unknown();
  case Primitive::MatrixLoad:
    return MemoryEffects::argMemOnly(ModRefInfo::Ref);
  case Primitive::MatrixStore:
    return MemoryEffects::argMemOnly(ModRefInfo::Mod);
  case Primitive::AtomicLoad:
  case Primitive::AtomicStore:
  case Primitive::AtomicExchange:
  case Primitive::AtomicCompareExchange:
  case Primitive::AtomicModify:
    return MemoryEffects::argMemOnly(ModRefInfo::ModRef);
  default:
    return MemoryEffects::none();
  }
}

} // namespace

void setPrimitiveAttributes(Module& module) {
  LLVMContext& context = module.getContext();
  for (Function& function : module) {
    auto primitive = parsePrimitive(function.getName());
    if (!primitive || !function.isDeclaration())
      continue;
    AttrBuilder attributes(context);
    attributes.addAttribute(Attribute::NoUnwind).addAttribute(Attribute::WillReturn);
    attributes.addMemoryAttr(memoryEffects(primitive->kind));
    if (isConvergent(primitive->kind))
      attributes.addAttribute(Attribute::Convergent);
    function.setAttributes(AttributeList().addFnAttributes(context, attributes));
    for (User* user : function.users())
      if (auto* call = dyn_cast<CallInst>(user)) {
        call->setAttributes(AttributeList());
        call->setTailCallKind(CallInst::TCK_None);
        if (isConvergent(primitive->kind))
          call->setConvergent();
      }
  }
}

} // namespace metalloid::air
