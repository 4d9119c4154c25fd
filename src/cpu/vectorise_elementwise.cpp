// SPDX-License-Identifier: Apache-2.0
// Operations that act on every lane by itself: arithmetic, comparisons, addresses, intrinsics.
#include "cpu/vectoriser.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace metalloid::cpu {

/// One scalar operation for all lanes: a Uniform value, or lane 0's of a Pattern.
void Vectoriser::emitScalar(Instruction& instruction) {
  Shape shape = shapes.of(&instruction);
  if (const LaneNumbers* numbers = shapes.constants(&instruction)) {
    scalars[&instruction] = ConstantInt::getSigned(instruction.getType(), (*numbers)[0]);
    return;
  }
  if (shapes.isAddition(instruction)) {
    scalars[&instruction] =
        build.CreateAdd(scalar(instruction.getOperand(0)), scalar(instruction.getOperand(1)),
                        instruction.getName());
  } else {
    Instruction* copy = instruction.clone();
    copy->dropUnknownNonDebugMetadata();
    bool allUniform = true;
    for (Use& use : copy->operands()) {
      allUniform &= shapes.of(use.get()).isUniform();
      use.set(scalar(use.get()));
    }
    if (!allUniform) // lane 0 may be idle, and break what the flags promise
      copy->dropPoisonGeneratingAnnotations();
    scalars[&instruction] = build.Insert(copy, instruction.getName());
  }
  if (!shape.conditional)
    return;
  Value* holds = build.getTrue();
  for (Value* operand : instruction.operands())
    if (Value* needed = condition(operand); needed != holds)
      holds = isa<Constant>(holds) ? needed : build.CreateAnd(holds, needed);
  if (isa<ZExtInst, SExtInst>(instruction) &&
      !shapes.extendsExactly(instruction.getOperand(0), isa<SExtInst>(instruction))) {
    Value* fits = conditionOfExtension(instruction.getOperand(0), isa<SExtInst>(instruction));
    holds = isa<Constant>(holds) ? fits : build.CreateAnd(holds, fits);
  }
  conditions[&instruction] = holds;
}

void Vectoriser::emitVarying(Instruction& instruction) {
  if (shapes.constants(&instruction))
    return; // lanes() makes the constant vector
  if (auto* extract = dyn_cast<ExtractValueInst>(&instruction)) {
    auto found = aggregates.find(extract->getAggregateOperand());
    if (found == aggregates.end() || extract->getNumIndices() != 1) {
      fail("a part of an aggregate that differs between lanes");
      return;
    }
    return setLanes(instruction, found->second[extract->getIndices()[0]]);
  }
  if (!VectorType::isValidElementType(instruction.getType())) {
    fail("a value that is neither scalar nor uniform");
    return;
  }
  if (auto* operation = dyn_cast<BinaryOperator>(&instruction);
      operation && operation->isIntDivRem())
    return setLanes(instruction, divide(*operation));
  if (auto* pointer = dyn_cast<GetElementPtrInst>(&instruction))
    return setLanes(instruction, address(*pointer));
  if (auto* select = dyn_cast<SelectInst>(&instruction);
      select && shapes.of(select->getCondition()).isUniform()) {
    Value* which = scalar(select->getCondition());
    Parts yes = lanes(select->getTrueValue()), no = lanes(select->getFalseValue());
    return setLanes(instruction, build.each([&](unsigned part) {
      return build.CreateSelect(which, yes[part], no[part]);
    }));
  }
  SmallVector<Parts, 3> operands;
  for (Value* operand : instruction.operands())
    operands.push_back(lanes(operand));
  Type* type = build.vectorOf(instruction.getType());
  setLanes(instruction, build.each([&](unsigned part) -> Value* {
    auto operand = [&](unsigned index) { return operands[index][part]; };
    Value* result = nullptr;
    if (auto* binary = dyn_cast<BinaryOperator>(&instruction))
      result = build.CreateBinOp(binary->getOpcode(), operand(0), operand(1));
    else if (auto* unary = dyn_cast<UnaryOperator>(&instruction))
      result = build.CreateUnOp(unary->getOpcode(), operand(0));
    else if (auto* compare = dyn_cast<CmpInst>(&instruction))
      result = build.CreateCmp(compare->getPredicate(), operand(0), operand(1));
    else if (auto* cast = dyn_cast<CastInst>(&instruction))
      result = build.CreateCast(cast->getOpcode(), operand(0), type);
    else if (isa<SelectInst>(instruction))
      result = build.CreateSelect(operand(0), operand(1), operand(2));
    else if (isa<FreezeInst>(instruction))
      result = build.CreateFreeze(operand(0));
    else
      return fail("instruction", type);
    if (auto* made = dyn_cast<Instruction>(result))
      made->copyIRFlags(&instruction);
    return result;
  }));
}

/// Idle lanes divide by one. Divisions of up to 32 bits go through double (up to 11 bits: float),
/// where the quotient of two such integers, rounded down, is exact: no hardware divides vectors of
/// integers.
Parts Vectoriser::divide(BinaryOperator& operation) {
  Parts dividends = lanes(operation.getOperand(0)), divisors = lanes(operation.getOperand(1));
  bool isConstant = isa<Constant>(operation.getOperand(1));
  if (!mask->full && !isConstant)
    divisors =
        build.select(mask->lanes, divisors, build.splat(ConstantInt::get(operation.getType(), 1)));
  unsigned width = operation.getType()->getScalarSizeInBits(), opcode = operation.getOpcode();
  if (isConstant || width > 32)
    return build.each([&](unsigned part) {
      return build.CreateBinOp(operation.getOpcode(), dividends[part], divisors[part]);
    });
  bool isSigned = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  bool isQuotient = opcode == Instruction::SDiv || opcode == Instruction::UDiv;
  Type* real = build.vectorOf(width <= 11 ? build.getFloatTy() : build.getDoubleTy());
  Type* word = build.vectorOf(build.getInt32Ty());
  auto toReal = isSigned ? Instruction::SIToFP : Instruction::UIToFP;
  auto toWord = isSigned || width < 32 ? Instruction::FPToSI : Instruction::FPToUI;
  return build.each([&](unsigned part) -> Value* {
    Value* a = build.CreateCast(toReal, dividends[part], real);
    Value* b = build.CreateCast(toReal, divisors[part], real);
    Value* quotient = build.CreateTrunc(build.CreateCast(toWord, build.CreateFDiv(a, b), word),
                                        dividends[part]->getType());
    if (isQuotient)
      return quotient;
    return build.CreateSub(dividends[part], build.CreateMul(quotient, divisors[part]));
  });
}

Parts Vectoriser::address(GetElementPtrInst& address) {
  Value* pointer = address.getPointerOperand();
  bool uniformBase = shapes.of(pointer).isUniform();
  Parts pointers = uniformBase ? Parts(build.count, scalar(pointer)) : lanes(pointer);
  SmallVector<Parts, 4> indices;
  for (Value* index : address.indices())
    indices.push_back(shapes.of(index).isUniform() ? Parts(build.count, scalar(index))
                                                   : lanes(index));
  Parts result = build.each([&](unsigned part) {
    SmallVector<Value*, 4> here;
    for (const Parts& index : indices)
      here.push_back(index[part]);
    return build.CreateGEP(address.getSourceElementType(), pointers[part], here);
  });
  bool isScalar = !result[0]->getType()->isVectorTy();
  return isScalar ? build.splat(result[0]) : result;
}

void Vectoriser::emitCall(CallBase& call) {
  Function* callee = call.getCalledFunction();
  if (!callee) {
    fail("an indirect call");
    return;
  }
  Intrinsic::ID id = callee->getIntrinsicID();
  if (id == Intrinsic::assume || id == Intrinsic::experimental_noalias_scope_decl)
    return;
  if (std::optional<air::PrimitiveCall> primitive = air::parsePrimitive(callee->getName())) {
    if (primitive->kind == air::Primitive::SimdgroupBarrier)
      return; // lanes are in step, and their memory operations in order
    return emitExchange(call, *primitive);
  }
  if (call.mayReadOrWriteMemory() || call.isConvergent()) {
    fail("call of '" + callee->getName() + "'");
    return;
  }
  if (shapes.of(&call).isScalar())
    return emitScalar(call);
  bool isOverflow = isa<WithOverflowInst>(call);
  if (!id || (!isTriviallyVectorizable(id) && !isOverflow))
    return callPerLane(call);

  SmallVector<Parts, 4> arguments;
  for (unsigned index = 0; index < call.arg_size(); ++index) {
    Value* argument = call.getArgOperand(index);
    bool staysScalar = isVectorIntrinsicWithScalarOpAtArg(id, index, nullptr);
    arguments.push_back(staysScalar ? Parts(build.count, scalar(argument)) : lanes(argument));
  }
  auto* fields = dyn_cast<StructType>(call.getType());
  Parts results = build.each([&](unsigned part) {
    SmallVector<Type*, 4> overloads;
    if (isOverflow || isVectorIntrinsicWithOverloadTypeAtArg(id, -1, nullptr))
      overloads.push_back(build.vectorOf(fields ? fields->getElementType(0) : call.getType()));
    SmallVector<Value*, 4> here;
    for (unsigned index = 0; index < arguments.size(); ++index) {
      here.push_back(arguments[index][part]);
      if (!isOverflow && isVectorIntrinsicWithOverloadTypeAtArg(id, index, nullptr))
        overloads.push_back(here.back()->getType());
    }
    CallInst* made =
        build.CreateCall(Intrinsic::getOrInsertDeclaration(from.getParent(), id, overloads), here);
    if (isa<FPMathOperator>(made) && isa<FPMathOperator>(call))
      made->copyFastMathFlags(&call);
    return made;
  });
  if (!fields)
    return setLanes(call, results);
  auto& taken = aggregates[&call];
  for (unsigned field = 0; field < fields->getNumElements(); ++field)
    taken.push_back(
        build.each([&](unsigned part) { return build.CreateExtractValue(results[part], field); }));
}

/// A function without memory and without a vector form: one call a lane.
void Vectoriser::callPerLane(CallBase& call) {
  if (!VectorType::isValidElementType(call.getType())) {
    fail("call of '" + call.getCalledFunction()->getName() + "'");
    return;
  }
  SmallVector<Parts, 4> arguments;
  for (Value* argument : call.args())
    arguments.push_back(shapes.of(argument).isUniform() ? Parts() : lanes(argument));
  setLanes(call, build.gathered(call.getType(), [&](unsigned lane) -> Value* {
    SmallVector<Value*, 4> here;
    for (auto [values, argument] : zip(arguments, call.args()))
      here.push_back(values.empty() ? scalar(argument) : build.extract(values, lane));
    return build.CreateCall(call.getCalledFunction(), here);
  }));
}

} // namespace metalloid::cpu
