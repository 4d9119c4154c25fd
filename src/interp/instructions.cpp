// SPDX-License-Identifier: Apache-2.0
// Instructions that move or compute data.
#include <cstring>

#include "interp/scalar_operations.h"
#include "interp/simdgroup.h"

#include "llvm/IR/Operator.h"

using namespace llvm;

namespace metalloid::interp {

bool Simdgroup::compute(Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::Alloca:
    allocate(cast<AllocaInst>(instruction));
    return true;
  case Instruction::Load:
    return load(cast<LoadInst>(instruction));
  case Instruction::Store:
    return store(cast<StoreInst>(instruction));
  case Instruction::GetElementPtr:
    addressOf(cast<GetElementPtrInst>(instruction));
    return true;
  case Instruction::Select:
    select(cast<SelectInst>(instruction));
    return true;
  case Instruction::BitCast:
    bitcast(instruction);
    return true;
  case Instruction::Freeze:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    moveScalars(instruction);
    return true;
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
    moveElements(instruction);
    return true;
  case Instruction::Fence:
    return true;
  default:
    return elementwise(instruction);
  }
}

/// Arithmetic, comparisons and casts: the same for each scalar.
bool Simdgroup::elementwise(Instruction& instruction) {
  Operand a = operand(*instruction.getOperand(0));
  const Type& from = *instruction.getOperand(0)->getType()->getScalarType();
  const Type& to = *instruction.getType()->getScalarType();
  bool flush = program_.flushDenormals();
  unsigned opcode = instruction.getOpcode();
  size_t count = scalarCount(instruction);
  auto forAll = [&](auto operation) {
    for (size_t i = 0; i < count; ++i) {
      Bits* out = result(instruction, i);
      forLanes([&](unsigned lane) { out[lane] = operation(i, lane); });
    }
    return true;
  };
  if (instruction.isBinaryOp()) {
    Operand b = operand(*instruction.getOperand(1));
    return forAll([&](size_t i, unsigned lane) {
      return binaryOperation(opcode, from, a.at(i, lane), b.at(i, lane), flush);
    });
  }
  if (auto* comparison = dyn_cast<CmpInst>(&instruction)) {
    Operand b = operand(*instruction.getOperand(1));
    return forAll([&](size_t i, unsigned lane) {
      return Bits(compare(comparison->getPredicate(), from, a.at(i, lane), b.at(i, lane), flush));
    });
  }
  if (instruction.isCast())
    return forAll([&](size_t i, unsigned lane) {
      return castOperation(opcode, from, to, a.at(i, lane), flush);
    });
  if (opcode == Instruction::FNeg)
    return forAll(
        [&](size_t i, unsigned lane) { return a.at(i, lane) ^ (Bits(1) << (widthOf(to) - 1)); });
  return fail(instruction, std::string("it uses the instruction \"") + instruction.getOpcodeName() +
                               "\", which is not supported");
}

/// The same bits as scalars of other widths: the first scalar holds the lowest bits.
void Simdgroup::bitcast(Instruction& instruction) {
  Operand in = operand(*instruction.getOperand(0));
  unsigned fromWidth = widthOf(*instruction.getOperand(0)->getType()->getScalarType());
  unsigned toWidth = widthOf(*instruction.getType()->getScalarType());
  for (size_t i = 0, count = scalarCount(instruction); i < count; ++i) {
    Bits* out = result(instruction, i);
    forLanes([&](unsigned lane) {
      Bits bits = 0;
      for (unsigned have = 0; have < toWidth;) {
        size_t at = i * toWidth + have;
        unsigned shift = at % fromWidth;
        bits |= (in.at(at / fromWidth, lane) >> shift) << have;
        have += fromWidth - shift;
      }
      out[lane] = bits & lowBits(toWidth);
    });
  }
}

void Simdgroup::select(SelectInst& instruction) {
  Operand condition = operand(*instruction.getCondition());
  Operand yes = operand(*instruction.getTrueValue());
  Operand no = operand(*instruction.getFalseValue());
  bool isVector = instruction.getCondition()->getType()->isVectorTy();
  for (size_t i = 0, count = scalarCount(instruction); i < count; ++i) {
    Bits* out = result(instruction, i);
    forLanes([&](unsigned lane) {
      out[lane] = (condition.at(isVector ? i : 0, lane) & 1 ? yes : no).at(i, lane);
    });
  }
}

void Simdgroup::addressOf(GetElementPtrInst& instruction) {
  const DataLayout& layout = program_.layouts().dataLayout();
  Operand base = operand(*instruction.getPointerOperand());
  SmallMapVector<Value*, APInt, 4> variable;
  APInt fixed(64, 0);
  bool isSum = cast<GEPOperator>(instruction).collectOffset(layout, 64, variable, fixed);
  if (!isSum || instruction.getType()->isVectorTy()) {
    fail(instruction, "it computes a vector of addresses, which is not supported");
    return;
  }
  Bits* out = result(instruction);
  forLanes([&](unsigned lane) {
    out[lane] = static_cast<uint64_t>(base.at(0, lane)) + fixed.getZExtValue();
  });
  for (auto& [index, scale] : variable) {
    Operand steps = operand(*index);
    unsigned width = widthOf(*index->getType());
    forLanes([&](unsigned lane) {
      auto by = static_cast<uint64_t>(asSigned(steps.at(0, lane), width)) * scale.getZExtValue();
      out[lane] = static_cast<uint64_t>(out[lane]) + by;
    });
  }
}

void Simdgroup::allocate(AllocaInst& instruction) {
  const DataLayout& layout = program_.layouts().dataLayout();
  uint64_t size = instruction.getAllocationSize(layout)->getFixedValue();
  const auto& variables = privateVariable(instruction, size);
  forLanes([&](unsigned lane) { result(instruction)[lane] = variables[lane]; });
}

bool Simdgroup::load(LoadInst& instruction) {
  Type& type = *instruction.getType();
  Operand address = operand(*instruction.getPointerOperand());
  ArrayRef<ScalarPart> parts = program_.layouts().scalarsOf(type);
  uint64_t size = program_.layouts().storeSize(type);
  forLanes([&](unsigned lane) {
    Bits* out = result(instruction) + lane;
    auto at = static_cast<Address>(address.at(0, lane));
    if (const std::byte* bytes = memory_.access(at, size, /*isWrite=*/false))
      loadScalars(parts, bytes, out, Lanes);
    else
      for (size_t i = 0; i < parts.size(); ++i)
        out[i * Lanes] = 0;
  });
  return memoryIsFine(instruction);
}

bool Simdgroup::store(StoreInst& instruction) {
  Type& type = *instruction.getValueOperand()->getType();
  Operand address = operand(*instruction.getPointerOperand());
  Operand value = operand(*instruction.getValueOperand());
  ArrayRef<ScalarPart> parts = program_.layouts().scalarsOf(type);
  uint64_t size = program_.layouts().storeSize(type);
  forLanes([&](unsigned lane) {
    auto at = static_cast<Address>(address.at(0, lane));
    if (std::byte* bytes = memory_.access(at, size, /*isWrite=*/true))
      storeScalars(parts, value.data + lane * value.laneStride, value.scalarStride, bytes);
  });
  return memoryIsFine(instruction);
}

/// freeze, extractvalue and insertvalue.
void Simdgroup::moveScalars(Instruction& instruction) {
  Operand from = operand(*instruction.getOperand(0));
  size_t count = scalarCount(instruction);
  size_t first = 0;
  if (auto* extract = dyn_cast<ExtractValueInst>(&instruction))
    first = program_.layouts().indexOf(*extract->getAggregateOperand()->getType(),
                                       extract->getIndices());
  for (size_t i = 0; i < count; ++i)
    forLanes([&](unsigned lane) { result(instruction, i)[lane] = from.at(first + i, lane); });
  if (auto* insert = dyn_cast<InsertValueInst>(&instruction)) {
    Operand value = operand(*insert->getInsertedValueOperand());
    size_t at = program_.layouts().indexOf(*insert->getType(), insert->getIndices());
    for (size_t i = 0; i < scalarCount(*insert->getInsertedValueOperand()); ++i)
      forLanes([&](unsigned lane) { result(instruction, at + i)[lane] = value.at(i, lane); });
  }
}

/// Elements of vectors; an index out of range reads 0 and writes nothing.
void Simdgroup::moveElements(Instruction& instruction) {
  Operand vector = operand(*instruction.getOperand(0));
  size_t length = scalarCount(*instruction.getOperand(0));
  Operand second = operand(*instruction.getOperand(1));
  size_t count = scalarCount(instruction);
  if (auto* shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) {
    for (size_t i = 0; i < count; ++i) {
      int source = shuffle->getMaskValue(static_cast<unsigned>(i));
      forLanes([&](unsigned lane) {
        auto at = static_cast<size_t>(source);
        result(instruction, i)[lane] = source < 0    ? 0
                                       : at < length ? vector.at(at, lane)
                                                     : second.at(at - length, lane);
      });
    }
    return;
  }
  if (isa<ExtractElementInst>(instruction)) {
    forLanes([&](unsigned lane) {
      Bits index = second.at(0, lane);
      result(instruction)[lane] = index < length ? vector.at(static_cast<size_t>(index), lane) : 0;
    });
    return;
  }
  Operand index = operand(*instruction.getOperand(2));
  for (size_t i = 0; i < count; ++i)
    forLanes([&](unsigned lane) {
      result(instruction, i)[lane] =
          (index.at(0, lane) == i ? second.at(0, lane) : vector.at(i, lane));
    });
}

} // namespace metalloid::interp
