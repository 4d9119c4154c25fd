// SPDX-License-Identifier: Apache-2.0
#include "interp/lanes.h"

#include <cmath>

#include "interp/floats.h"
#include "interp/scalar_operations.h"

#include "llvm/IR/Instruction.h"

using namespace llvm;

namespace metalloid::interp {

using air::ReduceOp;
using air::ShuffleMode;

Bits Combiner::operator()(Bits a, Bits b) const {
  bool isFloat = type.isFloatingPointTy();
  switch (op) {
  case ReduceOp::Sum:
    return binaryOperation(isFloat ? Instruction::FAdd : Instruction::Add, type, a, b, flush);
  case ReduceOp::Sub:
    return binaryOperation(isFloat ? Instruction::FSub : Instruction::Sub, type, a, b, flush);
  case ReduceOp::Product:
    return binaryOperation(isFloat ? Instruction::FMul : Instruction::Mul, type, a, b, flush);
  case ReduceOp::Min:
  case ReduceOp::Max: {
    bool isMax = op == ReduceOp::Max;
    if (isFloat)
      return floatMinMax(type, a, b, isMax, flush);
    auto isLess = isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT;
    return compare(isLess, type, a, b, flush) == isMax ? b : a;
  }
  case ReduceOp::And:
    return a & b;
  case ReduceOp::Or:
    return a | b;
  default:
    return a ^ b;
  }
}

Bits Combiner::neutral() const {
  unsigned width = widthOf(type);
  Bits sign = Bits(1) << (width - 1);
  bool isFloat = type.isFloatingPointTy();
  switch (op) {
  case ReduceOp::Sum:
    return isFloat ? sign : 0; // -0.0
  case ReduceOp::Product:
    return isFloat ? encodeFloat(type, 1.0, false) : 1;
  case ReduceOp::Min:
    if (isFloat)
      return encodeFloat(type, INFINITY, false);
    return isSigned ? sign - 1 : lowBits(width);
  case ReduceOp::Max:
    if (isFloat)
      return encodeFloat(type, -INFINITY, false);
    return isSigned ? sign : 0;
  case ReduceOp::And:
    return lowBits(width);
  default:
    return 0;
  }
}

namespace {

bool has(LaneMask mask, unsigned lane) {
  return mask >> lane & 1;
}

void fillIdle(LaneValues& values, LaneMask active, Bits neutral) {
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (!has(active, lane))
      values[lane] = neutral;
}

} // namespace

LaneValues reduce(LaneValues values, LaneMask active, unsigned width, const Combiner& combine) {
  fillIdle(values, active, combine.neutral());
  for (unsigned distance = width / 2; distance > 0; distance /= 2) {
    LaneValues before = values;
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      unsigned low = lane & ~distance, high = lane | distance;
      values[lane] = combine(before[low], before[high]);
    }
  }
  return values;
}

LaneValues scan(LaneValues values, LaneMask active, unsigned width, bool isExclusive,
                const Combiner& combine) {
  fillIdle(values, active, combine.neutral());
  for (unsigned distance = 1; distance < width; distance *= 2) {
    LaneValues before = values;
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (lane % width >= distance)
        values[lane] = combine(before[lane - distance], before[lane]);
  }
  if (!isExclusive)
    return values;
  LaneValues moved;
  Bits first = combine.op == air::ReduceOp::Sum ? 0 : combine.neutral();
  for (unsigned lane = 0; lane < Lanes; ++lane)
    moved[lane] = lane % width == 0 ? first : values[lane - 1];
  return moved;
}

LaneValues shuffle(const LaneValues& values, LaneMask active, unsigned width, ShuffleMode mode,
                   const LaneValues& amounts) {
  LaneValues out{};
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    unsigned first = lane - lane % width, at = lane % width;
    auto amount = static_cast<unsigned>(amounts[lane] & 0xffff);
    unsigned from = at;
    switch (mode) {
    case ShuffleMode::Up:
      from = amount <= at ? at - amount : at;
      break;
    case ShuffleMode::Down:
      from = at + amount < width ? at + amount : at;
      break;
    case ShuffleMode::Xor:
      from = (at ^ amount) % width;
      break;
    case ShuffleMode::RotateUp:
      from = (at + width - amount % width) % width;
      break;
    case ShuffleMode::RotateDown:
      from = (at + amount) % width;
      break;
    default:
      from = amount % width;
      break;
    }
    out[lane] = has(active, first + from) ? values[first + from] : 0;
  }
  return out;
}

LaneValues shuffleAndFill(const LaneValues& values, const LaneValues& fill, LaneMask active,
                          bool isUp, const LaneValues& deltas, const LaneValues& moduli) {
  LaneValues out{};
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    auto modulo = static_cast<unsigned>(moduli[lane] & 0xffff);
    auto delta = static_cast<unsigned>(deltas[lane] & 0xffff);
    if (modulo == 0 || modulo > Lanes)
      modulo = Lanes;
    unsigned at = lane % modulo, first = lane - at;
    // What comes from outside the block is the other end of the block of `fill`.
    bool isInside = isUp ? delta <= at : at + delta < modulo;
    unsigned from = isUp ? (at + modulo - delta % modulo) % modulo : (at + delta) % modulo;
    unsigned source = std::min(first + from, Lanes - 1);
    out[lane] = has(active, source) ? (isInside ? values : fill)[source] : 0;
  }
  return out;
}

LaneValues broadcastFirst(const LaneValues& values, LaneMask active, unsigned width) {
  LaneValues out{};
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    unsigned first = lane - lane % width;
    LaneMask group = active >> first & (width == Lanes ? ~LaneMask(0) : (LaneMask(1) << width) - 1);
    if (group)
      out[lane] = values[first + static_cast<unsigned>(__builtin_ctz(group))];
  }
  return out;
}

} // namespace metalloid::interp
