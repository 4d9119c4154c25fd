// SPDX-License-Identifier: Apache-2.0
#include "cpu/lane_facts.h"

#include <cstddef>

#include "cpu/launch.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

/// 0, 1, 2, … each divided by `divisor`, then modulo `modulus` (0: not).
LaneNumbers steps(uint32_t divisor, uint32_t modulus) {
  LaneNumbers numbers;
  for (int64_t lane = 0; lane < 32; ++lane)
    numbers[lane] = modulus ? lane / divisor % modulus : lane / divisor;
  return numbers;
}

IdShape positionShape(unsigned axis, const ThreadgroupShape& shape) {
  auto [x, y, z] = shape.threads;
  if (shape.threads[axis] == 1)
    return {IdShape::Uniform, {}};
  if (y == 1 && z == 1) {
    if (x && 32 % x == 0) // lane / x more threads than the group has: idle lanes
      return {IdShape::Constant, steps(1, x)};
    return {IdShape::Offsets, steps(1, 0)};
  }
  if (x && x % 32 == 0)
    return axis == 0 ? IdShape{IdShape::Offsets, steps(1, 0)} : IdShape{IdShape::Uniform, {}};
  if (!x || 32 % x != 0)
    return {};
  if (axis == 0)
    return {IdShape::Constant, steps(1, x)};
  uint32_t plane = x * y;
  if (plane && plane % 32 == 0)
    return axis == 1 ? IdShape{IdShape::Offsets, steps(x, 0)} : IdShape{IdShape::Uniform, {}};
  if (!plane || 32 % plane != 0)
    return {};
  return axis == 1 ? IdShape{IdShape::Constant, steps(x, y)}
                   : IdShape{IdShape::Offsets, steps(plane, 0)};
}

} // namespace

IdShape idShape(StringRef name, const ThreadgroupShape& shape) {
  if (name == LaneId)
    return {IdShape::Constant, steps(1, 0)};
  if (name == ThreadIndex) {
    bool oneSimdgroup = shape.isFixed() && shape.total() <= 32;
    return {oneSimdgroup ? IdShape::Constant : IdShape::Offsets, steps(1, 0)};
  }
  bool inGrid = name.starts_with("cpu.grid.");
  if (!inGrid && !name.starts_with("cpu.thread."))
    return {IdShape::Uniform, {}};
  IdShape found = positionShape(name.back() - 'x', shape);
  if (inGrid && found.kind == IdShape::Constant) // numbers begin at 0: they are offsets, too
    found.kind = IdShape::Offsets;
  return found;
}

namespace {

/// The recursion of trailingZeros. A value met again inside its own definition (a loop) counts as
/// all zero bits: the claim is proven by induction over the loop's steps.
class ZeroBits {
public:
  explicit ZeroBits(const ThreadgroupShape& shape) : shape(shape) {}

  unsigned of(const Value* value) {
    if (auto* constant = dyn_cast<ConstantInt>(value))
      return constant->isZero() ? 64 : constant->getValue().countr_zero();
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || !value->getType()->isIntegerTy())
      return 0;
    if (++steps > 64)
      return 0;
    if (!underway.insert(value).second)
      return 64;
    unsigned found = compute(*instruction);
    underway.erase(value);
    return found;
  }

private:
  const ThreadgroupShape& shape;
  SmallPtrSet<const Value*, 16> underway;
  unsigned steps = 0; ///< Bounds the work.

  unsigned compute(const Instruction& instruction) {
    auto operand = [&](unsigned index) { return of(instruction.getOperand(index)); };
    auto amount = [&]() -> std::optional<uint64_t> {
      auto* constant = dyn_cast<ConstantInt>(instruction.getOperand(1));
      return constant ? std::optional(constant->getLimitedValue(64)) : std::nullopt;
    };
    switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Or:
    case Instruction::Xor:
      return std::min(operand(0), operand(1));
    case Instruction::And:
      return std::max(operand(0), operand(1));
    case Instruction::Mul:
      return std::min(64u, operand(0) + operand(1));
    case Instruction::Shl:
      return amount() ? std::min<unsigned>(64, operand(0) + *amount()) : operand(0);
    case Instruction::LShr: {
      unsigned zeros = operand(0);
      if (zeros == 64 || !amount())
        return zeros == 64 ? 64 : 0;
      return zeros > *amount() ? zeros - *amount() : 0;
    }
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
    case Instruction::Freeze:
      return operand(0);
    case Instruction::Select:
      return std::min(operand(1), operand(2));
    case Instruction::PHI: {
      unsigned least = 64;
      for (const Value* incoming : cast<PHINode>(instruction).incoming_values())
        if (!isa<UndefValue>(incoming))
          least = std::min(least, of(incoming));
      return least;
    }
    case Instruction::Call:
      return ofCall(cast<CallBase>(instruction));
    default:
      return 0;
    }
  }

  unsigned ofCall(const CallBase& call) const {
    StringRef name = threadFormName(&call);
    if (name.empty())
      return 0;
    IdShape id = idShape(name, shape);
    if (id.kind == IdShape::Constant)
      return 64; // lane 0 holds 0
    auto [x, y, z] = shape.threads;
    bool wholeRows = (y == 1 && z == 1) || (x && x % 32 == 0);
    if (name == ThreadIndex || (name == ThreadX && wholeRows))
      return 5;
    return 0;
  }
};

/// Launch's thread counts are at least 1 and at most 1024.
bool isThreadCount(const LoadInst& load) {
  APInt offset(64, 0);
  const Value* base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(
      load.getDataLayout(), offset, /*AllowNonInbounds=*/true);
  auto* argument = dyn_cast<Argument>(base);
  uint64_t at = offset.getZExtValue();
  return argument && argument->getArgNo() == LaunchParam && load.getType()->isIntegerTy(32) &&
         at >= offsetof(Launch, threadsPerThreadgroup) && at % 4 == 0 &&
         at < offsetof(Launch, threadgroupsPerGrid);
}

} // namespace

unsigned trailingZeros(const Value* value, const ThreadgroupShape& shape) {
  return ZeroBits(shape).of(value);
}

ConstantRange laneRange(const Value* value, unsigned depth) {
  unsigned width = value->getType()->getScalarSizeInBits();
  if (auto* constant = dyn_cast<ConstantInt>(value))
    return ConstantRange(constant->getValue());
  ConstantRange full = ConstantRange::getFull(width);
  if (depth == 0 || !value->getType()->isIntegerTy())
    return full;
  auto operand = [&](const User* user, unsigned index) {
    return laneRange(user->getOperand(index), depth - 1);
  };
  if (StringRef name = threadFormName(value); !name.empty()) {
    if (name == LaneId)
      return ConstantRange(APInt(32, 0), APInt(32, 32));
    // A SIMD-group's last lanes may lie beyond the threadgroup's 1024 threads.
    if (name == ThreadIndex || name.starts_with("cpu.thread."))
      return ConstantRange(APInt(32, 0), APInt(32, 1024 + 32));
    return full;
  }
  if (auto* load = dyn_cast<LoadInst>(value))
    return isThreadCount(*load) ? ConstantRange(APInt(32, 1), APInt(32, 1025)) : full;
  if (auto* operation = dyn_cast<BinaryOperator>(value))
    return operand(operation, 0).binaryOp(operation->getOpcode(), operand(operation, 1));
  if (auto* cast = dyn_cast<CastInst>(value); cast && isa<ZExtInst, SExtInst, TruncInst>(cast))
    return operand(cast, 0).castOp(cast->getOpcode(), width);
  if (auto* select = dyn_cast<SelectInst>(value))
    return operand(select, 1).unionWith(operand(select, 2));
  if (auto* call = dyn_cast<MinMaxIntrinsic>(value))
    return ConstantRange::intrinsic(call->getIntrinsicID(), {operand(call, 0), operand(call, 1)});
  return full;
}

} // namespace metalloid::cpu
