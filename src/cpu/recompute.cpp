// SPDX-License-Identifier: Apache-2.0
// Fewer values to carry from one region to the next. In: thread form with the places of its cuts
// known. Out: the same code, in which ids, addresses and index arithmetic are computed anew in each
// region that uses them, and per-thread induction variables are split into a per-thread start and a
// uniform sum. A saved value comes back as an opaque vector; a recomputed one comes back with its
// shape, and a load from it stays a load and not a gather (an eightfold difference on matrix
// tiles).
#include "cpu/recompute.h"

#include "cpu/thread_form.h"
#include "cpu/uniformity.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace metalloid::cpu {

SmallPtrSet<BasicBlock*, 8> liveInBlocks(Instruction& value) {
  SmallPtrSet<BasicBlock*, 8> live;
  SmallVector<BasicBlock*> work;
  for (Use& use : value.uses()) {
    auto* user = cast<Instruction>(use.getUser());
    auto* phi = dyn_cast<PHINode>(user);
    BasicBlock* block = phi ? phi->getIncomingBlock(use) : user->getParent();
    if (block != value.getParent())
      work.push_back(block);
  }
  while (!work.empty()) {
    BasicBlock* block = work.pop_back_val();
    if (!live.insert(block).second)
      continue;
    for (BasicBlock* before : predecessors(block))
      if (before != value.getParent())
        work.push_back(before);
  }
  return live;
}

namespace {

constexpr unsigned MaxChain = 24;

bool holdsBarrier(const Loop& loop) {
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block)
      if (threadFormName(&instruction) == ThreadgroupBarrier)
        return true;
  return false;
}

// What `next` adds to `phi`, as additions all of whose amounts are uniform; empty where it is not
// such a sum. Outermost addition first.
SmallVector<Instruction*> uniformSteps(PHINode& phi, Value* next, const Uniformity& uniformity) {
  SmallVector<Instruction*> steps;
  while (next != &phi) {
    auto* step = dyn_cast<Instruction>(next);
    if (!step || steps.size() == MaxChain)
      return {};
    if (auto* element = dyn_cast<GetElementPtrInst>(step)) {
      if (element->getNumIndices() != 1 || !uniformity.isUniform(element->getOperand(1)))
        return {};
      next = element->getPointerOperand();
    } else if (step->getOpcode() == Instruction::Add) {
      bool first = uniformity.isUniform(step->getOperand(0));
      if (!first && !uniformity.isUniform(step->getOperand(1)))
        return {};
      next = step->getOperand(first ? 1 : 0);
    } else {
      return {};
    }
    steps.push_back(step);
  }
  return steps;
}

Value* stepAmount(IRBuilder<>& builder, Instruction& step, Type* type,
                  const Uniformity& uniformity) {
  auto* element = dyn_cast<GetElementPtrInst>(&step);
  if (!element)
    return step.getOperand(uniformity.isUniform(step.getOperand(0)) ? 0 : 1);
  const DataLayout& layout = step.getDataLayout();
  uint64_t size = layout.getTypeAllocSize(element->getSourceElementType());
  Value* index = builder.CreateSExtOrTrunc(element->getOperand(1), type);
  return builder.CreateMul(index, ConstantInt::get(type, size));
}

void shareInduction(PHINode& phi, Loop& loop, const Uniformity& uniformity) {
  BasicBlock* preheader = loop.getLoopPreheader();
  BasicBlock* latch = loop.getLoopLatch();
  bool pointer = phi.getType()->isPointerTy();
  if (uniformity.isUniform(&phi) || !(pointer || phi.getType()->isIntegerTy()))
    return;
  SmallVector<Instruction*> steps =
      uniformSteps(phi, phi.getIncomingValueForBlock(latch), uniformity);
  if (steps.empty())
    return;
  Type* type = pointer ? Type::getInt64Ty(phi.getContext()) : phi.getType();
  PHINode* sum = PHINode::Create(type, 2, phi.getName() + ".sum", phi.getIterator());
  Value* next = sum;
  for (Instruction* step : reverse(steps)) {
    IRBuilder<> builder(step);
    next = builder.CreateAdd(next, stepAmount(builder, *step, type, uniformity));
  }
  sum->addIncoming(ConstantInt::get(type, 0), preheader);
  sum->addIncoming(next, latch);
  IRBuilder<> builder(&*phi.getParent()->getFirstInsertionPt());
  Value* start = phi.getIncomingValueForBlock(preheader);
  Value* value =
      pointer ? builder.CreateGEP(builder.getInt8Ty(), start, sum) : builder.CreateAdd(start, sum);
  phi.replaceAllUsesWith(value);
  phi.eraseFromParent();
}

/// Decides which values are cheap to compute again, and does it.
class Recomputer {
public:
  explicit Recomputer(const DenseSet<Value*>& uniform) : uniform_(uniform) {}

  // Uniform values are given; so is the block of a private array.
  bool isLeaf(Value* value) const {
    return isa<Constant, Argument>(value) || uniform_.contains(value) ||
           threadFormName(value) == PrivateBlock;
  }

  bool isCheap(Value* value, unsigned depth = 0) {
    if (isLeaf(value))
      return true;
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || depth > MaxChain || !isCheapOperation(*instruction))
      return false;
    if (auto known = cheap_.find(value); known != cheap_.end())
      return known->second;
    bool result = all_of(operandsOf(*instruction),
                         [&](Value* operand) { return isCheap(operand, depth + 1); });
    return cheap_[value] = result;
  }

  /// `value` computed before `user`; shared with earlier users in the same block.
  Value* repeat(Value* value, Instruction& user) {
    if (isLeaf(value) || cast<Instruction>(value)->getParent() == user.getParent())
      return value;
    Value*& copy = copies_[value];
    if (copy)
      return copy;
    auto* original = cast<Instruction>(value);
    SmallVector<Value*> operands;
    for (Value* operand : operandsOf(*original))
      operands.push_back(repeat(operand, user));
    Instruction* clone = original->clone();
    for (auto [index, operand] : enumerate(operands))
      clone->setOperand(index, operand);
    clone->insertBefore(user.getIterator());
    return copies_[value] = clone;
  }

  void startBlock() { copies_.clear(); }

private:
  static iterator_range<User::op_iterator> operandsOf(Instruction& instruction) {
    if (auto* call = dyn_cast<CallBase>(&instruction))
      return call->args();
    return instruction.operands();
  }

  static bool isCheapOperation(Instruction& instruction) {
    if (auto* call = dyn_cast<CallBase>(&instruction))
      return isId(threadFormName(call)) || isMinOrMax(*call);
    if (instruction.getType()->isFloatingPointTy() || instruction.isIntDivRem())
      return false;
    return isa<BinaryOperator, CastInst, GetElementPtrInst, ICmpInst, SelectInst>(instruction);
  }

  static bool isId(StringRef name) {
    return is_contained({LaneId, ThreadIndex, ThreadX, ThreadY, ThreadZ, GridX, GridY, GridZ},
                        name);
  }

  static bool isMinOrMax(CallBase& call) { return isa<MinMaxIntrinsic>(call); }

  const DenseSet<Value*>& uniform_;
  DenseMap<Value*, bool> cheap_;
  DenseMap<Value*, Value*> copies_;
};

} // namespace

void shareInductions(Function& thread, const Uniformity& uniformity) {
  DominatorTree dominators(thread);
  LoopInfo loops(dominators);
  for (Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->getLoopPreheader() || !loop->getLoopLatch() || !holdsBarrier(*loop))
      continue;
    SmallVector<PHINode*> phis;
    for (PHINode& phi : loop->getHeader()->phis())
      phis.push_back(&phi);
    for (PHINode* phi : phis)
      shareInduction(*phi, *loop, uniformity);
  }
}

void recomputeAcross(Function& thread, const SmallPtrSetImpl<BasicBlock*>& starts,
                     const DenseSet<Value*>& isUniform) {
  Recomputer recomputer(isUniform);
  DenseSet<Value*> crossing;
  for (Instruction& instruction : instructions(thread))
    if (!instruction.getType()->isVoidTy() && !recomputer.isLeaf(&instruction) &&
        recomputer.isCheap(&instruction))
      if (any_of(liveInBlocks(instruction), [&](BasicBlock* b) { return starts.contains(b); }))
        crossing.insert(&instruction);
  for (BasicBlock& block : thread) {
    recomputer.startBlock();
    for (Instruction& user : make_early_inc_range(block)) {
      if (isa<PHINode>(user))
        continue;
      for (Use& use : user.operands())
        if (crossing.contains(use.get()))
          use.set(recomputer.repeat(use.get(), user));
    }
    for (BasicBlock* after : successors(&block))
      for (PHINode& phi : after->phis())
        for (unsigned edge = 0; edge < phi.getNumIncomingValues(); edge++)
          if (phi.getIncomingBlock(edge) == &block && crossing.contains(phi.getIncomingValue(edge)))
            phi.setIncomingValue(
                edge, recomputer.repeat(phi.getIncomingValue(edge), *block.getTerminator()));
  }
  SmallVector<WeakTrackingVH> dead(crossing.begin(), crossing.end());
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
}

} // namespace metalloid::cpu
