// SPDX-License-Identifier: Apache-2.0
// An endless kernel can be stopped. In: SIMD-group functions or their driver. Out: the same, with a
// counter in each loop whose number of iterations nobody can compute, and a call of the run time
// when it runs out. It stands after vectorisation, where a loop is one loop for 32 threads and the
// counter is one scalar register.
#include "cpu/poll_loops.h"

#include <cstddef>

#include "cpu/analyses.h"
#include "cpu/launch.h"
#include "cpu/thread_form.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace metalloid::cpu {
namespace {

bool mayNotEnd(const Loop& loop, ScalarEvolution& evolution) {
  return isa<SCEVCouldNotCompute>(evolution.getSymbolicMaxBackedgeTakenCount(&loop));
}

Value* loadPointer(IRBuilder<>& builder, Value* base, uint64_t offset) {
  Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
  return builder.CreateLoad(builder.getPtrTy(), address);
}

// The block that asks the run time: on to `proceed`, or to the function's end.
BasicBlock* createPoll(Function& function, BasicBlock* proceed) {
  auto* poll = BasicBlock::Create(function.getContext(), "poll", &function);
  auto* giveUp = BasicBlock::Create(function.getContext(), "give.up", &function);
  IRBuilder<> builder(poll);
  Value* worker = function.getArg(WorkerParam);
  Value* services = loadPointer(builder, worker, offsetof(Worker, services));
  Value* interrupted = loadPointer(builder, services, offsetof(Services, interrupted));
  auto* type = FunctionType::get(builder.getInt1Ty(), {builder.getPtrTy()}, false);
  CallInst* answer = builder.CreateCall(type, interrupted, {worker});
  answer->setDoesNotThrow();
  answer->addRetAttr(Attribute::ZExt);
  builder.CreateCondBr(answer, giveUp, proceed);
  builder.SetInsertPoint(giveUp);
  builder.CreateRetVoid();
  return poll;
}

// Splits the only back edge: latch -> check -> header, with the poll beside it once in a while.
void pollBackEdge(Loop& loop, uint32_t interval) {
  BasicBlock* header = loop.getHeader();
  BasicBlock* latch = loop.getLoopLatch();
  Function& function = *header->getParent();
  BasicBlock* check = SplitEdge(latch, header);
  Type* word = Type::getInt32Ty(function.getContext());
  PHINode* left = PHINode::Create(word, 2, "until.poll", header->begin());
  for (BasicBlock* before : predecessors(header))
    left->addIncoming(ConstantInt::get(word, interval), before);

  BasicBlock* again = SplitBlock(check, check->getTerminator());
  check->getTerminator()->eraseFromParent();
  IRBuilder<> builder(check);
  Value* less = builder.CreateSub(left, builder.getInt32(1));
  BasicBlock* poll = createPoll(function, again);
  builder.CreateCondBr(builder.CreateIsNull(less), poll, again,
                       MDBuilder(function.getContext()).createUnlikelyBranchWeights());
  IRBuilder<> merge(again, again->begin());
  PHINode* next = merge.CreatePHI(word, 2);
  next->addIncoming(less, check);
  next->addIncoming(ConstantInt::get(word, interval), poll);
  left->setIncomingValueForBlock(again, next);
}

} // namespace

bool pollLoops(Function& function, uint32_t interval) {
  Analyses analyses;
  auto& loops = analyses.functions().getResult<LoopAnalysis>(function);
  auto& evolution = analyses.functions().getResult<ScalarEvolutionAnalysis>(function);
  SmallVector<Loop*> endless;
  for (Loop* loop : loops.getLoopsInPreorder())
    if (loop->getLoopLatch() && mayNotEnd(*loop, evolution))
      endless.push_back(loop);
  for (Loop* loop : endless)
    pollBackEdge(*loop, interval);
  return !endless.empty();
}

} // namespace metalloid::cpu
