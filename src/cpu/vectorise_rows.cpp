// SPDX-License-Identifier: Apache-2.0
// Rows: a SIMD-group of a 16-wide threadgroup that walks a matrix holds two rows of neighbours, a
// stride apart that only run time knows. The address as a whole is varying, yet the lanes of one
// machine vector lie side by side. Where the address looks so, a run-time check of the addresses
// themselves chooses between one plain access a vector and the gather: what follows from the shape
// of the expression is only a guess, the check is exact.
#include "cpu/vectoriser.h"

#include <optional>

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

/// Expressions deeper than this are not looked through.
constexpr unsigned MaxDepth = 16;

bool isZero(const LaneNumbers& numbers) {
  return all_of(numbers, [](int64_t number) { return number == 0; });
}

LaneNumbers scaled(LaneNumbers numbers, int64_t factor) {
  for (int64_t& number : numbers)
    number = int64_t(uint64_t(number) * uint64_t(factor));
  return numbers;
}

LaneNumbers sum(LaneNumbers a, const LaneNumbers& b, int64_t sign) {
  for (unsigned lane = 0; lane < 32; ++lane)
    a[lane] = int64_t(uint64_t(a[lane]) + uint64_t(sign * b[lane]));
  return a;
}

/// Differences of the lanes to the first lane of their part, as far as an expression tells them
/// when nothing wraps.
class RowOffsets {
public:
  RowOffsets(const ShapeAnalysis& shapes, const DataLayout& layout, unsigned chunk)
      : shapes_(shapes), layout_(layout), chunk_(chunk) {}

  std::optional<LaneNumbers> of(const Value* value, unsigned depth = MaxDepth) const {
    if (isa<Constant>(value) || isa<Argument>(value) || shapes_.of(value).isUniform())
      return LaneNumbers{};
    if (shapes_.of(value).isPattern())
      return relative(shapes_.offsets(shapes_.of(value)));
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || depth == 0)
      return std::nullopt;
    switch (instruction->getOpcode()) {
    case Instruction::Add:
      return combined(*instruction, 1, depth);
    case Instruction::Sub:
      return combined(*instruction, -1, depth);
    case Instruction::Or:
      if (cast<PossiblyDisjointInst>(instruction)->isDisjoint())
        return combined(*instruction, 1, depth);
      return std::nullopt;
    case Instruction::Mul:
      return product(*instruction, depth);
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Freeze:
      return of(instruction->getOperand(0), depth - 1);
    case Instruction::GetElementPtr:
      return address(*cast<GEPOperator>(instruction), depth);
    default:
      return std::nullopt;
    }
  }

private:
  LaneNumbers relative(const LaneNumbers& numbers) const {
    LaneNumbers result;
    for (unsigned lane = 0; lane < 32; ++lane)
      result[lane] = numbers[lane] - numbers[lane / chunk_ * chunk_];
    return result;
  }

  std::optional<LaneNumbers> combined(const Instruction& operation, int64_t sign,
                                      unsigned depth) const {
    auto left = of(operation.getOperand(0), depth - 1);
    auto right = of(operation.getOperand(1), depth - 1);
    if (!left || !right)
      return std::nullopt;
    return sum(*left, *right, sign);
  }

  /// A factor that is equal within a part leaves the part equal; a constant scales.
  std::optional<LaneNumbers> product(const Instruction& operation, unsigned depth) const {
    auto left = of(operation.getOperand(0), depth - 1);
    auto right = of(operation.getOperand(1), depth - 1);
    if (!left || !right)
      return std::nullopt;
    if (isZero(*left) && isZero(*right))
      return LaneNumbers{};
    if (auto* factor = dyn_cast<ConstantInt>(operation.getOperand(1)))
      return scaled(*left, factor->getSExtValue());
    return std::nullopt;
  }

  std::optional<LaneNumbers> address(const GEPOperator& step, unsigned depth) const {
    auto total = of(step.getPointerOperand(), depth - 1);
    for (auto it = gep_type_begin(step), end = gep_type_end(step); total && it != end; ++it) {
      if (it.isStruct())
        continue;
      auto index = of(it.getOperand(), depth - 1);
      if (!index)
        return std::nullopt;
      int64_t stride = it.getSequentialElementStride(layout_).getFixedValue();
      total = sum(*total, scaled(*index, stride), 1);
    }
    return total;
  }

  const ShapeAnalysis& shapes_;
  const DataLayout& layout_;
  unsigned chunk_;
};

} // namespace

/// The lanes of each part are probably neighbours in memory.
bool Vectoriser::mayBeRows(const Value* pointer, Type* type) const {
  if (!shapes.of(pointer).isVarying() || !layout.typeSizeEqualsStoreSize(type))
    return false;
  if (!mask->full && !build.hooks.masks(layout.getTypeSizeInBits(type)))
    return false;
  auto offsets = RowOffsets(shapes, layout, build.chunk).of(pointer);
  if (!offsets)
    return false;
  int64_t size = layout.getTypeStoreSize(type).getFixedValue();
  for (int64_t lane = 0; lane < 32; ++lane)
    if ((*offsets)[lane] != lane % build.chunk * size)
      return false;
  return true;
}

/// Every active lane's pointer is its part's first one plus its place in the part.
Value* Vectoriser::areRows(const Parts& pointers, Type* type) {
  auto* wide = build.vectorOf(build.getInt64Ty());
  uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
  Value* steps = build.CreateMul(build.CreateStepVector(wide), ConstantInt::get(wide, size));
  Value* all = nullptr;
  for (unsigned part = 0; part < build.count; ++part) {
    Value* numbers = build.CreatePtrToInt(pointers[part], wide);
    Value* first =
        build.CreateVectorSplat(build.chunk, build.CreateExtractElement(numbers, uint64_t(0)));
    Value* wrong = build.CreateICmpNE(numbers, build.CreateAdd(first, steps));
    if (!mask->full)
      wrong =
          build.CreateSelect(mask->lanes[part], wrong, Constant::getNullValue(wrong->getType()));
    Value* bits = build.CreateBitCast(wrong, build.getIntNTy(build.chunk));
    all = all ? build.CreateOr(all, bits) : bits;
  }
  return build.CreateICmpEQ(all, Constant::getNullValue(all->getType()));
}

Parts Vectoriser::loadRows(Type* type, const Parts& pointers, Align alignment) {
  return build.each([&](unsigned part) -> Value* {
    Value* first = build.CreateExtractElement(pointers[part], uint64_t(0));
    if (mask->full)
      return build.CreateAlignedLoad(build.vectorOf(type), first, alignment);
    return build.CreateMaskedLoad(build.vectorOf(type), first, alignment, mask->lanes[part]);
  });
}

void Vectoriser::storeRows(const Parts& values, const Parts& pointers, Align alignment) {
  for (unsigned part = 0; part < build.count; ++part) {
    Value* first = build.CreateExtractElement(pointers[part], uint64_t(0));
    if (mask->full)
      build.CreateAlignedStore(values[part], first, alignment);
    else
      build.CreateMaskedStore(values[part], first, alignment, mask->lanes[part]);
  }
}

/// Idle lanes may hold poison; a check must not.
Parts Vectoriser::frozenLanes(const Value* value) {
  Parts parts = lanes(value);
  return build.each([&](unsigned part) { return build.CreateFreeze(parts[part]); });
}

} // namespace metalloid::cpu
