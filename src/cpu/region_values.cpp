// SPDX-License-Identifier: Apache-2.0
// The values that cross from one region of a kernel to another: which they are, how few places do
// for each, and which region needs or makes which. In: thread form with its cuts known. Out: the
// same code in which no SSA value crosses: a variable stands for each, and the region functions
// give those variables a parameter or a place in scratch.
#include "cpu/region_values.h"

#include "cpu/launch.h"
#include "cpu/llvm_error.h"
#include "cpu/recompute.h"
#include "cpu/uniformity.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace metalloid::cpu {
namespace {

constexpr uint64_t ArrayAlign = 64;

DenseSet<Value*> uniformValues(Function& thread, const ThreadgroupShape& shape,
                               UniformScope scope) {
  Uniformity uniformity(thread, shape, scope);
  DenseSet<Value*> values;
  for (Instruction& instruction : instructions(thread))
    if (!instruction.getType()->isVoidTy() && uniformity.isUniform(&instruction))
      values.insert(&instruction);
  return values;
}

/// Which variables are needed at the start of each block, by backward propagation.
class VariableLiveness {
public:
  VariableLiveness(Function& thread, ArrayRef<SavedValue> saved) {
    for (auto [index, value] : enumerate(saved))
      indices_[value.variable] = index;
    for (BasicBlock& block : thread)
      scan(block, saved.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock* block : post_order(&thread))
        changed |= propagate(*block);
    }
  }

  struct Facts {
    BitVector touched, stored, exposed, liveIn;
  };
  const Facts& at(const BasicBlock* block) const { return facts_.find(block)->second; }

private:
  void scan(BasicBlock& block, unsigned count) {
    Facts& facts = facts_[&block];
    for (BitVector* set : {&facts.touched, &facts.stored, &facts.exposed, &facts.liveIn})
      set->resize(count);
    for (Instruction& instruction : block) {
      Value* pointer = getLoadStorePointerOperand(&instruction);
      auto index = indices_.find(pointer);
      if (!pointer || index == indices_.end())
        continue;
      facts.touched.set(index->second);
      if (isa<StoreInst>(instruction))
        facts.stored.set(index->second);
      else if (!facts.stored.test(index->second))
        facts.exposed.set(index->second);
    }
  }

  bool propagate(BasicBlock& block) {
    Facts& facts = facts_[&block];
    BitVector live = facts.liveIn;
    for (BasicBlock* after : successors(&block))
      live |= facts_[after].liveIn;
    live.reset(facts.stored);
    live |= facts.exposed;
    if (live == facts.liveIn)
      return false;
    facts.liveIn = std::move(live);
    return true;
  }

  DenseMap<Value*, unsigned> indices_;
  DenseMap<const BasicBlock*, Facts> facts_;
};

} // namespace

Type* storedType(Type* type) {
  return type->isIntegerTy(1) ? Type::getInt8Ty(type->getContext()) : type;
}

Value* toStored(IRBuilderBase& builder, Value* value, Type* type) {
  return type->isIntegerTy(1) ? builder.CreateZExt(value, builder.getInt8Ty()) : value;
}

Value* fromStored(IRBuilderBase& builder, Value* value, Type* type) {
  return type->isIntegerTy(1) ? builder.CreateIsNotNull(value) : value;
}

RegionValues::RegionValues(Function& thread, const ThreadgroupShape& shape, const RegionCuts& cuts)
    : shape_(shape), cuts_(cuts) {
  DenseSet<Value*> perThreadgroup = uniformValues(thread, shape, UniformScope::Threadgroup);
  DenseSet<Value*> perSimdgroup = uniformValues(thread, shape, UniformScope::Simdgroup);
  SmallPtrSet<BasicBlock*, 16> starts(cuts.starts.begin(), cuts.starts.end());
  saveConditions(thread);
  recomputeAcross(thread, starts, perThreadgroup);
  saveCrossingValues(thread, perThreadgroup, perSimdgroup);
  for (unsigned region = 0; region < cuts.starts.size(); region++)
    blocks_.push_back(cuts.blocksOf(region));
  findPrivateArrays(thread);
  findUses(thread);
}

void RegionValues::save(AllocaInst* variable, Type* type, SavedValue::Kind kind) {
  uint32_t index = uniformTypes_.size();
  if (kind == SavedValue::Uniform) {
    uniformTypes_.push_back(storedType(type));
  } else {
    uint64_t size = variable->getDataLayout().getTypeAllocSize(storedType(type));
    index = addArray(kind == SavedValue::PerThread ? size * SimdWidth : size);
  }
  saved_.push_back({kind, variable, type, index});
}

uint32_t RegionValues::addArray(uint64_t bytesPerSimdgroup) {
  arrayBytes_.push_back(bytesPerSimdgroup);
  return arrayBytes_.size() - 1;
}

// The driver follows a uniform branch, so its condition is a value that the region before makes.
void RegionValues::saveConditions(Function& thread) {
  IRBuilder<> builder(&*thread.getEntryBlock().getFirstInsertionPt());
  for (const Cut& cut : cuts_.cuts) {
    if (!cut.condition)
      continue;
    builder.SetInsertPoint(&*thread.getEntryBlock().getFirstInsertionPt());
    AllocaInst* variable = builder.CreateAlloca(builder.getInt1Ty(), nullptr, "condition");
    builder.SetInsertPoint(cut.block->getSinglePredecessor()->getTerminator());
    builder.CreateStore(cut.condition, variable);
    builder.SetInsertPoint(cut.block->getTerminator());
    cast<BranchInst>(cut.block->getTerminator())
        ->setCondition(builder.CreateLoad(builder.getInt1Ty(), variable));
    conditions_[cut.block] = uniformTypes_.size();
    save(variable, builder.getInt1Ty(), SavedValue::Uniform);
  }
}

void RegionValues::saveCrossingValues(Function& thread, const DenseSet<Value*>& perThreadgroup,
                                      const DenseSet<Value*>& perSimdgroup) {
  SmallPtrSet<BasicBlock*, 16> starts(cuts_.starts.begin() + 1, cuts_.starts.end());
  SmallVector<Instruction*> crossing;
  for (Instruction& instruction : instructions(thread)) {
    if (instruction.getType()->isVoidTy() || isa<AllocaInst>(instruction) ||
        threadFormName(&instruction) == PrivateBlock)
      continue;
    if (any_of(liveInBlocks(instruction), [&](BasicBlock* b) { return starts.contains(b); }))
      crossing.push_back(&instruction);
  }
  for (Instruction* instruction : crossing) {
    SavedValue::Kind kind = perThreadgroup.contains(instruction) ? SavedValue::Uniform
                            : perSimdgroup.contains(instruction) ? SavedValue::PerSimdgroup
                                                                 : SavedValue::PerThread;
    Type* type = instruction->getType();
    if (AllocaInst* variable = DemoteRegToStack(*instruction))
      save(variable, type, kind);
  }
}

void RegionValues::findPrivateArrays(Function& thread) {
  for (Instruction& instruction : instructions(thread)) {
    if (threadFormName(&instruction) != PrivateBlock)
      continue;
    auto* call = cast<CallInst>(&instruction);
    PrivateArray array{call, cast<ConstantInt>(call->getArgOperand(1))->getZExtValue(), false, 0};
    unsigned users = 0;
    for (unsigned region = 0; region < blocks_.size(); region++)
      if (uses(region, array)) {
        users++;
        array.inScratch |= users > 1 || runsAgain(region);
      }
    if (array.inScratch)
      array.index = addArray(array.bytes);
    privateArrays_.push_back(array);
  }
}

bool RegionValues::runsAgain(unsigned region) const {
  SmallVector<unsigned> work{region};
  BitVector seen(blocks_.size());
  while (!work.empty())
    for (const Cut* cut : cuts_.cutsAfter(work.pop_back_val()))
      for (unsigned next : cut->starts) {
        if (next == region)
          return true;
        if (!seen.test(next)) {
          seen.set(next);
          work.push_back(next);
        }
      }
  return false;
}

bool RegionValues::uses(unsigned region, const PrivateArray& array) const {
  for (User* user : array.call->users())
    if (is_contained(blocks_[region], cast<Instruction>(user)->getParent()))
      return true;
  return false;
}

void RegionValues::findUses(Function& thread) {
  VariableLiveness liveness(thread, saved_);
  uses_.assign(blocks_.size(), std::vector<RegionUse>(saved_.size()));
  for (unsigned region = 0; region < blocks_.size(); region++) {
    BitVector touched(saved_.size()), stored(saved_.size()), needed(saved_.size());
    for (BasicBlock* block : blocks_[region]) {
      touched |= liveness.at(block).touched;
      stored |= liveness.at(block).stored;
    }
    for (const Cut* cut : cuts_.cutsAfter(region))
      needed |= liveness.at(cut->block).liveIn;
    const BitVector& live = liveness.at(cuts_.starts[region]).liveIn;
    for (unsigned index : touched.set_bits()) {
      RegionUse& use = uses_[region][index];
      use.touches = true;
      use.reads = live.test(index);
      use.writes = stored.test(index) && needed.test(index);
    }
  }
}

RegionUse RegionValues::useIn(unsigned region, const SavedValue& value) const {
  return uses_[region][&value - saved_.data()];
}

uint32_t RegionValues::conditionOf(const Cut& cut) const {
  return conditions_.lookup(cut.block);
}

Error RegionValues::proveUniform(Function& region,
                                 ArrayRef<std::pair<StoreInst*, SavedValue::Kind>> stores) const {
  if (stores.empty())
    return Error::success();
  Uniformity threadgroup(region, shape_, UniformScope::Threadgroup);
  Uniformity simdgroup(region, shape_, UniformScope::Simdgroup);
  for (auto [store, kind] : stores) {
    const Uniformity& uniformity = kind == SavedValue::Uniform ? threadgroup : simdgroup;
    if (!uniformity.isUniformUse(store->getOperandUse(0)))
      return refuse("threads may come to a barrier after different numbers of loop iterations");
  }
  return Error::success();
}

void RegionValues::layOut(Regions& regions) const {
  regions.uniforms = uniformTypes_;
  uint64_t offset = 0;
  for (uint64_t bytes : arrayBytes_) {
    regions.arrayOffsets.push_back(offset);
    offset += alignTo(bytes, ArrayAlign);
  }
  if (regions.tracksLive) {
    regions.liveOffset = offset;
    offset += ArrayAlign;
  }
  regions.scratchBytesPerSimdgroup = offset;
}

} // namespace metalloid::cpu
