// SPDX-License-Identifier: Apache-2.0
// Atomic operations: one lane after another, but combined to one operation of the SIMD-group where
// all lanes share the address and integers allow it.
#include "cpu/vectoriser.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

using air::PrimitiveCall;
using air::ReduceOp;

/// How the lanes' operands of an atomic operation combine; None: not at all. Float additions are
/// rounded, so that they are not.
PrimitiveCall combination(AtomicRMWInst::BinOp operation) {
  PrimitiveCall call{.kind = air::Primitive::SimdReduce};
  switch (operation) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
    call.op = ReduceOp::Sum;
    break;
  case AtomicRMWInst::And:
    call.op = ReduceOp::And;
    break;
  case AtomicRMWInst::Or:
    call.op = ReduceOp::Or;
    break;
  case AtomicRMWInst::Xor:
    call.op = ReduceOp::Xor;
    break;
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMin:
    call.op = ReduceOp::Min;
    call.isSigned = operation == AtomicRMWInst::Min;
    break;
  case AtomicRMWInst::Max:
  case AtomicRMWInst::UMax:
    call.op = ReduceOp::Max;
    call.isSigned = operation == AtomicRMWInst::Max;
    break;
  default:
    break;
  }
  return call;
}

} // namespace

/// All lanes' operands in one operation on one address; false where that is not possible.
bool Vectoriser::combineAtomic(AtomicRMWInst& atomic) {
  PrimitiveCall how = combination(atomic.getOperation());
  bool isCounter = how.op == ReduceOp::Sum;
  if (how.op == ReduceOp::None || !shapes.of(atomic.getPointerOperand()).isUniform() ||
      (!atomic.use_empty() && !isCounter))
    return false;
  Parts operands =
      activeLanes(atomic.getValOperand(), neutralElement(how.op, how.isSigned, atomic.getType()));
  auto* whole = cast<AtomicRMWInst>(atomic.clone());
  whole->dropUnknownNonDebugMetadata();
  whole->setOperand(0, scalar(atomic.getPointerOperand()));
  whole->setOperand(1, reduce(how.op, how.isSigned, operands));
  build.Insert(whole);
  if (atomic.use_empty())
    return true;
  // Each lane saw what the lanes below it had added.
  how.isExclusive = true;
  Parts below = scan(how, operands, 32), start = build.splat(whole);
  bool isAdd = atomic.getOperation() == AtomicRMWInst::Add;
  setLanes(atomic, build.each([&](unsigned part) {
    return isAdd ? build.CreateAdd(start[part], below[part])
                 : build.CreateSub(start[part], below[part]);
  }));
  return true;
}

void Vectoriser::emitAtomic(Instruction& atomic) {
  if (isa<FenceInst>(atomic)) {
    build.Insert(atomic.clone());
    return;
  }
  if (auto* modify = dyn_cast<AtomicRMWInst>(&atomic); modify && combineAtomic(*modify))
    return;
  if (isa<LoadInst>(atomic) && shapes.of(atomic.getOperand(0)).isUniform()) {
    Instruction* one = atomic.clone();
    one->dropUnknownNonDebugMetadata();
    one->setOperand(0, scalar(atomic.getOperand(0)));
    return setScalar(atomic, build.Insert(one));
  }
  emitAtomicPerLane(atomic);
}

void Vectoriser::emitAtomicPerLane(Instruction& atomic) {
  SmallVector<AllocaInst*, 3> arrays;
  for (Value* operand : atomic.operands())
    arrays.push_back(shapes.of(operand).isUniform() ? nullptr : build.spill(lanes(operand)));
  // cmpxchg has two results; the flag is kept as a byte.
  SmallVector<Type*, 2> types;
  SmallVector<AllocaInst*, 2> results;
  if (!atomic.use_empty() && isa<AtomicCmpXchgInst>(atomic))
    types = {cast<StructType>(atomic.getType())->getElementType(0), build.getInt8Ty()};
  else if (!atomic.use_empty())
    types = {atomic.getType()};
  for (Type* type : types)
    results.push_back(build.stack(ArrayType::get(type, 32)));

  forEachActiveLane([&](Value* lane) {
    Instruction* copy = atomic.clone();
    copy->dropUnknownNonDebugMetadata();
    for (unsigned index = 0; index < arrays.size(); ++index) {
      Value* operand = atomic.getOperand(index);
      if (!arrays[index]) {
        copy->setOperand(index, scalar(operand));
        continue;
      }
      Value* at = build.CreateInBoundsGEP(operand->getType(), arrays[index], lane);
      copy->setOperand(index, build.CreateLoad(operand->getType(), at));
    }
    build.Insert(copy);
    for (unsigned index = 0; index < results.size(); ++index) {
      Value* result = types.size() == 1 ? copy : build.CreateExtractValue(copy, index);
      if (result->getType()->isIntegerTy(1))
        result = build.CreateZExt(result, types[index]);
      build.CreateStore(result, build.CreateInBoundsGEP(types[index], results[index], lane));
    }
  });

  if (types.size() == 1)
    return setLanes(atomic, build.reload(types[0], results[0]));
  if (types.size() == 2) {
    auto& fields = aggregates[&atomic];
    fields.push_back(build.reload(types[0], results[0]));
    fields.push_back(
        build.cast(Instruction::Trunc, build.reload(types[1], results[1]), build.getInt1Ty()));
  }
}

} // namespace metalloid::cpu
