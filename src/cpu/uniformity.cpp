// SPDX-License-Identifier: Apache-2.0
#include "cpu/uniformity.h"

#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassInstrumentation.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

bool isOneDimensional(const ThreadgroupShape& shape) {
  return shape.threads[1] == 1 && shape.threads[2] == 1;
}

/// Threads of one SIMD-group share their y (axis 1) or z (axis 2) position.
bool sharesPosition(const ThreadgroupShape& shape, unsigned axis) {
  if (isOneDimensional(shape))
    return true;
  uint32_t row = shape.threads[0];
  if (axis == 2)
    row *= shape.threads[1];
  return row && row % 32 == 0;
}

/// What an air.simd_* or air.quad_* function's result is within a SIMD-group.
InstructionUniformity ofExchange(StringRef name, const CallBase& call) {
  using Result = InstructionUniformity;
  if (!name.consume_front("simd_"))
    return Result::NeverUniform;
  if (name.starts_with("shuffle") || name.starts_with("prefix") || name.starts_with("is_first"))
    return Result::NeverUniform;
  if (name.starts_with("broadcast.") && !isa<Constant>(call.getArgOperand(1)))
    return Result::NeverUniform;
  return Result::AlwaysUniform;
}

class ThreadFormTarget final : public TargetTransformInfoImplCRTPBase<ThreadFormTarget> {
public:
  ThreadFormTarget(const DataLayout& layout, const ThreadgroupShape& shape, UniformScope scope)
      : TargetTransformInfoImplCRTPBase<ThreadFormTarget>(layout), shape(shape), scope(scope) {}

  bool hasBranchDivergence(const Function*) const override { return true; }

  InstructionUniformity getInstructionUniformity(const Value* value) const override {
    using Result = InstructionUniformity;
    if (auto* argument = dyn_cast<Argument>(value))
      return ofThreadgroup() && argument->getArgNo() == SimdgroupParam ? Result::NeverUniform
                                                                       : Result::Default;
    if (isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(value))
      return Result::NeverUniform;
    if (auto* call = dyn_cast<CallBase>(value); call && call->getCalledFunction())
      return ofCall(*call);
    return dropsLane(value) && !ofThreadgroup() ? Result::AlwaysUniform : Result::Default;
  }

private:
  const ThreadgroupShape shape;
  const UniformScope scope;

  bool ofThreadgroup() const { return scope == UniformScope::Threadgroup; }

  InstructionUniformity ofCall(const CallBase& call) const {
    using Result = InstructionUniformity;
    StringRef name = call.getCalledFunction()->getName();
    if (name.consume_front("air.")) {
      if (!name.starts_with("simd_") && !name.starts_with("quad_"))
        return Result::Default;
      return ofThreadgroup() ? Result::NeverUniform : ofExchange(name, call);
    }
    if (!name.starts_with("cpu."))
      return Result::Default;
    if (name == LaneId || name == ThreadIndex || name == ThreadX || name == GridX)
      return Result::NeverUniform;
    if (name == ThreadY || name == GridY)
      return ofAxis(1);
    if (name == ThreadZ || name == GridZ)
      return ofAxis(2);
    if (name.starts_with(MatrixFmaPrefix))
      return Result::NeverUniform;
    if (name == PrivateBlock && ofThreadgroup())
      return Result::NeverUniform;
    return Result::Default;
  }

  InstructionUniformity ofAxis(unsigned axis) const {
    using Result = InstructionUniformity;
    if (shape.threads[axis] == 1)
      return Result::Default;
    if (ofThreadgroup())
      return Result::NeverUniform;
    return sharesPosition(shape, axis) ? Result::Default : Result::NeverUniform;
  }

  /// Integer arithmetic that keeps only what the 32 lanes share: index / 32 and the like.
  bool dropsLane(const Value* value) const {
    auto* operation = dyn_cast<BinaryOperator>(value);
    auto* factor = operation ? dyn_cast<ConstantInt>(operation->getOperand(1)) : nullptr;
    if (!factor || factor->getBitWidth() > 64 ||
        !isAlignedLaneIndex(operation->getOperand(0), shape))
      return false;
    uint64_t constant = factor->getZExtValue();
    switch (operation->getOpcode()) {
    case Instruction::LShr:
      return constant >= 5 && constant < factor->getBitWidth();
    case Instruction::UDiv:
      return constant && constant % 32 == 0;
    case Instruction::And:
      return (constant & 31) == 0;
    default:
      return false;
    }
  }
};

} // namespace

bool isAlignedLaneIndex(const Value* value, const ThreadgroupShape& shape) {
  if (auto* cast = dyn_cast<CastInst>(value))
    if (isa<ZExtInst, SExtInst>(cast) ||
        (isa<TruncInst>(cast) && cast->getType()->getScalarSizeInBits() >= 16))
      value = cast->getOperand(0);
  StringRef name = threadFormName(value);
  if (name == LaneId || name == ThreadIndex)
    return true;
  uint32_t row = shape.threads[0];
  return name == ThreadX && (isOneDimensional(shape) || (row && row % 32 == 0));
}

TargetTransformInfo threadFormTarget(const DataLayout& layout, const ThreadgroupShape& shape,
                                     UniformScope scope) {
  return TargetTransformInfo(std::make_unique<ThreadFormTarget>(layout, shape, scope));
}

Uniformity::Uniformity(Function& thread, const ThreadgroupShape& shape, UniformScope scope)
    : function(thread) {
  analyses.registerPass([] { return PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return DominatorTreeAnalysis(); });
  analyses.registerPass([] { return CycleAnalysis(); });
  analyses.registerPass([&] {
    return TargetIRAnalysis([shape, scope](const Function& of) {
      return threadFormTarget(of.getDataLayout(), shape, scope);
    });
  });
  analyses.registerPass([] { return UniformityInfoAnalysis(); });
  info = &analyses.getResult<UniformityInfoAnalysis>(thread);
}

bool Uniformity::anyBranchDiverges() const {
  return any_of(function, [this](const BasicBlock& block) { return branchDiverges(block); });
}

} // namespace metalloid::cpu
