// SPDX-License-Identifier: Apache-2.0
// A kernel with threadgroup barriers becomes barrier-free functions. In: thread form, scalar and
// simplified. Out: one thread-form function a region, and the graph that says which runs after
// which; the driver runs each for all SIMD-groups before it goes on. Values that a later region
// needs travel in one of three ways, the cheapest that is right: uniform values as parameters,
// values equal within a SIMD-group as one word each in scratch, the rest as one word a thread.
// It stands before vectorisation, because a barrier in vector code would need a stack to switch.
#include "cpu/split_regions.h"

#include "cpu/llvm_error.h"
#include "cpu/recompute.h"
#include "cpu/region_cuts.h"
#include "cpu/region_values.h"
#include "cpu/uniformity.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace metalloid::cpu {
namespace {

/// Builds the function of one region.
class RegionExtractor {
public:
  RegionExtractor(Function& thread, const RegionCuts& cuts, RegionValues& values, unsigned index)
      : thread_(thread), values_(values), index_(index), blocks_(cuts.blocksOf(index)),
        builder_(thread.getContext()) {
    std::vector<const Cut*> after = cuts.cutsAfter(index);
    if (!after.empty())
      cut_ = after.front();
  }

  Region extract() {
    chooseParameters();
    createFunction();
    loadValues();
    cloneBlocks();
    storeValues();
    promote();
    return std::move(region_);
  }

  /// After extract(): what was saved as uniform is uniform in the region's own code too.
  Error proveUniform() const { return values_.proveUniform(*function_, mustBeUniform_); }

private:
  void chooseParameters() {
    for (BasicBlock* block : blocks_)
      region_.finishesThreads |= cut_ && isa<ReturnInst>(block->getTerminator());
    if (cut_)
      for (unsigned start : cut_->starts)
        region_.next.push_back(start);
    if (cut_ && cut_->condition)
      region_.condition = values_.conditionOf(*cut_);
    for (const SavedValue& value : values_.saved()) {
      RegionUse use = values_.useIn(index_, value);
      if (value.kind == SavedValue::Uniform) {
        if (use.reads)
          region_.parameters.push_back({RegionParameter::UniformIn, value.index});
        if (use.writes)
          region_.parameters.push_back({RegionParameter::UniformOut, value.index});
      } else if (use.reads || use.writes) {
        region_.parameters.push_back({RegionParameter::Array, value.index});
      }
    }
    for (const PrivateArray& array : values_.privateArrays())
      if (array.inScratch && values_.uses(index_, array))
        region_.parameters.push_back({RegionParameter::Array, array.index});
    if (region_.finishesThreads)
      region_.parameters.push_back({RegionParameter::LiveOut, 0});
  }

  void createFunction() {
    SmallVector<Type*> types(thread_.getFunctionType()->params());
    for (const RegionParameter& parameter : region_.parameters)
      types.push_back(parameter.kind == RegionParameter::UniformIn
                          ? values_.uniformTypes()[parameter.index]
                          : builder_.getPtrTy());
    auto* type = FunctionType::get(builder_.getVoidTy(), types, false);
    function_ =
        Function::Create(type, GlobalValue::InternalLinkage,
                         thread_.getName() + ".region" + Twine(index_), thread_.getParent());
    function_->copyAttributesFrom(&thread_);
    for (Argument& argument : thread_.args()) {
      Argument* own = function_->getArg(argument.getArgNo());
      own->setName(argument.getName());
      map_[&argument] = own;
    }
    for (auto [index, parameter] : enumerate(region_.parameters))
      arguments_[{parameter.kind, parameter.index}] = function_->getArg(thread_.arg_size() + index);
    region_.function = function_;
    builder_.SetInsertPoint(BasicBlock::Create(thread_.getContext(), "entry", function_));
  }

  Value* parameter(RegionParameter::Kind kind, uint32_t index) {
    return arguments_.lookup({kind, index});
  }

  // Each saved value lives in a variable of the region, which promote() makes a register.
  void loadValues() {
    for (const SavedValue& value : values_.saved()) {
      RegionUse use = values_.useIn(index_, value);
      if (!use.touches)
        continue;
      AllocaInst* local = builder_.CreateAlloca(value.type, nullptr, value.variable->getName());
      map_[value.variable] = local;
      locals_.push_back(local);
      if (use.reads)
        builder_.CreateStore(load(value), local);
    }
    for (const PrivateArray& array : values_.privateArrays())
      if (values_.uses(index_, array))
        map_[array.call] =
            array.inScratch ? inScratch(array) : builder_.Insert(array.call->clone());
  }

  Value* inScratch(const PrivateArray& array) {
    Value* simdgroup =
        builder_.CreateZExt(function_->getArg(SimdgroupParam), builder_.getInt64Ty());
    Value* offset = builder_.CreateMul(simdgroup, builder_.getInt64(array.bytes), "", true, true);
    return builder_.CreateInBoundsGEP(builder_.getInt8Ty(),
                                      parameter(RegionParameter::Array, array.index), offset);
  }

  // Where this thread's, or this SIMD-group's, copy of an array's value lies.
  Value* address(const SavedValue& value) {
    Value* index = function_->getArg(SimdgroupParam);
    if (value.kind == SavedValue::PerThread)
      index = builder_.CreateCall(threadFormFunction(*thread_.getParent(), ThreadIndex));
    return builder_.CreateInBoundsGEP(storedType(value.type),
                                      parameter(RegionParameter::Array, value.index),
                                      builder_.CreateZExt(index, builder_.getInt64Ty()));
  }

  Value* load(const SavedValue& value) {
    Value* stored = value.kind == SavedValue::Uniform
                        ? parameter(RegionParameter::UniformIn, value.index)
                        : builder_.CreateLoad(storedType(value.type), address(value));
    return fromStored(builder_, stored, value.type);
  }

  void cloneBlocks() {
    leave_ = BasicBlock::Create(thread_.getContext(), "leave", function_);
    finish_ = BasicBlock::Create(thread_.getContext(), "finish", function_);
    SmallVector<BasicBlock*> clones;
    for (BasicBlock* block : blocks_) {
      auto* clone = BasicBlock::Create(thread_.getContext(), block->getName(), function_, leave_);
      map_[block] = clone;
      clones.push_back(clone);
    }
    if (cut_)
      map_[cut_->block] = leave_;
    for (auto [block, clone] : zip(blocks_, clones))
      for (Instruction& instruction : *block)
        if (!isa<AllocaInst>(instruction) && threadFormName(&instruction) != PrivateBlock)
          cloneInstruction(instruction, *clone);
    for (BasicBlock* clone : clones)
      for (Instruction& instruction : *clone)
        remap(instruction);
    builder_.CreateBr(clones.front());
  }

  void cloneInstruction(Instruction& instruction, BasicBlock& into) {
    if (isa<ReturnInst>(instruction)) {
      BranchInst::Create(finish_, &into);
      return;
    }
    Instruction* clone = instruction.clone();
    clone->insertInto(&into, into.end());
    clone->setName(instruction.getName());
    map_[&instruction] = clone;
  }

  void remap(Instruction& instruction) {
    if (auto* phi = dyn_cast<PHINode>(&instruction))
      for (int edge = phi->getNumIncomingValues() - 1; edge >= 0; edge--)
        if (!map_.count(phi->getIncomingBlock(edge)))
          phi->removeIncomingValue(edge, /*DeletePHIIfEmpty=*/false);
    RemapInstruction(&instruction, map_, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  }

  // On the way to the cut, new values are saved; a thread that finished has none to save.
  void storeValues() {
    builder_.SetInsertPoint(leave_);
    for (const SavedValue& value : values_.saved()) {
      if (!values_.useIn(index_, value).writes)
        continue;
      Value* current = builder_.CreateLoad(value.type, map_.lookup(value.variable));
      Value* stored = toStored(builder_, current, value.type);
      Value* place = value.kind == SavedValue::Uniform
                         ? parameter(RegionParameter::UniformOut, value.index)
                         : address(value);
      StoreInst* store = builder_.CreateStore(stored, place);
      if (value.kind != SavedValue::PerThread)
        mustBeUniform_.push_back({store, value.kind});
    }
    builder_.CreateBr(finish_);
    builder_.SetInsertPoint(finish_);
    if (region_.finishesThreads)
      storeLiveMask();
    builder_.CreateRetVoid();
    if (!cut_)
      leave_->eraseFromParent();
  }

  // Bit l says whether lane l came through the cut.
  void storeLiveMask() {
    PHINode* goesOn = builder_.CreatePHI(builder_.getInt1Ty(), 4, "goes.on");
    for (BasicBlock* before : predecessors(finish_))
      goesOn->addIncoming(builder_.getInt1(before == leave_), before);
    Value* mask = builder_.CreateCall(ballotFunction(*thread_.getParent()), {goesOn});
    builder_.CreateStore(builder_.CreateTrunc(mask, builder_.getInt32Ty()),
                         parameter(RegionParameter::LiveOut, 0));
  }

  static FunctionCallee ballotFunction(Module& module) {
    LLVMContext& context = module.getContext();
    FunctionCallee ballot = module.getOrInsertFunction(
        "air.simd_ballot.i64", Type::getInt64Ty(context), Type::getInt1Ty(context));
    auto* function = cast<Function>(ballot.getCallee());
    function->addFnAttr(Attribute::Convergent);
    function->setDoesNotThrow();
    function->setDoesNotAccessMemory();
    return ballot;
  }

  void promote() {
    DominatorTree dominators(*function_);
    PromoteMemToReg(locals_, dominators);
  }

  Function& thread_;
  RegionValues& values_;
  unsigned index_;
  std::vector<BasicBlock*> blocks_;
  const Cut* cut_ = nullptr;
  IRBuilder<> builder_;
  Region region_;
  Function* function_ = nullptr;
  BasicBlock* leave_ = nullptr;
  BasicBlock* finish_ = nullptr;
  ValueToValueMapTy map_;
  SmallVector<AllocaInst*> locals_;
  DenseMap<std::pair<unsigned, unsigned>, Value*> arguments_;
  /// Stores whose value was taken to be equal for all threads of a threadgroup or SIMD-group.
  SmallVector<std::pair<StoreInst*, SavedValue::Kind>> mustBeUniform_;
};

} // namespace

Expected<Regions> splitRegions(Function& thread, const ThreadgroupShape& shape) {
  shareInductions(thread, Uniformity(thread, shape, UniformScope::Threadgroup));
  Expected<RegionCuts> cuts = cutAtBarriers(thread, shape);
  if (!cuts)
    return cuts.takeError();
  RegionValues values(thread, shape, *cuts);
  Regions result;
  for (unsigned index = 0; index < cuts->starts.size(); index++) {
    RegionExtractor extractor(thread, *cuts, values, index);
    result.regions.push_back(extractor.extract());
    if (Error error = extractor.proveUniform()) {
      for (Region& region : result.regions)
        region.function->eraseFromParent();
      return std::move(error);
    }
    result.tracksLive |= result.regions.back().finishesThreads;
  }
  values.layOut(result);
  thread.deleteBody();
  return result;
}

} // namespace metalloid::cpu
