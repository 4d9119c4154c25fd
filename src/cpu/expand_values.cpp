// SPDX-License-Identifier: Apache-2.0
// Leaves scalars only, together with LLVM's scalarizer, which knows neither of these two cases. In:
// code that moves whole structures and reinterprets vectors. Out: the same code element by element;
// SROA, instsimplify and dce then remove the extract and insert instructions left behind. A value
// of one thread becomes a vector over 32 threads later, so it must be a scalar here.
#include "cpu/expand_values.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace metalloid::cpu {
namespace {

unsigned memberCount(Type* type) {
  if (auto* structure = dyn_cast<StructType>(type))
    return structure->getNumElements();
  return cast<ArrayType>(type)->getNumElements();
}

Type* memberType(Type* type, unsigned index) {
  return GetElementPtrInst::getTypeAtIndex(type, uint64_t(index));
}

uint64_t memberOffset(const DataLayout& layout, Type* type, unsigned index) {
  if (auto* structure = dyn_cast<StructType>(type))
    return layout.getStructLayout(structure)->getElementOffset(index);
  return index * layout.getTypeAllocSize(cast<ArrayType>(type)->getElementType());
}

/// Rewrites one whole-aggregate instruction as one instruction a member, and remembers those of
/// the new ones that are aggregates again.
class AggregateExpander {
public:
  explicit AggregateExpander(const DataLayout& layout) : layout_(layout) {}

  void expand(Instruction& instruction) { work_.push_back(&instruction); }

  void run() {
    while (!work_.empty()) {
      Instruction* instruction = work_.pop_back_val();
      IRBuilder<> builder(instruction);
      if (auto* phi = dyn_cast<PHINode>(instruction))
        expandPhi(*phi);
      else if (auto* store = dyn_cast<StoreInst>(instruction))
        expandStore(*store, builder);
      else
        expandValue(*instruction, builder);
      instruction->eraseFromParent();
    }
  }

private:
  void again(Value* value) {
    if (auto* instruction = dyn_cast<Instruction>(value); instruction)
      if (value->getType()->isAggregateType())
        work_.push_back(instruction);
  }

  void expandPhi(PHINode& phi) {
    Type* type = phi.getType();
    Value* whole = PoisonValue::get(type);
    IRBuilder<> after(&*phi.getParent()->getFirstInsertionPt());
    for (unsigned index = 0; index < memberCount(type); index++) {
      PHINode* member = PHINode::Create(memberType(type, index), phi.getNumIncomingValues(),
                                        phi.getName(), phi.getIterator());
      for (unsigned edge = 0; edge < phi.getNumIncomingValues(); edge++) {
        IRBuilder<> builder(phi.getIncomingBlock(edge)->getTerminator());
        member->addIncoming(builder.CreateExtractValue(phi.getIncomingValue(edge), index),
                            phi.getIncomingBlock(edge));
      }
      whole = after.CreateInsertValue(whole, member, index);
      again(member);
    }
    phi.replaceAllUsesWith(whole);
  }

  void expandStore(StoreInst& store, IRBuilder<>& builder) {
    Value* value = store.getValueOperand();
    for (unsigned index = 0; index < memberCount(value->getType()); index++) {
      uint64_t offset = memberOffset(layout_, value->getType(), index);
      StoreInst* member = builder.CreateAlignedStore(builder.CreateExtractValue(value, index),
                                                     at(builder, store.getPointerOperand(), offset),
                                                     commonAlignment(store.getAlign(), offset));
      member->copyMetadata(store);
      if (memberType(value->getType(), index)->isAggregateType())
        work_.push_back(member);
    }
  }

  void expandValue(Instruction& instruction, IRBuilder<>& builder) {
    Type* type = instruction.getType();
    Value* whole = PoisonValue::get(type);
    for (unsigned index = 0; index < memberCount(type); index++) {
      Value* member = memberOf(instruction, builder, index);
      again(member);
      whole = builder.CreateInsertValue(whole, member, index);
    }
    instruction.replaceAllUsesWith(whole);
  }

  Value* memberOf(Instruction& instruction, IRBuilder<>& builder, unsigned index) {
    if (auto* select = dyn_cast<SelectInst>(&instruction))
      return builder.CreateSelect(select->getCondition(),
                                  builder.CreateExtractValue(select->getTrueValue(), index),
                                  builder.CreateExtractValue(select->getFalseValue(), index));
    if (auto* freeze = dyn_cast<FreezeInst>(&instruction))
      return builder.CreateFreeze(builder.CreateExtractValue(freeze->getOperand(0), index));
    auto& load = cast<LoadInst>(instruction);
    uint64_t offset = memberOffset(layout_, load.getType(), index);
    LoadInst* member = builder.CreateAlignedLoad(memberType(load.getType(), index),
                                                 at(builder, load.getPointerOperand(), offset),
                                                 commonAlignment(load.getAlign(), offset));
    for (unsigned kind :
         {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias, LLVMContext::MD_invariant_load})
      member->setMetadata(kind, load.getMetadata(kind));
    return member;
  }

  static Value* at(IRBuilder<>& builder, Value* pointer, uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, offset);
  }

  const DataLayout& layout_;
  SmallVector<Instruction*> work_;
};

bool movesAggregate(const Instruction& instruction) {
  if (auto* store = dyn_cast<StoreInst>(&instruction))
    return store->getValueOperand()->getType()->isAggregateType();
  return instruction.getType()->isAggregateType() &&
         isa<PHINode, SelectInst, FreezeInst, LoadInst>(instruction);
}

unsigned elementCount(Type* type) {
  auto* vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

// The elements of `value` as integers of their own width, first element first.
SmallVector<Value*> integerElements(IRBuilder<>& builder, Value* value) {
  SmallVector<Value*> elements;
  if (auto* vector = dyn_cast<FixedVectorType>(value->getType()))
    for (unsigned index = 0; index < vector->getNumElements(); index++)
      elements.push_back(builder.CreateExtractElement(value, index));
  else
    elements.push_back(value);
  for (Value*& element : elements)
    element = builder.CreateBitCast(
        element, builder.getIntNTy(element->getType()->getPrimitiveSizeInBits()));
  return elements;
}

// Cuts every element into `parts` narrower ones, least significant first, as memory order has it.
SmallVector<Value*> cutElements(IRBuilder<>& builder, ArrayRef<Value*> elements, unsigned parts) {
  SmallVector<Value*> cut;
  for (Value* element : elements) {
    unsigned width = element->getType()->getIntegerBitWidth() / parts;
    for (unsigned part = 0; part < parts; part++)
      cut.push_back(
          builder.CreateTrunc(builder.CreateLShr(element, part * width), builder.getIntNTy(width)));
  }
  return cut;
}

// Joins every `parts` neighbours into one wider element.
SmallVector<Value*> joinElements(IRBuilder<>& builder, ArrayRef<Value*> elements, unsigned parts) {
  SmallVector<Value*> joined;
  unsigned width = elements.front()->getType()->getIntegerBitWidth();
  Type* wide = builder.getIntNTy(width * parts);
  for (unsigned first = 0; first < elements.size(); first += parts) {
    Value* value = nullptr;
    for (unsigned part = 0; part < parts; part++) {
      Value* piece =
          builder.CreateShl(builder.CreateZExt(elements[first + part], wide), part * width);
      value = value ? builder.CreateOr(value, piece) : piece;
    }
    joined.push_back(value);
  }
  return joined;
}

Value* reinterpret(IRBuilder<>& builder, Value* value, Type* type) {
  SmallVector<Value*> elements = integerElements(builder, value);
  unsigned have = elements.size(), want = elementCount(type);
  if (want > have)
    elements = cutElements(builder, elements, want / have);
  else
    elements = joinElements(builder, elements, have / want);
  if (!type->isVectorTy())
    return builder.CreateBitCast(elements.front(), type);
  Value* result = PoisonValue::get(type);
  for (unsigned index = 0; index < want; index++)
    result = builder.CreateInsertElement(
        result, builder.CreateBitCast(elements[index], type->getScalarType()), index);
  return result;
}

} // namespace

void expandAggregates(Function& function) {
  AggregateExpander expander(function.getDataLayout());
  for (Instruction& instruction : instructions(function))
    if (movesAggregate(instruction))
      expander.expand(instruction);
  expander.run();
}

void expandBitcasts(Function& function) {
  SmallVector<BitCastInst*> casts;
  for (Instruction& instruction : instructions(function))
    if (auto* cast = dyn_cast<BitCastInst>(&instruction)) {
      unsigned from = elementCount(cast->getSrcTy()), to = elementCount(cast->getDestTy());
      if (from != to && std::max(from, to) % std::min(from, to) == 0)
        casts.push_back(cast);
    }
  for (BitCastInst* cast : casts) {
    IRBuilder<> builder(cast);
    cast->replaceAllUsesWith(reinterpret(builder, cast->getOperand(0), cast->getType()));
    cast->eraseFromParent();
  }
}

} // namespace metalloid::cpu
