// SPDX-License-Identifier: Apache-2.0
// In:  structurised thread form: what one thread does.
// Out: SIMD-group form: what its 32 threads do, step by step, in vectors of `chunk` lanes.
// Why: the SIMD-group is Metal's own vector; following all of a function with masks keeps divergent
//      and barrier-heavy kernels in vector code, which loop vectorising cannot.
// A step of the thread form becomes one step of all lanes before the next begins, so lanes see each
// other's memory operations in program order, as in lockstep.
#include "cpu/vectoriser.h"

#include "cpu/target_hooks.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

Function* declareSimdForm(Function& scalar, unsigned chunk) {
  SmallVector<Type*, 12> parameters(scalar.getFunctionType()->params());
  parameters.push_back(Type::getInt32Ty(scalar.getContext()));
  auto* type = FunctionType::get(Type::getVoidTy(scalar.getContext()), parameters, false);
  auto* simd = Function::Create(type, GlobalValue::InternalLinkage, scalar.getName() + ".simd",
                                scalar.getParent());
  for (StringRef name : {"target-cpu", "target-features", "denormal-fp-math",
                         "denormal-fp-math-f32", "frame-pointer"})
    if (Attribute attribute = scalar.getFnAttribute(name); attribute.isValid())
      simd->addFnAttr(attribute);
  simd->setDoesNotThrow();
  allowVectorWidth(*simd, chunk);
  simd->setSubprogram(scalar.getSubprogram());
  return simd;
}

/// An index narrower than a pointer is sign-extended by its user; say so, to reason about it.
void widenIndices(Function& thread) {
  for (BasicBlock& block : thread)
    for (Instruction& instruction : block) {
      auto* address = dyn_cast<GetElementPtrInst>(&instruction);
      if (!address)
        continue;
      IRBuilder<> builder(address);
      auto it = gep_type_begin(*address);
      for (Use& index : address->indices()) {
        bool inStruct = it.isStruct();
        ++it;
        if (!inStruct && index->getType()->isIntegerTy() && !index->getType()->isIntegerTy(64))
          index.set(builder.CreateSExtOrTrunc(index.get(), builder.getInt64Ty()));
      }
    }
}

} // namespace

Vectoriser::Vectoriser(Function& scalar, const VectoriseOptions& options,
                       const DivergencePlan& plan)
    : from(scalar), to(declareSimdForm(scalar, options.chunk)), options(options), plan(plan),
      layout(scalar.getDataLayout()), shapes(scalar, options.shape, plan), groups(scalar, shapes),
      build(scalar.getContext(), options.chunk, TargetHooks::of(scalar)) {}

Expected<Function*> Vectoriser::run() {
  for (auto [theirs, ours] : zip(from.args(), to->args())) {
    scalars[&theirs] = &ours;
    ours.setName(theirs.getName());
  }
  to->getArg(to->arg_size() - 1)->setName("live");
  emitPrologue();

  ReversePostOrderTraversal<Function*> order(&from);
  for (BasicBlock* block : order)
    firstBlock[block] = BasicBlock::Create(to->getContext(), block->getName(), to);
  build.CreateCondBr(build.CreateIsNotNull(to->getArg(to->arg_size() - 1)),
                     firstBlock[&from.getEntryBlock()], nobody);

  for (BasicBlock* block : order) {
    enterBlock(*block);
    for (Instruction& instruction : *block) {
      if (isa<PHINode>(instruction))
        continue;
      build.SetCurrentDebugLocation(instruction.getDebugLoc());
      if (instruction.isTerminator())
        emitTerminator(instruction);
      else
        emit(instruction);
      if (!failure.empty()) {
        std::string text = failure;
        raw_string_ostream(text) << ":" << instruction;
        to->setSubprogram(nullptr);
        to->eraseFromParent();
        return createStringError("vectorise: " + from.getName() + ": " + text);
      }
    }
    lastBlock[block] = build.GetInsertBlock();
  }
  finishPhis();
  finishLoopMasks();
  from.deleteBody();
  return to;
}

Value* Vectoriser::fail(const Twine& what, Type* type) {
  if (failure.empty())
    failure = what.str();
  return type ? PoisonValue::get(type) : nullptr;
}

Value* Vectoriser::scalar(const Value* value) {
  if (isa<Constant>(value))
    return const_cast<Value*>(value);
  if (Value* found = scalars.lookup(value))
    return found;
  return fail("a varying value where one for all lanes is needed", value->getType());
}

Parts Vectoriser::lanes(const Value* value) {
  Shape shape = shapes.of(value);
  if (const LaneNumbers* numbers = shapes.constants(value))
    return build.constants(value->getType(), *numbers);
  if (shape.isUniform())
    return build.splat(scalar(value));
  if (shape.isPattern() && !shape.conditional)
    return build.plus(scalar(value), shapes.offsets(shape));
  if (shape.isPattern()) {
    Value* base = scalar(value);
    Parts differences = laneDifferences(value);
    Parts bases = base->getType()->isPointerTy() ? Parts(build.count, base) : build.splat(base);
    return build.each([&](unsigned part) {
      return base->getType()->isPointerTy()
                 ? build.CreateGEP(build.getInt8Ty(), bases[part], differences[part])
                 : build.CreateAdd(bases[part], differences[part]);
    });
  }
  auto found = vectors.find(value);
  if (found != vectors.end())
    return found->second;
  Value* poison = fail("no lanes of a value", VectorType::isValidElementType(value->getType())
                                                  ? build.vectorOf(value->getType())
                                                  : build.vectorOf(build.getInt32Ty()));
  return Parts(build.count, poison);
}

/// The exact differences of a Pattern's lanes to lane 0, also where its condition does not hold.
Parts Vectoriser::laneDifferences(const Value* value) {
  Shape shape = shapes.of(value);
  Type* type = value->getType()->isPointerTy() ? build.getInt64Ty() : value->getType();
  if (!shape.conditional)
    return build.constants(type, shapes.offsets(shape));
  auto* instruction = cast<Instruction>(value);
  auto of = [&](unsigned index) { return laneDifferences(instruction->getOperand(index)); };
  auto combine = [&](Instruction::BinaryOps operation, const Parts& a, const Parts& b) {
    return build.each([&](unsigned p) { return build.CreateBinOp(operation, a[p], b[p]); });
  };
  switch (instruction->getOpcode()) {
  case Instruction::ZExt:
  case Instruction::SExt: {
    auto& extension = *cast<CastInst>(instruction);
    Parts wide = build.cast(extension.getOpcode(), lanes(extension.getOperand(0)), type);
    return combine(Instruction::Sub, wide, build.splat(scalar(value)));
  }
  case Instruction::Trunc:
    return build.cast(Instruction::Trunc, of(0), type);
  case Instruction::Add:
  case Instruction::Or:
    return combine(Instruction::Add, of(0), of(1));
  case Instruction::Sub:
    return combine(Instruction::Sub, of(0), of(1));
  case Instruction::Mul:
  case Instruction::Shl:
    return combine(cast<BinaryOperator>(instruction)->getOpcode(), of(0),
                   build.splat(scalar(instruction->getOperand(1))));
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::Freeze:
    return of(0);
  case Instruction::PHI:
    return laneDifferences(ShapeAnalysis::loopEntryValue(*cast<PHINode>(instruction), plan));
  case Instruction::Select: {
    Value* which = scalar(instruction->getOperand(0));
    Parts yes = of(1), no = of(2);
    return build.each([&](unsigned p) { return build.CreateSelect(which, yes[p], no[p]); });
  }
  case Instruction::GetElementPtr: {
    Parts sum = of(0);
    auto& address = *cast<GetElementPtrInst>(instruction);
    for (auto it = gep_type_begin(address), end = gep_type_end(address); it != end; ++it) {
      if (it.isStruct() || shapes.of(it.getOperand()).isUniform())
        continue;
      Value* stride = build.getInt64(it.getSequentialElementStride(layout).getFixedValue());
      sum =
          combine(Instruction::Add, sum,
                  combine(Instruction::Mul, laneDifferences(it.getOperand()), build.splat(stride)));
    }
    return sum;
  }
  default:
    fail("differences between lanes");
    return Parts(build.count, PoisonValue::get(build.vectorOf(type)));
  }
}

Value* Vectoriser::condition(const Value* value) {
  if (!shapes.of(value).conditional)
    return build.getTrue();
  Value* found = conditions.lookup(value);
  return found ? found : build.getTrue();
}

/// At run time: lane 0's `value` plus every lane's difference and every number from `least` to
/// `most` stays within the type.
Value* Vectoriser::conditionOfExtension(const Value* value, bool isSigned, int64_t least,
                                        int64_t most) {
  const LaneNumbers& numbers = shapes.offsets(shapes.of(value));
  auto [smallest, largest] = std::minmax_element(numbers.begin(), numbers.end());
  int64_t low = *smallest + least, high = *largest + most;
  Type* type = value->getType();
  unsigned width = type->getIntegerBitWidth();
  if (low > 0)
    low = 0;
  if (high < 0)
    high = 0;
  if (uint64_t(high) - uint64_t(low) >= uint64_t(1) << (width - 1))
    return build.getFalse();
  Value* base = scalar(value);
  if (isSigned) // move the least signed number to zero
    base = build.CreateXor(base, ConstantInt::get(type, APInt::getSignMask(width)));
  Value* lowest = build.CreateAdd(base, ConstantInt::getSigned(type, low));
  APInt limit = APInt::getMaxValue(width) - (uint64_t(high) - uint64_t(low));
  return build.CreateAnd(build.CreateICmpULE(lowest, ConstantInt::get(type, limit)),
                         build.CreateICmpULE(lowest, base));
}

void Vectoriser::setScalar(const Instruction& instruction, Value* value) {
  Shape shape = shapes.of(&instruction);
  if (shape.isScalar())
    scalars[&instruction] = value;
  else
    vectors[&instruction] = build.splat(value);
}

void Vectoriser::setLanes(const Instruction& instruction, Parts values) {
  if (shapes.of(&instruction).isScalar())
    scalars[&instruction] = build.extract(values, 0u);
  else
    vectors[&instruction] = std::move(values);
}

void Vectoriser::emit(Instruction& instruction) {
  if (instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd())
    return;
  if (StringRef name = threadFormName(&instruction); !name.empty()) {
    auto& call = cast<CallBase>(instruction);
    if (name == ThreadgroupBarrier)
      return emitBarrier(call);
    if (name == Returned)
      return emitReturned(call);
    if (name.starts_with(MatrixFmaPrefix))
      return emitMatrixFma(call);
    return emitId(call, name);
  }
  if (instruction.isAtomic())
    return emitAtomic(instruction);
  if (emitInGroup(instruction))
    return;
  if (auto* load = dyn_cast<LoadInst>(&instruction))
    return emitLoad(*load);
  if (auto* store = dyn_cast<StoreInst>(&instruction))
    return emitStore(*store);
  if (auto* memory = dyn_cast<MemIntrinsic>(&instruction))
    return emitMemoryIntrinsic(*memory);
  if (auto* call = dyn_cast<CallBase>(&instruction))
    return emitCall(*call);
  if (instruction.mayReadOrWriteMemory() || isa<AllocaInst>(instruction)) {
    fail("instruction");
    return;
  }
  if (shapes.of(&instruction).isScalar())
    return emitScalar(instruction);
  emitVarying(instruction);
}

Expected<Function*> vectorise(Function& scalar, const VectoriseOptions& options) {
  widenIndices(scalar);
  DivergencePlan plan(scalar, options.shape);
  if (Error error = plan.check())
    return std::move(error);
  return Vectoriser(scalar, options, plan).run();
}

} // namespace metalloid::cpu
