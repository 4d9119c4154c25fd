// SPDX-License-Identifier: Apache-2.0
// The target primitives of air/primitives.h, as docs/numeric-contract.md has them.
#include <cstring>

#include "interp/floats.h"
#include "interp/lanes.h"
#include "interp/scalar_operations.h"
#include "interp/simdgroup.h"

using namespace llvm;

namespace metalloid::interp {

using air::Primitive;

bool Simdgroup::primitive(CallInst& instruction, const air::PrimitiveCall& primitive) {
  switch (primitive.kind) {
  case Primitive::ThreadgroupBarrier:
    return waitAtBarrier(instruction);
  case Primitive::SimdgroupBarrier:
  case Primitive::Fence:
  case Primitive::LogMessage:
    return true;
  case Primitive::SimdVote:
  case Primitive::SimdBallot:
  case Primitive::SimdActiveMask:
  case Primitive::SimdIsFirst:
  case Primitive::QuadVote:
  case Primitive::QuadBallot:
  case Primitive::QuadActiveMask:
  case Primitive::QuadIsFirst:
    vote(instruction, primitive);
    return true;
  case Primitive::MatrixMultiply:
    multiplyMatrices(instruction);
    return true;
  case Primitive::MatrixLoad:
  case Primitive::MatrixStore:
    return moveMatrix(instruction, primitive.kind == Primitive::MatrixStore);
  case Primitive::MatrixFilled:
  case Primitive::MatrixDiagonal:
    fillMatrix(instruction, primitive.kind == Primitive::MatrixDiagonal);
    return true;
  case Primitive::AtomicLoad:
  case Primitive::AtomicStore:
  case Primitive::AtomicExchange:
  case Primitive::AtomicCompareExchange:
  case Primitive::AtomicModify:
    return atomic(instruction, primitive);
  default:
    exchange(instruction, primitive);
    return true;
  }
}

/// Reductions, scans, shuffles and broadcasts, each scalar of a vector by itself.
void Simdgroup::exchange(CallInst& instruction, const air::PrimitiveCall& primitive) {
  const Type& type = *instruction.getType()->getScalarType();
  Combiner combiner{type, primitive.op, primitive.isSigned, program_.flushDenormals()};
  LaneMask active = top().active;
  auto rowOf = [&](unsigned argument, size_t scalar) {
    LaneValues row{};
    if (argument < instruction.arg_size()) {
      Operand values = operand(*instruction.getArgOperand(argument));
      forLanes([&](unsigned lane) { row[lane] = values.at(scalar, lane); });
    }
    return row;
  };
  for (size_t i = 0, count = scalarCount(instruction); i < count; ++i) {
    LaneValues in = rowOf(0, i), out{};
    switch (primitive.kind) {
    case Primitive::SimdReduce:
      out = reduce(in, active, Lanes, combiner);
      break;
    case Primitive::QuadReduce:
      out = reduce(in, active, QuadLanes, combiner);
      break;
    case Primitive::SimdScan:
      out = scan(in, active, Lanes, primitive.isExclusive, combiner);
      break;
    case Primitive::QuadScan:
      out = scan(in, active, QuadLanes, primitive.isExclusive, combiner);
      break;
    case Primitive::SimdShuffle:
      out = shuffle(in, active, Lanes, primitive.mode, rowOf(1, 0));
      break;
    case Primitive::QuadShuffle:
      out = shuffle(in, active, QuadLanes, primitive.mode, rowOf(1, 0));
      break;
    case Primitive::SimdBroadcast:
      out = shuffle(in, active, Lanes, air::ShuffleMode::Index, rowOf(1, 0));
      break;
    case Primitive::QuadBroadcast:
      out = shuffle(in, active, QuadLanes, air::ShuffleMode::Index, rowOf(1, 0));
      break;
    case Primitive::SimdShuffleFill:
    case Primitive::QuadShuffleFill:
      out = shuffleAndFill(in, rowOf(1, i), active, primitive.mode == air::ShuffleMode::Up,
                           rowOf(2, 0), rowOf(3, 0));
      break;
    case Primitive::SimdBroadcastFirst:
      out = broadcastFirst(in, active, Lanes);
      break;
    default:
      out = broadcastFirst(in, active, QuadLanes);
      break;
    }
    forLanes([&](unsigned lane) { result(instruction, i)[lane] = out[lane]; });
  }
}

/// What looks only at which lanes are active and at one bit of each.
void Simdgroup::vote(CallInst& instruction, const air::PrimitiveCall& primitive) {
  LaneMask active = top().active;
  LaneMask yes = active;
  if (instruction.arg_size() > 0) {
    Operand condition = operand(*instruction.getArgOperand(0));
    yes = 0;
    forLanes([&](unsigned lane) { yes |= LaneMask(condition.at(0, lane) & 1) << lane; });
  }
  bool isQuad = primitive.kind >= Primitive::QuadReduce;
  forLanes([&](unsigned lane) {
    unsigned first = isQuad ? lane & ~(QuadLanes - 1) : 0;
    LaneMask group = (isQuad ? 0xf : ~LaneMask(0)) << first;
    LaneMask here = active & group;
    Bits value = 0;
    switch (primitive.kind) {
    case Primitive::SimdVote:
    case Primitive::QuadVote:
      value = primitive.isAll ? (yes & group) == here : (yes & group) != 0;
      break;
    case Primitive::SimdIsFirst:
    case Primitive::QuadIsFirst:
      value = static_cast<unsigned>(__builtin_ctz(here)) == lane;
      break;
    default:
      value = (yes & group) >> first;
      break;
    }
    result(instruction)[lane] = value;
  });
}

/// Lane after lane; each does its whole operation at once.
bool Simdgroup::atomic(CallInst& instruction, const air::PrimitiveCall& primitive) {
  bool isStore = primitive.kind == Primitive::AtomicStore;
  bool isExchange = primitive.kind == Primitive::AtomicCompareExchange;
  Type& type = isStore ? *instruction.getArgOperand(1)->getType() : *instruction.getType();
  ArrayRef<ScalarPart> parts = program_.layouts().scalarsOf(type);
  Combiner combiner{type, primitive.op, primitive.isSigned, program_.flushDenormals()};
  Operand address = operand(*instruction.getArgOperand(0));
  Operand second = operand(*instruction.getArgOperand(1));
  Operand third = operand(*instruction.getArgOperand(2));
  forLanes([&](unsigned lane) {
    std::byte* bytes = memory_.access(static_cast<Address>(address.at(0, lane)), parts[0].size,
                                      primitive.kind != Primitive::AtomicLoad);
    if (!bytes)
      return;
    Bits old = 0;
    loadScalars(parts, bytes, &old, 1);
    Bits value = old;
    if (isStore || primitive.kind == Primitive::AtomicExchange) {
      value = second.at(0, lane);
    } else if (isExchange) {
      // `expected` lies in thread memory: where it differs, it receives the old value.
      auto where = static_cast<Address>(second.at(0, lane));
      std::byte* expected = memory_.access(where, parts[0].size, /*isWrite=*/true);
      if (!expected)
        return;
      if (std::memcmp(expected, bytes, parts[0].size) == 0)
        value = third.at(0, lane);
      storeScalars(parts, &old, 1, expected);
    } else if (primitive.kind == Primitive::AtomicModify) {
      value = combiner(old, second.at(0, lane));
    }
    storeScalars(parts, &value, 1, bytes);
    if (!isStore)
      result(instruction)[lane] = old;
  });
  return memoryIsFine(instruction);
}

void Simdgroup::multiplyMatrices(CallInst& instruction) {
  Type* types[3];
  double matrices[3][MatrixSize][MatrixSize] = {};
  for (unsigned m = 0; m < 3; ++m) {
    Operand values = operand(*instruction.getArgOperand(m));
    types[m] = instruction.getArgOperand(m)->getType()->getScalarType();
    forLanes([&](unsigned lane) {
      for (unsigned i = 0; i < 2; ++i)
        matrices[m][matrixRow(lane)][matrixColumn(lane) + i] =
            decodeFloat(*types[m], values.at(i, lane), program_.flushDenormals());
    });
  }
  const Type& to = *instruction.getType()->getScalarType();
  const Type& wide = *Type::getFloatTy(instruction.getContext());
  bool flush = program_.flushDenormals();
  auto asFloat = [&](double value) { return encodeFloat(wide, value, flush); };
  forLanes([&](unsigned lane) {
    for (size_t i = 0, count = scalarCount(instruction); i < count; ++i)
      result(instruction, i)[lane] = 0;
    for (unsigned i = 0; i < 2; ++i) {
      unsigned row = matrixRow(lane), column = matrixColumn(lane) + i;
      Bits sum = asFloat(matrices[2][row][column]);
      for (unsigned k = 0; k < MatrixSize; ++k)
        sum = fusedMultiplyAdd(wide, asFloat(matrices[0][row][k]), asFloat(matrices[1][k][column]),
                               sum, flush);
      result(instruction, i)[lane] = encodeFloat(to, decodeFloat(wide, sum, flush), flush);
    }
  });
}

/// load(pointer, stride, origin, transpose) and store(matrix, pointer, stride, origin, transpose);
/// stride and origin count elements.
bool Simdgroup::moveMatrix(CallInst& instruction, bool isStore) {
  unsigned first = isStore ? 1 : 0;
  const Value& matrix = isStore ? *instruction.getArgOperand(0) : instruction;
  ArrayRef<ScalarPart> part = program_.layouts().scalarsOf(*matrix.getType()->getScalarType());
  Operand pointer = operand(*instruction.getArgOperand(first));
  Operand stride = operand(*instruction.getArgOperand(first + 1));
  Operand origin = operand(*instruction.getArgOperand(first + 2));
  Operand isTransposed = operand(*instruction.getArgOperand(first + 3));
  Operand values = operand(matrix);
  forLanes([&](unsigned lane) {
    for (unsigned i = 0; i < 2; ++i) {
      uint64_t row = matrixRow(lane), column = matrixColumn(lane) + i;
      if (isTransposed.at(0, lane) & 1)
        std::swap(row, column);
      uint64_t index = (row + static_cast<uint64_t>(origin.at(1, lane))) *
                           static_cast<uint64_t>(stride.at(0, lane)) +
                       column + static_cast<uint64_t>(origin.at(0, lane));
      Address at = static_cast<Address>(pointer.at(0, lane)) + index * part[0].size;
      std::byte* bytes = memory_.access(at, part[0].size, isStore);
      if (!bytes)
        continue;
      if (isStore) {
        Bits bits = values.at(i, lane);
        storeScalars(part, &bits, 1, bytes);
      } else {
        loadScalars(part, bytes, result(instruction, i) + lane, 1);
      }
    }
  });
  return memoryIsFine(instruction);
}

void Simdgroup::fillMatrix(CallInst& instruction, bool isDiagonal) {
  Operand value = operand(*instruction.getArgOperand(0));
  forLanes([&](unsigned lane) {
    for (unsigned i = 0; i < 2; ++i) {
      bool isFilled = !isDiagonal || matrixRow(lane) == matrixColumn(lane) + i;
      result(instruction, i)[lane] = isFilled ? value.at(0, lane) : 0;
    }
  });
}

} // namespace metalloid::interp
