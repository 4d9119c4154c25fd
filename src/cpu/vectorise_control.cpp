// SPDX-License-Identifier: Apache-2.0
// Masks and control flow: branches that do not diverge stay jumps; a divergent if jumps around its
// then-part when no lane takes it; a divergent loop runs while any lane is in it, and lanes that
// have left keep their last values in phis of its header.
#include "cpu/launch.h"
#include "cpu/vectoriser.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace metalloid::cpu {

void Vectoriser::emitPrologue() {
  LLVMContext& context = to->getContext();
  build.SetInsertPoint(BasicBlock::Create(context, "lanes", to));
  nobody = BasicBlock::Create(context, "nobody", to);
  ReturnInst::Create(context, nobody);
  Mask& entry = masks[&from.getEntryBlock()];
  entry.full = options.allLanesExist;
  if (!entry.full)
    entry.lanes = build.fromBits(to->getArg(to->arg_size() - 1));
  Function* returned = from.getParent()->getFunction(Returned);
  if (returned && any_of(returned->users(), [&](User* user) {
        return cast<Instruction>(user)->getFunction() == &from;
      })) {
    returnedLanes = build.stack(build.getInt32Ty(), Align(4));
    build.CreateStore(build.getInt32(0), returnedLanes);
  }
}

Mask Vectoriser::maskOnEntry(BasicBlock& block) {
  if (&block == &from.getEntryBlock())
    return masks[&block];
  if (plan.divergentLoopHeadedBy(&block)) {
    auto* type = build.vectorOf(build.getInt1Ty());
    Parts phis = build.each([&](unsigned) { return build.CreatePHI(type, 2, "in.loop"); });
    loopMasks[&block] = phis;
    return {false, phis};
  }
  if (const DivergentIf* entered = plan.ifEnteredBy(&block))
    return thenMasks[entered->head];
  BasicBlock* above = plan.dominators().getNode(&block)->getIDom()->getBlock();
  if (Loop* left = plan.outermostDivergentLoop(above, &block))
    above = left->getLoopPreheader();
  return masks[above];
}

void Vectoriser::enterBlock(BasicBlock& block) {
  build.SetInsertPoint(firstBlock[&block]);
  build.SetCurrentDebugLocation(DebugLoc());
  Mask entry = maskOnEntry(block);
  masks[&block] = std::move(entry);
  beginPhis(block);
  mask = &masks[&block];
}

void Vectoriser::beginPhis(BasicBlock& block) {
  if (Loop* loop = plan.divergentLoopHeadedBy(&block))
    for (PHINode& out : loop->getExitBlock()->phis())
      if (shapes.of(&out).isVarying())
        liveOuts[&out].soFar = build.each([&](unsigned) {
          return build.CreatePHI(build.vectorOf(out.getType()), 2, out.getName());
        });
  for (PHINode& phi : block.phis()) {
    phis.push_back(&phi);
    Shape shape = shapes.of(&phi);
    unsigned incoming = phi.getNumIncomingValues();
    if (shape.isScalar()) {
      scalars[&phi] = build.CreatePHI(phi.getType(), incoming, phi.getName());
      if (const Value* entry = ShapeAnalysis::loopEntryValue(phi, plan); shape.conditional && entry)
        conditions[&phi] = condition(entry);
    } else if (!VectorType::isValidElementType(phi.getType())) {
      fail("a phi of an aggregate that differs between lanes");
    } else {
      vectors[&phi] = build.each([&](unsigned) {
        return build.CreatePHI(build.vectorOf(phi.getType()), incoming, phi.getName());
      });
    }
  }
}

void Vectoriser::emitTerminator(Instruction& terminator) {
  BasicBlock* block = terminator.getParent();
  auto* branch = dyn_cast<BranchInst>(&terminator);
  if (branch && branch->isConditional()) {
    if (const DivergentIf* divergent = plan.ifHeadedBy(block))
      return emitDivergentIf(*divergent, branch->getCondition());
    if (Loop* loop = plan.divergentLoopClosedBy(block))
      return emitLoopEnd(*loop, *branch);
  }
  Instruction* copy = terminator.clone();
  for (unsigned index = 0; index < copy->getNumOperands(); ++index) {
    Value* operand = copy->getOperand(index);
    auto* target = dyn_cast<BasicBlock>(operand);
    copy->setOperand(index, target ? firstBlock[target] : scalar(operand));
  }
  build.Insert(copy);
}

void Vectoriser::emitDivergentIf(const DivergentIf& branch, Value* condition) {
  Parts taken = lanes(condition);
  if (!branch.thenOnTrue)
    for (Value*& part : taken)
      part = build.CreateNot(part);
  Mask then = build.both(*mask, taken);
  Value* some = build.any(then.lanes);
  thenMasks[branch.head] = std::move(then);
  build.CreateCondBr(some, firstBlock[branch.then], firstBlock[branch.join]);
}

void Vectoriser::emitLoopEnd(Loop& loop, BranchInst& branch) {
  BasicBlock* latch = branch.getParent();
  BasicBlock* exit = loop.getExitBlock();
  for (PHINode& out : exit->phis()) {
    if (!shapes.of(&out).isVarying())
      continue;
    LiveOut& liveOut = liveOuts[&out];
    Parts now = lanes(out.getIncomingValueForBlock(latch));
    liveOut.final = mask->full ? now : build.select(mask->lanes, now, liveOut.soFar);
    for (unsigned part = 0; part < build.count; ++part)
      cast<PHINode>(liveOut.soFar[part])->addIncoming(liveOut.final[part], build.GetInsertBlock());
  }
  Parts stays = lanes(branch.getCondition());
  if (branch.getSuccessor(0) != loop.getHeader())
    for (Value*& part : stays)
      part = build.CreateNot(part);
  Mask next = build.both(*mask, stays);
  const Parts& phis = loopMasks[loop.getHeader()];
  for (unsigned part = 0; part < build.count; ++part)
    cast<PHINode>(phis[part])->addIncoming(next.lanes[part], build.GetInsertBlock());
  build.CreateCondBr(build.any(next.lanes), firstBlock[loop.getHeader()], firstBlock[exit]);
}

/// The lanes that `phi` gets from its incoming block `index`; emitted at that block's end.
Parts Vectoriser::incomingLanes(PHINode& phi, unsigned index) {
  if (auto liveOut = liveOuts.find(&phi); liveOut != liveOuts.end())
    return liveOut->second.final;
  Value* value = phi.getIncomingValue(index);
  const DivergentIf* joined = plan.ifJoinedBy(phi.getParent());
  if (!joined || phi.getIncomingBlock(index) != joined->end)
    return lanes(value);
  // The then-part's lanes bring its value, the others that of the branch.
  Value* other = phi.getIncomingValueForBlock(joined->head);
  if (isa<UndefValue>(other) || other == value)
    return lanes(value);
  return build.select(thenMasks[joined->head].lanes, lanes(value), lanes(other));
}

void Vectoriser::finishPhis() {
  build.SetCurrentDebugLocation(DebugLoc());
  for (PHINode* phi : phis)
    for (unsigned index = 0; index < phi->getNumIncomingValues(); ++index) {
      BasicBlock* last = lastBlock.lookup(phi->getIncomingBlock(index));
      if (!last) // cannot be reached
        continue;
      build.SetInsertPoint(last->getTerminator());
      if (shapes.of(phi).isScalar()) {
        cast<PHINode>(scalars[phi])->addIncoming(scalar(phi->getIncomingValue(index)), last);
        continue;
      }
      Parts values = incomingLanes(*phi, index);
      for (unsigned part = 0; part < build.count; ++part)
        cast<PHINode>(vectors[phi][part])->addIncoming(values[part], last);
    }
}

void Vectoriser::finishLoopMasks() {
  for (auto& [header, phis] : loopMasks) {
    BasicBlock* before = plan.loops().getLoopFor(header)->getLoopPreheader();
    BasicBlock* last = lastBlock[before];
    build.SetInsertPoint(last->getTerminator());
    Parts entering = build.lanesOf(masks[before]);
    for (unsigned part = 0; part < build.count; ++part)
      cast<PHINode>(phis[part])->addIncoming(entering[part], last);
  }
  for (auto& [out, liveOut] : liveOuts) {
    auto* first = cast<PHINode>(liveOut.soFar[0]);
    Loop* loop = plan.divergentLoopLeft(*out);
    for (Value* part : liveOut.soFar)
      cast<PHINode>(part)->addIncoming(PoisonValue::get(first->getType()),
                                       lastBlock[loop->getLoopPreheader()]);
  }
}

void Vectoriser::emitReturned(CallBase& call) {
  Value* before = build.CreateLoad(build.getInt32Ty(), returnedLanes);
  Value* now =
      build.CreateAnd(build.bits(build.lanesOf(*mask)), build.bits(lanes(call.getArgOperand(0))));
  build.CreateStore(build.CreateOr(before, now), returnedLanes);
}

/// Fibers: lanes that have neither returned nor come here are at fault; else Services::barrier.
void Vectoriser::emitBarrier(CallBase& call) {
  auto service = [&](unsigned offset) {
    Type* pointer = build.getPtrTy();
    Value* worker = to->getArg(WorkerParam);
    Value* services = build.CreateLoad(
        pointer, build.CreateConstGEP1_64(build.getInt8Ty(), worker, offsetof(Worker, services)));
    Value* function =
        build.CreateLoad(pointer, build.CreateConstGEP1_64(build.getInt8Ty(), services, offset));
    auto* type = FunctionType::get(build.getVoidTy(), {pointer, build.getInt32Ty()}, false);
    build.CreateCall(type, function, {worker, scalar(call.getArgOperand(0))});
  };
  if (!mask->full) {
    Value* expected = to->getArg(to->arg_size() - 1);
    if (returnedLanes)
      expected = build.CreateAnd(
          expected, build.CreateNot(build.CreateLoad(build.getInt32Ty(), returnedLanes)));
    Value* here = build.bits(mask->lanes);
    BasicBlock* fault = BasicBlock::Create(to->getContext(), "divergent.barrier", to);
    BasicBlock* meet = BasicBlock::Create(to->getContext(), "barrier", to);
    build.CreateCondBr(build.CreateICmpEQ(here, expected), meet, fault);
    build.SetInsertPoint(fault);
    service(offsetof(Services, divergentBarrier));
    build.CreateBr(meet);
    build.SetInsertPoint(meet);
  }
  service(offsetof(Services, barrier));
}

void Vectoriser::forEachActiveLane(function_ref<void(Value*)> body) {
  Value* all = build.bits(build.lanesOf(*mask));
  BasicBlock* before = build.GetInsertBlock();
  BasicBlock* loop = BasicBlock::Create(to->getContext(), "each.lane", to);
  BasicBlock* after = BasicBlock::Create(to->getContext(), "each.lane.end", to);
  build.CreateBr(loop); // a block runs only where some lane is active
  build.SetInsertPoint(loop);
  PHINode* left = build.CreatePHI(build.getInt32Ty(), 2);
  left->addIncoming(all, before);
  body(build.CreateZExt(build.firstLane(left), build.getInt64Ty()));
  Value* rest = build.CreateAnd(left, build.CreateSub(left, build.getInt32(1)));
  left->addIncoming(rest, build.GetInsertBlock());
  build.CreateCondBr(build.CreateIsNotNull(rest), loop, after);
  build.SetInsertPoint(after);
}

SmallVector<Parts, 2> Vectoriser::either(Value* holds, function_ref<SmallVector<Parts, 2>()> fast,
                                         function_ref<SmallVector<Parts, 2>()> slow) {
  if (auto* known = dyn_cast<ConstantInt>(holds))
    return known->isOne() ? fast() : slow();
  LLVMContext& context = to->getContext();
  BasicBlock* ifFast = BasicBlock::Create(context, "no.wrap", to);
  BasicBlock* ifSlow = BasicBlock::Create(context, "wraps", to);
  BasicBlock* after = BasicBlock::Create(context, "accessed", to);
  build.CreateCondBr(holds, ifFast, ifSlow);
  build.SetInsertPoint(ifFast);
  SmallVector<Parts, 2> a = fast();
  BasicBlock* fastEnd = build.GetInsertBlock();
  build.CreateBr(after);
  build.SetInsertPoint(ifSlow);
  SmallVector<Parts, 2> b = slow();
  BasicBlock* slowEnd = build.GetInsertBlock();
  build.CreateBr(after);
  build.SetInsertPoint(after);
  SmallVector<Parts, 2> results;
  for (auto [x, y] : zip(a, b))
    results.push_back(build.each([&](unsigned part) {
      PHINode* phi = build.CreatePHI(x[part]->getType(), 2);
      phi->addIncoming(x[part], fastEnd);
      phi->addIncoming(y[part], slowEnd);
      return phi;
    }));
  return results;
}

} // namespace metalloid::cpu
