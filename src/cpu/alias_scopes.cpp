// SPDX-License-Identifier: Apache-2.0
// Says which memory accesses cannot meet, in words that hold for all threads at once. In: thread
// form, and the pointers to distinct objects (buffers that the front end proved not to alias,
// threadgroup variables). Out: !alias.scope and !noalias on loads, stores and atomics of those
// objects. The tags that came with the AIR are dropped first: they and TBAA speak of what one
// thread does, and after vectorisation one instruction speaks for 32. Barriers carry no tags, so
// they still order everything.
#include "cpu/alias_scopes.h"

#include "cpu/analyses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;

namespace metalloid::cpu {
namespace {

constexpr unsigned MaxSteps = 64;

class AliasScopes {
public:
  AliasScopes(LLVMContext& context, ArrayRef<MemoryObject> objects) {
    MDBuilder builder(context);
    MDNode* domain = builder.createAnonymousAliasScopeDomain("kernel");
    for (const MemoryObject& object : objects)
      if (object.isDistinct) {
        scopes_[object.pointer] = builder.createAnonymousAliasScope(domain);
        all_.push_back(scopes_[object.pointer]);
      }
  }

  void tag(Instruction& access, Value* pointer) {
    SmallPtrSet<Metadata*, 4> reached;
    if (!collect(pointer, reached) || reached.empty())
      return;
    SmallVector<Metadata*> others;
    for (Metadata* scope : all_)
      if (!reached.contains(scope))
        others.push_back(scope);
    LLVMContext& context = access.getContext();
    SmallVector<Metadata*> own(reached.begin(), reached.end());
    access.setMetadata(LLVMContext::MD_alias_scope, MDNode::get(context, own));
    access.setMetadata(LLVMContext::MD_noalias, MDNode::get(context, others));
  }

private:
  // The scopes `pointer` may lead to; false where it may lead elsewhere.
  bool collect(Value* pointer, SmallPtrSetImpl<Metadata*>& reached) {
    SmallVector<Value*> work{pointer};
    SmallPtrSet<Value*, 16> seen;
    while (!work.empty()) {
      Value* value = work.pop_back_val();
      if (!seen.insert(value).second)
        continue;
      if (seen.size() > MaxSteps)
        return false;
      if (auto scope = scopes_.find(value); scope != scopes_.end())
        reached.insert(scope->second);
      else if (auto* element = dyn_cast<GetElementPtrInst>(value))
        work.push_back(element->getPointerOperand());
      else if (auto* phi = dyn_cast<PHINode>(value))
        append_range(work, phi->incoming_values());
      else if (auto* select = dyn_cast<SelectInst>(value))
        work.append({select->getTrueValue(), select->getFalseValue()});
      else
        return false;
    }
    return true;
  }

  DenseMap<Value*, MDNode*> scopes_;
  SmallVector<Metadata*> all_;
};

void dropThreadwiseTags(Instruction& instruction) {
  for (unsigned kind : {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias, LLVMContext::MD_tbaa,
                        LLVMContext::MD_tbaa_struct})
    instruction.setMetadata(kind, nullptr);
}

} // namespace

void tagAliasScopes(Function& thread, ArrayRef<MemoryObject> objects) {
  Analyses analyses;
  SROAPass(SROAOptions::PreserveCFG).run(thread, analyses.functions()); // Pointers become visible.
  AliasScopes scopes(thread.getContext(), objects);
  for (Instruction& instruction : make_early_inc_range(instructions(thread))) {
    if (isa<NoAliasScopeDeclInst>(instruction)) {
      instruction.eraseFromParent();
      continue;
    }
    dropThreadwiseTags(instruction);
    if (Value* pointer = getLoadStorePointerOperand(&instruction))
      scopes.tag(instruction, pointer);
    else if (auto* atomic = dyn_cast<AtomicRMWInst>(&instruction))
      scopes.tag(instruction, atomic->getPointerOperand());
    else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      scopes.tag(instruction, exchange->getPointerOperand());
  }
}

} // namespace metalloid::cpu
