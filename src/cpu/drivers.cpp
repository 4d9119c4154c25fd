// SPDX-License-Identifier: Apache-2.0
// The function that the run time calls: loops over threadgroups and SIMD-groups around the
// vectorised kernel. For a kernel cut into regions it mirrors the kernel's uniform control flow,
// each region being a loop over the SIMD-groups. It comes after vectorisation, as plain scalar
// code, and LLVM inlines the kernel into it.
#include "cpu/drivers.h"

#include <cstddef>

#include "cpu/built_ins.h"
#include "cpu/generate.h"
#include "cpu/launch.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace metalloid::cpu {
namespace {

/// What every driver has: the entry's frame and its loop over threadgroups.
class DriverBuilder {
public:
  DriverBuilder(Module& module, const ThreadgroupShape& shape)
      : shape_(shape), builder_(module.getContext()) {
    Type* pointer = builder_.getPtrTy();
    Type* count = builder_.getInt64Ty();
    auto* type = FunctionType::get(builder_.getVoidTy(), {pointer, pointer, count, count}, false);
    driver_ = Function::Create(type, GlobalValue::ExternalLinkage, EntryName, module);
    driver_->setDoesNotThrow();
    driver_->addParamAttr(0, Attribute::NoAlias); // Nothing writes a Launch while it runs.
    driver_->addParamAttr(0, Attribute::ReadOnly);
    launch_ = driver_->getArg(0);
    worker_ = driver_->getArg(1);
    builder_.SetInsertPoint(newBlock("entry"));
    memory_ = loadWorkerPointer(offsetof(Worker, threadgroupMemory), "memory");
    simdgroups_ = simdgroupsPerThreadgroup(builder_, launch_, shape_);
  }

protected:
  BasicBlock* newBlock(const Twine& name) {
    return BasicBlock::Create(builder_.getContext(), name, driver_);
  }

  void callPart(Function& part, ArrayRef<Value*> arguments) {
    takeSubprogram(part);
    builder_.CreateCall(&part, arguments);
  }

  /// The parts are inlined into the driver, which is what a debugger finds: it stands for the
  /// source's function. A subprogram belongs to one function, so nobody else keeps it.
  void takeSubprogram(const Function& part) {
    if (driver_->getSubprogram())
      return;
    for (const Instruction& instruction : instructions(part))
      if (const DebugLoc& location = instruction.getDebugLoc()) {
        DISubprogram* source = cast<DILocalScope>(location.getInlinedAtScope())->getSubprogram();
        for (Function& other : *driver_->getParent())
          if (other.getSubprogram() == source)
            other.setSubprogram(nullptr);
        return driver_->setSubprogram(source);
      }
  }

  Value* loadWorkerPointer(uint64_t offset, const Twine& name) {
    Value* address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), worker_, offset);
    return builder_.CreateLoad(builder_.getPtrTy(), address, name);
  }

  Value* loadBoxWord(uint64_t offset, unsigned axis) {
    return loadLaunchWord(builder_, launch_, offset + 4 * axis);
  }

  /// Runs `body` for threadgroups [first, first + count) of the box; `body` sees their positions in
  /// the grid in group_ and leaves the builder where the next one may begin.
  void forEachThreadgroup(function_ref<void()> body) {
    Value* first = driver_->getArg(2);
    Value* count = driver_->getArg(3);
    Value* extent[2];
    Value* origin[3];
    for (unsigned axis = 0; axis < 2; axis++)
      extent[axis] = loadBoxWord(offsetof(Launch, boxThreadgroups), axis);
    for (unsigned axis = 0; axis < 3; axis++)
      origin[axis] = loadBoxWord(offsetof(Launch, firstThreadgroup), axis);
    BasicBlock* before = newBlock("position");
    BasicBlock* loop = newBlock("threadgroup");
    BasicBlock* done = newBlock("done");
    builder_.CreateCondBr(builder_.CreateIsNotNull(count), before, done);

    builder_.SetInsertPoint(before);
    Value* wide[2] = {builder_.CreateZExt(extent[0], builder_.getInt64Ty()),
                      builder_.CreateZExt(extent[1], builder_.getInt64Ty())};
    Value* rows = builder_.CreateUDiv(first, wide[0]);
    Value* start[3] = {word(builder_.CreateURem(first, wide[0])),
                       word(builder_.CreateURem(rows, wide[1])),
                       word(builder_.CreateUDiv(rows, wide[1]))};
    builder_.CreateBr(loop);

    builder_.SetInsertPoint(loop);
    PHINode* left = builder_.CreatePHI(builder_.getInt64Ty(), 2, "left");
    PHINode* position[3];
    for (unsigned axis = 0; axis < 3; axis++)
      position[axis] = builder_.CreatePHI(builder_.getInt32Ty(), 2, "position");
    for (unsigned axis = 0; axis < 3; axis++)
      group_[axis] = builder_.CreateAdd(position[axis], origin[axis]);
    body();

    Value* next[3];
    Value* carry = builder_.getTrue();
    for (unsigned axis = 0; axis < 3; axis++) {
      next[axis] =
          builder_.CreateAdd(position[axis], builder_.CreateZExt(carry, builder_.getInt32Ty()));
      if (axis == 2)
        break;
      carry = builder_.CreateICmpEQ(next[axis], extent[axis]);
      next[axis] = builder_.CreateSelect(carry, builder_.getInt32(0), next[axis]);
    }
    Value* rest = builder_.CreateSub(left, builder_.getInt64(1));
    BasicBlock* latch = builder_.GetInsertBlock();
    builder_.CreateCondBr(builder_.CreateIsNotNull(rest), loop, done);
    left->addIncoming(count, before);
    left->addIncoming(rest, latch);
    for (unsigned axis = 0; axis < 3; axis++) {
      position[axis]->addIncoming(start[axis], before);
      position[axis]->addIncoming(next[axis], latch);
    }
    builder_.SetInsertPoint(done);
    builder_.CreateRetVoid();
  }

  /// Runs `body` with each SIMD-group's index, in order.
  void forEachSimdgroup(function_ref<void(Value*)> body) {
    if (auto* fixed = dyn_cast<ConstantInt>(simdgroups_); fixed && fixed->isOne()) {
      body(builder_.getInt32(0));
      return;
    }
    BasicBlock* before = builder_.GetInsertBlock();
    BasicBlock* loop = newBlock("simdgroup");
    BasicBlock* after = newBlock("simdgroups.done");
    builder_.CreateBr(loop);
    builder_.SetInsertPoint(loop);
    PHINode* index = builder_.CreatePHI(builder_.getInt32Ty(), 2, "simdgroup");
    body(index);
    Value* next = builder_.CreateAdd(index, builder_.getInt32(1), "", true, true);
    index->addIncoming(builder_.getInt32(0), before);
    index->addIncoming(next, builder_.GetInsertBlock());
    builder_.CreateCondBr(builder_.CreateICmpULT(next, simdgroups_), loop, after);
    builder_.SetInsertPoint(after);
  }

  /// The mask of threads that exist in SIMD-group `simdgroup`.
  Value* existingLanes(Value* simdgroup) {
    Value* all = builder_.getInt32(~0u);
    if (shape_.isFixed() && shape_.total() % SimdWidth == 0)
      return all;
    Value* total = builder_.getInt32(1);
    for (unsigned axis = 0; axis < 3; axis++)
      total = builder_.CreateMul(total, threadsPerThreadgroup(builder_, launch_, shape_, axis));
    Value* width = builder_.getInt32(SimdWidth);
    Value* left = builder_.CreateSub(total, builder_.CreateMul(simdgroup, width));
    left = builder_.CreateBinaryIntrinsic(Intrinsic::umin, left, width);
    return builder_.CreateLShr(all, builder_.CreateSub(width, left));
  }

  SmallVector<Value*> threadFormArguments(Value* simdgroup) {
    return {launch_, worker_, simdgroup, memory_, group_[0], group_[1], group_[2]};
  }

  Value* word(Value* value) { return builder_.CreateTrunc(value, builder_.getInt32Ty()); }

  const ThreadgroupShape& shape_;
  IRBuilder<> builder_;
  Function* driver_;
  Value* launch_;
  Value* worker_;
  Value* memory_;
  Value* simdgroups_; ///< SIMD-groups per threadgroup.
  Value* group_[3];   ///< Position of the current threadgroup in the grid.
};

class WholeDriver : DriverBuilder {
public:
  using DriverBuilder::DriverBuilder;

  Function* build(Function& simd, bool fibers) {
    auto call = [&](Value* simdgroup) {
      SmallVector<Value*> arguments = threadFormArguments(simdgroup);
      arguments.push_back(existingLanes(simdgroup));
      callPart(simd, arguments);
    };
    forEachThreadgroup([&] {
      if (!fibers)
        return forEachSimdgroup(call);
      Value* address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), worker_,
                                                           offsetof(Worker, simdgroup));
      call(builder_.CreateLoad(builder_.getInt32Ty(), address, "simdgroup"));
    });
    return driver_;
  }
};

class RegionDriver : DriverBuilder {
public:
  RegionDriver(const Regions& regions, const ThreadgroupShape& shape)
      : DriverBuilder(*regions.regions.front().function->getParent(), shape), regions_(regions) {}

  Function* build() {
    allocateUniforms();
    locateArrays();
    forEachThreadgroup([&] { threadgroup(); });
    return driver_;
  }

private:
  // A uniform has two places: what the current region reads, and what it writes; the SIMD-groups
  // that come later in the same region must still read the old value.
  void allocateUniforms() {
    for (Type* type : regions_.uniforms) {
      current_.push_back(builder_.CreateAlloca(type, nullptr, "uniform"));
      next_.push_back(builder_.CreateAlloca(type, nullptr, "uniform.next"));
    }
  }

  void locateArrays() {
    if (regions_.scratchBytesPerSimdgroup == 0)
      return;
    scratch_ = loadWorkerPointer(offsetof(Worker, scratch), "scratch");
    for (uint32_t offset : regions_.arrayOffsets)
      arrays_.push_back(inScratch(offset));
    if (regions_.tracksLive)
      live_ = inScratch(regions_.liveOffset);
  }

  Value* inScratch(uint32_t offsetPerSimdgroup) {
    Value* bytes = builder_.CreateMul(simdgroups_, builder_.getInt32(offsetPerSimdgroup));
    return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), scratch_,
                                      builder_.CreateZExt(bytes, builder_.getInt64Ty()));
  }

  Value* liveSlot(Value* simdgroup) {
    return builder_.CreateInBoundsGEP(builder_.getInt32Ty(), live_,
                                      builder_.CreateZExt(simdgroup, builder_.getInt64Ty()));
  }

  void threadgroup() {
    if (regions_.tracksLive)
      forEachSimdgroup([&](Value* simdgroup) {
        builder_.CreateStore(existingLanes(simdgroup), liveSlot(simdgroup));
      });
    SmallVector<BasicBlock*> starts;
    for (size_t index = 0; index < regions_.regions.size(); index++)
      starts.push_back(newBlock("region" + Twine(index)));
    BasicBlock* end = newBlock("threadgroup.done");
    builder_.CreateBr(starts.front());
    for (auto [index, region] : enumerate(regions_.regions)) {
      builder_.SetInsertPoint(starts[index]);
      runRegion(region, end);
      goOn(region, starts, end);
    }
    builder_.SetInsertPoint(end);
  }

  // Leaves the builder where all SIMD-groups have run the region and its new values are current.
  void runRegion(const Region& region, BasicBlock* end) {
    if (region.finishesThreads)
      runFinishing(region, end);
    else
      forEachSimdgroup([&](Value* simdgroup) { runLive(region, simdgroup); });
    for (const RegionParameter& parameter : region.parameters)
      if (parameter.kind == RegionParameter::UniformOut)
        builder_.CreateStore(
            builder_.CreateLoad(regions_.uniforms[parameter.index], next_[parameter.index]),
            current_[parameter.index]);
  }

  // As above, where threads may finish: when none is left the threadgroup ends, because the
  // region's uniform values were then not computed by anyone.
  void runFinishing(const Region& region, BasicBlock* end) {
    Value* anyLeft = builder_.CreateAlloca(builder_.getInt32Ty(), nullptr, "any.left");
    cast<AllocaInst>(anyLeft)->moveBefore(driver_->getEntryBlock().getFirstInsertionPt());
    builder_.CreateStore(builder_.getInt32(0), anyLeft);
    forEachSimdgroup([&](Value* simdgroup) {
      runLive(region, simdgroup);
      Value* live = builder_.CreateLoad(builder_.getInt32Ty(), liveSlot(simdgroup));
      Value* sofar = builder_.CreateLoad(builder_.getInt32Ty(), anyLeft);
      builder_.CreateStore(builder_.CreateOr(sofar, live), anyLeft);
    });
    BasicBlock* proceed = newBlock("live");
    Value* left = builder_.CreateLoad(builder_.getInt32Ty(), anyLeft);
    builder_.CreateCondBr(builder_.CreateIsNotNull(left), proceed, end);
    builder_.SetInsertPoint(proceed);
  }

  // Calls the region for one SIMD-group, unless all of its threads have finished.
  void runLive(const Region& region, Value* simdgroup) {
    if (!regions_.tracksLive)
      return call(region, simdgroup, existingLanes(simdgroup));
    Value* live = builder_.CreateLoad(builder_.getInt32Ty(), liveSlot(simdgroup), "live");
    BasicBlock* run = newBlock("run");
    BasicBlock* skip = newBlock("next");
    builder_.CreateCondBr(builder_.CreateIsNotNull(live), run, skip);
    builder_.SetInsertPoint(run);
    call(region, simdgroup, live);
    builder_.CreateBr(skip);
    builder_.SetInsertPoint(skip);
  }

  void call(const Region& region, Value* simdgroup, Value* live) {
    SmallVector<Value*> arguments = threadFormArguments(simdgroup);
    for (const RegionParameter& parameter : region.parameters)
      arguments.push_back(argument(parameter, simdgroup));
    arguments.push_back(live);
    callPart(*region.function, arguments);
  }

  Value* argument(const RegionParameter& parameter, Value* simdgroup) {
    switch (parameter.kind) {
    case RegionParameter::UniformIn:
      return builder_.CreateLoad(regions_.uniforms[parameter.index], current_[parameter.index]);
    case RegionParameter::UniformOut:
      return next_[parameter.index];
    case RegionParameter::Array:
      return arrays_[parameter.index];
    case RegionParameter::LiveOut:
      return liveSlot(simdgroup);
    }
    llvm_unreachable("all kinds of region parameters handled");
  }

  void goOn(const Region& region, ArrayRef<BasicBlock*> starts, BasicBlock* end) {
    if (region.next.empty())
      builder_.CreateBr(end);
    else if (region.condition < 0)
      builder_.CreateBr(starts[region.next[0]]);
    else {
      Value* condition =
          builder_.CreateLoad(regions_.uniforms[region.condition], current_[region.condition]);
      builder_.CreateCondBr(builder_.CreateIsNotNull(condition), starts[region.next[0]],
                            starts[region.next[1]]);
    }
  }

  const Regions& regions_;
  Value* scratch_ = nullptr;
  Value* live_ = nullptr;
  SmallVector<AllocaInst*> current_, next_;
  SmallVector<Value*> arrays_;
};

} // namespace

Function* buildDriver(Function& simd, const ThreadgroupShape& shape, bool fibers) {
  return WholeDriver(*simd.getParent(), shape).build(simd, fibers);
}

Function* buildRegionDriver(const Regions& regions, const ThreadgroupShape& shape) {
  return RegionDriver(regions, shape).build();
}

} // namespace metalloid::cpu
