// SPDX-License-Identifier: Apache-2.0
#include "air/private_bounds.h"

#include "air/function_analyses.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace metalloid::air {
namespace {

/// An address as a sum: fixed bytes, and for every index the bytes one step of it takes.
struct Offset {
  int64_t fixed = 0;
  SmallMapVector<Value*, APInt, 4> variable;
};

/// One use of an address: `bytes` of it are read or written.
struct Access {
  Use* pointer = nullptr;
  uint64_t bytes = 0;
  Offset offset;
  Instruction& instruction() const { return *cast<Instruction>(pointer->getUser()); }
};

/// Bytes that `use`, an operand of some instruction, reads or writes; nothing where it does neither
/// or their number is not fixed.
std::optional<uint64_t> accessedBytes(const Use& use, const DataLayout& layout) {
  auto* user = cast<Instruction>(use.getUser());
  if (auto* load = dyn_cast<LoadInst>(user))
    return layout.getTypeStoreSize(load->getType());
  if (auto* store = dyn_cast<StoreInst>(user))
    if (use.getOperandNo() == StoreInst::getPointerOperandIndex())
      return layout.getTypeStoreSize(store->getValueOperand()->getType());
  if (auto* block = dyn_cast<MemIntrinsic>(user))
    if (auto* length = dyn_cast<ConstantInt>(block->getLength()))
      if (use.getOperandNo() < (isa<MemTransferInst>(block) ? 2 : 1))
        return length->getZExtValue();
  return std::nullopt;
}

/// `offset` moved on by what `step` adds, or nothing where it adds what cannot be summed.
std::optional<Offset> advance(Offset offset, const GEPOperator& step, const DataLayout& layout) {
  APInt fixed(64, 0);
  SmallMapVector<Value*, APInt, 4> variable;
  if (!step.collectOffset(layout, 64, variable, fixed))
    return std::nullopt;
  offset.fixed += fixed.getSExtValue();
  for (auto& [index, scale] : variable) {
    auto [entry, isNew] = offset.variable.insert({index, scale});
    if (!isNew)
      entry->second += scale;
  }
  return offset;
}

/// Follows the addresses derived from `variable` to every access.
SmallVector<Access> collectAccesses(AllocaInst& variable) {
  const DataLayout& layout = variable.getDataLayout();
  SmallVector<Access> accesses;
  SmallVector<std::pair<Value*, Offset>> addresses{{&variable, {}}};
  while (!addresses.empty()) {
    auto [address, offset] = addresses.pop_back_val();
    for (Use& use : address->uses()) {
      if (auto* step = dyn_cast<GEPOperator>(use.getUser())) {
        if (auto next = advance(offset, *step, layout))
          addresses.push_back({step, std::move(*next)});
      } else if (auto bytes = accessedBytes(use, layout)) {
        accesses.push_back({&use, *bytes, offset});
      }
    }
  }
  return accesses;
}

SmallVector<AllocaInst*> privateVariables(Function& kernel) {
  SmallVector<AllocaInst*> variables;
  for (Instruction& instruction : instructions(kernel))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction))
      variables.push_back(variable);
  return variables;
}

/// An access that is known to miss.
void drop(Instruction& access) {
  if (!access.use_empty())
    access.replaceAllUsesWith(Constant::getNullValue(access.getType()));
  access.eraseFromParent();
}

/// The accesses of one array, rewritten.
class Bounder {
public:
  Bounder(AllocaInst& variable, uint64_t size, ScalarEvolution& ranges)
      : variable_(variable), size_(size), ranges_(ranges), layout_(variable.getDataLayout()) {}

  void run() {
    accesses_ = collectAccesses(variable_);
    SmallVector<Access*> unsafe;
    for (Access& access : accesses_)
      if (!isInside(access))
        unsafe.push_back(&access);
    if (unsafe.empty())
      return;
    chooseUnit();
    grow(unsafe);
    for (Access* access : unsafe)
      rewrite(*access);
  }

private:
  bool isInside(const Access& access) {
    if (access.bytes > size_)
      return false;
    ConstantRange range(APInt(64, access.offset.fixed, /*isSigned=*/true));
    for (auto& [index, scale] : access.offset.variable) {
      const SCEV* extended = ranges_.getTruncateOrSignExtend(
          ranges_.getSCEV(index), layout_.getIndexType(index->getContext(), 0));
      range = range.add(ranges_.getSignedRange(extended).multiply(ConstantRange(scale)));
    }
    return range.getSignedMin().sge(0) &&
           range.getSignedMax().sle(static_cast<int64_t>(size_ - access.bytes));
  }

  /// The largest power of two up to 8 that divides every offset and size: what one element is.
  void chooseUnit() {
    uint64_t common = size_ | 8;
    for (const Access& access : accesses_) {
      common |= access.bytes | static_cast<uint64_t>(access.offset.fixed);
      for (auto& [index, scale] : access.offset.variable)
        common |= scale.getZExtValue();
    }
    unit_ = common & -common;
  }

  /// Behind the array come as many spare elements as the largest load or store takes.
  void grow(ArrayRef<Access*> unsafe) {
    uint64_t spare = 0;
    for (const Access* access : unsafe)
      if (!isa<MemIntrinsic>(access->instruction()))
        spare = std::max(spare, access->bytes / unit_);
    LLVMContext& context = variable_.getContext();
    element_ = IntegerType::get(context, unit_ * 8);
    for (const Access* access : unsafe)
      if (auto* load = dyn_cast<LoadInst>(&access->instruction()))
        if (!load->getType()->isVectorTy() && access->bytes == unit_ &&
            layout_.getTypeAllocSize(load->getType()) == unit_)
          element_ = load->getType();
    IRBuilder<> builder(&variable_);
    grown_ = builder.CreateAlloca(ArrayType::get(element_, size_ / unit_ + spare));
    grown_->setAlignment(variable_.getAlign());
    grown_->takeName(&variable_);
    variable_.replaceAllUsesWith(grown_);
    variable_.eraseFromParent();
  }

  /// Index of the access in elements.
  Value* indexOf(const Access& access, IRBuilder<>& builder) {
    Type* i64 = builder.getInt64Ty();
    Value* index = nullptr;
    for (auto& [variable, scale] : access.offset.variable) {
      // An index may itself be a load that was bounded since the accesses were collected.
      Value* bounded = boundedLoads_.lookup(variable);
      Value* term = builder.CreateSExtOrTrunc(bounded ? bounded : variable, i64);
      if (int64_t steps = scale.getSExtValue() / static_cast<int64_t>(unit_); steps != 1)
        term = builder.CreateMul(term, builder.getInt64(steps));
      index = index ? builder.CreateAdd(index, term) : term;
    }
    Value* fixed = builder.getInt64(access.offset.fixed / static_cast<int64_t>(unit_));
    return index ? builder.CreateAdd(index, fixed) : fixed;
  }

  void rewrite(const Access& access) {
    Instruction& instruction = access.instruction();
    IRBuilder<> builder(&instruction);
    uint64_t count = size_ / unit_;
    uint64_t needed = access.bytes / unit_;
    Value* index = indexOf(access, builder);
    Value* isInside = needed > count
                          ? builder.getFalse()
                          : builder.CreateICmpULE(index, builder.getInt64(count - needed));
    Value* bounded = builder.CreateSelect(isInside, index, builder.getInt64(count));
    access.pointer->set(builder.CreateInBoundsGEP(element_, grown_, bounded));
    if (auto* block = dyn_cast<MemIntrinsic>(&instruction)) {
      block->setLength(builder.CreateSelect(isInside, block->getLength(),
                                            Constant::getNullValue(block->getLength()->getType())));
    } else if (isa<LoadInst>(instruction)) {
      builder.SetInsertPoint(instruction.getNextNode());
      Value* value = builder.CreateSelect(isInside, &instruction,
                                          Constant::getNullValue(instruction.getType()));
      instruction.replaceUsesWithIf(value, [&](Use& use) { return use.getUser() != value; });
      boundedLoads_[&instruction] = value;
    }
  }

  AllocaInst& variable_;
  uint64_t size_;
  ScalarEvolution& ranges_;
  const DataLayout& layout_;
  SmallVector<Access> accesses_;
  DenseMap<Value*, Value*> boundedLoads_; ///< A load, and what takes its place.
  uint64_t unit_ = 1;
  Type* element_ = nullptr;
  AllocaInst* grown_ = nullptr;
};

std::optional<uint64_t> sizeOf(const AllocaInst& variable) {
  auto size = variable.getAllocationSize(variable.getDataLayout());
  return size && !size->isScalable() ? std::optional(size->getFixedValue()) : std::nullopt;
}

} // namespace

void dropFixedAccessesOutOfBounds(Function& kernel) {
  for (AllocaInst* variable : privateVariables(kernel)) {
    SmallVector<Access> accesses = collectAccesses(*variable);
    SmallSetVector<Instruction*, 4> missing;
    for (const Access& access : accesses)
      if (access.offset.variable.empty() &&
          (access.offset.fixed < 0 ||
           access.bytes + static_cast<uint64_t>(access.offset.fixed) > sizeOf(*variable)))
        missing.insert(&access.instruction());
    for (Instruction* access : missing)
      drop(*access);
  }
}

void boundPrivateAccesses(Function& kernel) {
  FunctionAnalyses analyses;
  auto& ranges = analyses.manager().getResult<ScalarEvolutionAnalysis>(kernel);
  for (AllocaInst* variable : privateVariables(kernel))
    if (auto size = sizeOf(*variable))
      Bounder(*variable, *size, ranges).run();
}

} // namespace metalloid::air
