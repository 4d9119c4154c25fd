// SPDX-License-Identifier: Apache-2.0
// LLVM's intrinsics.
#include <cstring>

#include "interp/scalar_operations.h"
#include "interp/simdgroup.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace metalloid::interp {
namespace {

/// Hints to an optimiser: nothing happens.
bool isHint(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_end:
  case Intrinsic::assume:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::donothing:
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_value:
  case Intrinsic::dbg_assign:
  case Intrinsic::dbg_label:
    return true;
  default:
    return false;
  }
}

/// How a vector's elements are put together, first to last.
std::optional<Bits> combine(Intrinsic::ID id, const Type& type, Bits a, Bits b) {
  switch (id) {
  case Intrinsic::vector_reduce_add:
    return binaryOperation(Instruction::Add, type, a, b, false);
  case Intrinsic::vector_reduce_mul:
    return binaryOperation(Instruction::Mul, type, a, b, false);
  case Intrinsic::vector_reduce_and:
    return a & b;
  case Intrinsic::vector_reduce_or:
    return a | b;
  case Intrinsic::vector_reduce_xor:
    return a ^ b;
  case Intrinsic::vector_reduce_smin:
    return intrinsicOperation(Intrinsic::smin, type, type, {a, b}, false);
  case Intrinsic::vector_reduce_smax:
    return intrinsicOperation(Intrinsic::smax, type, type, {a, b}, false);
  case Intrinsic::vector_reduce_umin:
    return intrinsicOperation(Intrinsic::umin, type, type, {a, b}, false);
  case Intrinsic::vector_reduce_umax:
    return intrinsicOperation(Intrinsic::umax, type, type, {a, b}, false);
  default:
    return std::nullopt;
  }
}

} // namespace

bool Simdgroup::intrinsic(IntrinsicInst& instruction) {
  Intrinsic::ID id = instruction.getIntrinsicID();
  if (isHint(id))
    return true;
  if (auto* block = dyn_cast<MemIntrinsic>(&instruction))
    return copyBlock(*block);
  if (auto* arithmetic = dyn_cast<WithOverflowInst>(&instruction))
    return overflow(*arithmetic);
  if (instruction.arg_size() > 0 && combine(id, *instruction.getType(), 0, 0))
    return reduceVector(instruction);

  SmallVector<Operand, 3> operands;
  SmallVector<bool, 3> isVector;
  for (const Use& argument : instruction.args()) {
    operands.push_back(operand(*argument));
    isVector.push_back(argument->getType()->isVectorTy());
  }
  if (operands.empty())
    return fail(instruction, "it uses an intrinsic that is not supported");
  const Type& from = *instruction.getArgOperand(0)->getType()->getScalarType();
  const Type& to = *instruction.getType()->getScalarType();
  bool isKnown = true;
  for (size_t i = 0, count = scalarCount(instruction); i < count; ++i)
    forLanes([&](unsigned lane) {
      SmallVector<Bits, 3> scalars;
      for (size_t k = 0; k < operands.size(); ++k)
        scalars.push_back(operands[k].at(isVector[k] ? i : 0, lane));
      auto value = intrinsicOperation(id, from, to, scalars, program_.flushDenormals());
      isKnown = isKnown && value.has_value();
      result(instruction, i)[lane] = value.value_or(0);
    });
  return isKnown || fail(instruction, "it uses the intrinsic \"" +
                                          instruction.getCalledFunction()->getName().str() +
                                          "\", which is not supported");
}

/// memcpy, memmove and memset; where one end is out of a private variable, nothing happens.
bool Simdgroup::copyBlock(MemIntrinsic& instruction) {
  Operand to = operand(*instruction.getRawDest());
  Operand length = operand(*instruction.getLength());
  Operand from = operand(*instruction.getArgOperand(1)); // the address or the byte
  forLanes([&](unsigned lane) {
    auto size = static_cast<uint64_t>(length.at(0, lane));
    std::byte* target = memory_.access(static_cast<Address>(to.at(0, lane)), size, true);
    if (isa<MemSetInst>(instruction)) {
      if (target)
        std::memset(target, static_cast<int>(from.at(0, lane)), size);
      return;
    }
    auto* source = memory_.access(static_cast<Address>(from.at(0, lane)), size, false);
    if (target && source)
      std::memmove(target, source, size);
  });
  return memoryIsFine(instruction);
}

/// {result, whether it wrapped}.
bool Simdgroup::overflow(WithOverflowInst& instruction) {
  Operand a = operand(*instruction.getLHS()), b = operand(*instruction.getRHS());
  unsigned width = widthOf(*instruction.getLHS()->getType());
  bool isSigned = instruction.isSigned();
  if (width > 32 && instruction.getBinaryOp() == Instruction::Mul && width > 63)
    return fail(instruction, "it multiplies 64-bit integers with overflow, which is not supported");
  forLanes([&](unsigned lane) {
    __int128 x = isSigned ? asSigned(a.at(0, lane), width) : static_cast<__int128>(a.at(0, lane));
    __int128 y = isSigned ? asSigned(b.at(0, lane), width) : static_cast<__int128>(b.at(0, lane));
    __int128 exact = instruction.getBinaryOp() == Instruction::Add   ? x + y
                     : instruction.getBinaryOp() == Instruction::Sub ? x - y
                                                                     : x * y;
    Bits wrapped = static_cast<Bits>(exact) & lowBits(width);
    __int128 back = isSigned ? asSigned(wrapped, width) : static_cast<__int128>(wrapped);
    result(instruction, 0)[lane] = wrapped;
    result(instruction, 1)[lane] = back != exact;
  });
  return true;
}

bool Simdgroup::reduceVector(IntrinsicInst& instruction) {
  Operand vector = operand(*instruction.getArgOperand(0));
  size_t length = scalarCount(*instruction.getArgOperand(0));
  forLanes([&](unsigned lane) {
    Bits sum = vector.at(0, lane);
    for (size_t i = 1; i < length; ++i)
      sum = *combine(instruction.getIntrinsicID(), *instruction.getType(), sum, vector.at(i, lane));
    result(instruction)[lane] = sum;
  });
  return true;
}

} // namespace metalloid::interp
