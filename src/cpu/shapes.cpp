// SPDX-License-Identifier: Apache-2.0
#include "cpu/shapes.h"

#include <algorithm>

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/ConstantFold.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

constexpr Shape Uniform{Shape::Kind::Uniform};
constexpr Shape Varying{Shape::Kind::Varying};

unsigned widthOf(const Type* type) {
  return type->isPointerTy() ? 64 : type->getScalarSizeInBits();
}

/// Integers of at most 64 bits and pointers, the values whose lanes may differ by constants.
bool canBePattern(const Type* type) {
  return type->isPointerTy() || (type->isIntegerTy() && type->getIntegerBitWidth() > 1 &&
                                 type->getIntegerBitWidth() <= 64);
}

template <typename Operation> LaneNumbers eachLane(unsigned width, const Operation& operation) {
  LaneNumbers numbers;
  for (unsigned lane = 0; lane < 32; ++lane)
    numbers[lane] = SignExtend64(static_cast<uint64_t>(operation(lane)), width);
  return numbers;
}

/// Differences to the first lane.
LaneNumbers relative(const LaneNumbers& values, unsigned width) {
  return eachLane(width, [&](unsigned lane) {
    return static_cast<uint64_t>(values[lane]) - static_cast<uint64_t>(values[0]);
  });
}

} // namespace

ShapeAnalysis::ShapeAnalysis(Function& thread, const ThreadgroupShape& shape,
                             const DivergencePlan& plan)
    : function(thread), threads(shape), plan(plan), layout(thread.getDataLayout()) {
  patterns.emplace_back().fill(0);
  run();
}

Shape ShapeAnalysis::of(const Value* value) const {
  if (!isa<Instruction>(value))
    return Uniform;
  return shapes.lookup(value);
}

const LaneNumbers* ShapeAnalysis::constants(const Value* value) const {
  auto found = known.find(value);
  return found == known.end() ? nullptr : &found->second;
}

void ShapeAnalysis::run() {
  ReversePostOrderTraversal<Function*> order(&function);
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock* block : order)
      for (Instruction& instruction : *block) {
        if (instruction.getType()->isVoidTy())
          continue;
        Shape before = shapes.lookup(&instruction);
        Shape after = join(before, transfer(instruction));
        if (after != before) {
          shapes[&instruction] = after;
          changed = true;
        }
      }
  }
}

Shape ShapeAnalysis::intern(const LaneNumbers& offsets, bool conditional) {
  for (size_t number = 0; number < patterns.size(); ++number)
    if (patterns[number] == offsets) {
      if (number == 0)
        return conditional ? Varying : Uniform; // equal only where nothing wrapped
      return {Shape::Kind::Pattern, conditional, static_cast<uint32_t>(number)};
    }
  patterns.push_back(offsets);
  return {Shape::Kind::Pattern, conditional, static_cast<uint32_t>(patterns.size() - 1)};
}

Shape ShapeAnalysis::join(Shape a, Shape b) const {
  if (a.kind == Shape::Kind::Unknown)
    return b;
  if (b.kind == Shape::Kind::Unknown)
    return a;
  if (a.kind != b.kind || a.pattern != b.pattern)
    return Varying;
  a.conditional |= b.conditional;
  return a;
}

bool ShapeAnalysis::operandsAre(const Instruction& instruction, Shape::Kind kind) const {
  return all_of(instruction.operands(), [&](const Use& use) {
    return isa<BasicBlock, Function, MetadataAsValue>(use.get()) || of(use.get()).kind == kind;
  });
}

Shape ShapeAnalysis::transfer(Instruction& instruction) {
  if (auto* phi = dyn_cast<PHINode>(&instruction))
    return ofPhi(*phi);
  if (plan.uniformity().isUniform(&instruction))
    return Uniform;
  for (const Use& use : instruction.operands())
    if (isa<Instruction>(use.get()) && of(use.get()).kind == Shape::Kind::Unknown)
      return {};
  if (auto* call = dyn_cast<CallBase>(&instruction))
    return ofCall(*call);
  if (std::optional<LaneNumbers> numbers = evaluate(instruction)) {
    known[&instruction] = *numbers;
    if (!canBePattern(instruction.getType()))
      return Varying;
    return intern(relative(*numbers, widthOf(instruction.getType())), false);
  }
  known.erase(&instruction);
  if (auto* operation = dyn_cast<BinaryOperator>(&instruction))
    return ofBinary(*operation);
  if (auto* cast = dyn_cast<CastInst>(&instruction))
    return ofCast(*cast);
  if (auto* address = dyn_cast<GetElementPtrInst>(&instruction))
    return ofAddress(*address);
  return ofOther(instruction);
}

const Value* ShapeAnalysis::loopEntryValue(const PHINode& phi, const DivergencePlan& plan) {
  if (phi.getNumIncomingValues() == 1)
    return phi.getIncomingValue(0);
  if (!plan.isLoopHeader(phi.getParent()) || phi.getNumIncomingValues() != 2)
    return nullptr;
  const Loop* loop = plan.loops().getLoopFor(phi.getParent());
  unsigned back = loop->contains(phi.getIncomingBlock(0)) ? 0 : 1;
  // The value carried around must be this phi plus something: its lane differences are the phi's.
  const Value* carried = phi.getIncomingValue(back);
  while (carried != &phi) {
    auto* step = dyn_cast<Instruction>(carried);
    if (!step || !isa<GetElementPtrInst, BinaryOperator>(step) ||
        (isa<BinaryOperator>(step) && step->getOpcode() != Instruction::Add))
      return nullptr;
    carried = step->getOperand(0);
    for (const Use& addend : drop_begin(step->operands()))
      if (isa<Instruction>(addend.get()) &&
          !plan.uniformity().isUniform(cast<Instruction>(addend.get())))
        return nullptr;
  }
  return phi.getIncomingValue(1 - back);
}

Shape ShapeAnalysis::ofPhi(PHINode& phi) {
  const BasicBlock* block = phi.getParent();
  if (plan.divergentLoopLeft(phi)) {
    // Lanes leave with the value of their own last iteration.
    Loop* left = plan.divergentLoopLeft(phi);
    auto* inner = dyn_cast<Instruction>(phi.getIncomingValue(0));
    if (phi.getNumIncomingValues() != 1 || (inner && left->contains(inner)))
      return Varying;
  } else if (plan.uniformity().isUniform(&phi)) {
    return Uniform;
  }
  Shape shape;
  const Value* only = nullptr;
  bool same = true;
  for (const Value* incoming : phi.incoming_values()) {
    if (isa<UndefValue>(incoming))
      continue;
    same &= !only || only == incoming;
    only = incoming;
    shape = join(shape, of(incoming));
  }
  if (!only)
    return Uniform;
  if (plan.ifJoinedBy(block) && !same)
    return Varying;
  if (shape.conditional && phi.getNumIncomingValues() > 1 && !loopEntryValue(phi, plan))
    return Varying;
  return shape;
}

Shape ShapeAnalysis::ofCall(CallBase& call) {
  StringRef name = threadFormName(&call);
  if (name == LaneId || name.starts_with("cpu.thread.") || name.starts_with("cpu.grid.")) {
    IdShape id = idShape(name, threads);
    if (id.kind == IdShape::Constant)
      known[&call] = id.numbers;
    return id.kind == IdShape::Varying ? Varying : intern(id.numbers, false);
  }
  if (call.getCalledFunction() &&
      call.getCalledFunction()->getName().starts_with("air.simd_broadcast.") &&
      of(call.getArgOperand(1)).isUniform())
    return Uniform;
  bool isPure = isa<IntrinsicInst>(call) && !call.mayReadOrWriteMemory() && !call.isConvergent();
  return isPure && operandsAre(call, Shape::Kind::Uniform) ? Uniform : Varying;
}

std::optional<LaneNumbers> ShapeAnalysis::numbersOf(const Value* value) const {
  if (auto* constant = dyn_cast<ConstantInt>(value); constant && constant->getBitWidth() <= 64) {
    LaneNumbers numbers;
    numbers.fill(constant->getSExtValue());
    return numbers;
  }
  if (const LaneNumbers* numbers = constants(value))
    return *numbers;
  return std::nullopt;
}

/// index & 7, index % 8 and the like of an index that is a multiple of 32 in lane 0.
std::optional<LaneNumbers> ShapeAnalysis::lowBits(const Instruction& instruction) const {
  auto* constant =
      isa<BinaryOperator>(instruction) ? dyn_cast<ConstantInt>(instruction.getOperand(1)) : nullptr;
  if (!constant || !isAlignedLaneIndex(instruction.getOperand(0), threads))
    return std::nullopt;
  uint64_t number = constant->getZExtValue();
  bool isAnd = instruction.getOpcode() == Instruction::And && number < 32;
  bool isRemainder = instruction.getOpcode() == Instruction::URem && number && 32 % number == 0;
  if (!isAnd && !isRemainder)
    return std::nullopt;
  return eachLane(64, [&](unsigned lane) { return isAnd ? lane & number : lane % number; });
}

std::optional<LaneNumbers> ShapeAnalysis::evaluate(const Instruction& instruction) const {
  if (!isa<BinaryOperator, ZExtInst, SExtInst, TruncInst, ICmpInst, SelectInst, FreezeInst>(
          instruction) ||
      !instruction.getType()->isIntegerTy() || instruction.getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  if (std::optional<LaneNumbers> numbers = lowBits(instruction))
    return numbers;
  SmallVector<LaneNumbers, 3> operands;
  for (const Value* operand : instruction.operands()) {
    std::optional<LaneNumbers> numbers = numbersOf(operand);
    if (!numbers)
      return std::nullopt;
    operands.push_back(*numbers);
  }
  LaneNumbers result;
  for (unsigned lane = 0; lane < 32; ++lane) {
    SmallVector<Constant*, 3> values;
    for (unsigned index = 0; index < operands.size(); ++index)
      values.push_back(
          ConstantInt::getSigned(instruction.getOperand(index)->getType(), operands[index][lane]));
    Constant* folded = values[0]; // freeze
    if (auto* operation = dyn_cast<BinaryOperator>(&instruction))
      folded = ConstantFoldBinaryInstruction(operation->getOpcode(), values[0], values[1]);
    else if (auto* cast = dyn_cast<CastInst>(&instruction))
      folded = ConstantFoldCastInstruction(cast->getOpcode(), values[0], cast->getType());
    else if (auto* compare = dyn_cast<ICmpInst>(&instruction))
      folded = ConstantFoldCompareInstruction(compare->getPredicate(), values[0], values[1]);
    else if (isa<SelectInst>(instruction))
      folded = values[values[0]->isNullValue() ? 2 : 1];
    auto* number = dyn_cast_or_null<ConstantInt>(folded);
    if (!number) // a division by zero, a shift too wide
      return std::nullopt;
    result[lane] = number->getSExtValue();
  }
  return result;
}

/// Where lane 0 has a zero bits below and every lane's difference fits in them, the difference is
/// just the value's low bits, and bitwise operations and divisions that respect the boundary act on
/// the two parts apart.
std::optional<Shape> ShapeAnalysis::bitwise(const BinaryOperator& operation) {
  auto* constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  const Value* value = operation.getOperand(0);
  Shape shape = of(value);
  if (!constant || constant->getBitWidth() > 64 || !shape.isPattern() || shape.conditional)
    return std::nullopt;
  const LaneNumbers& low = offsets(shape);
  auto [least, most] = std::minmax_element(low.begin(), low.end());
  unsigned bits = Log2_64_Ceil(static_cast<uint64_t>(*most) + 1);
  unsigned width = constant->getBitWidth();
  if (*least < 0 || bits >= width || trailingZeros(value, threads) < bits)
    return std::nullopt;

  uint64_t number = constant->getZExtValue();
  auto apply = [&](auto&& function) {
    return intern(relative(eachLane(width, function), width), false);
  };
  switch (operation.getOpcode()) {
  case Instruction::And:
    return apply([&](unsigned lane) { return low[lane] & number; });
  case Instruction::Or:
    return apply([&](unsigned lane) { return low[lane] | number; });
  case Instruction::Xor:
    return apply([&](unsigned lane) { return low[lane] ^ number; });
  case Instruction::LShr:
    if (number >= width)
      return std::nullopt;
    return apply([&](unsigned lane) { return static_cast<uint64_t>(low[lane]) >> number; });
  case Instruction::UDiv:
  case Instruction::URem: {
    uint64_t block = uint64_t(1) << bits;
    if (number == 0 || (block % number != 0 && number % block != 0))
      return std::nullopt;
    bool quotient = operation.getOpcode() == Instruction::UDiv;
    return apply([&](unsigned lane) {
      auto part = static_cast<uint64_t>(low[lane]);
      return quotient ? part / number : part % number;
    });
  }
  default:
    return std::nullopt;
  }
}

Shape ShapeAnalysis::ofBinary(BinaryOperator& operation) {
  additions.erase(&operation);
  if (operandsAre(operation, Shape::Kind::Uniform) && !operation.isIntDivRem())
    return Uniform;
  if (!canBePattern(operation.getType()))
    return Varying;
  if (std::optional<Shape> found = bitwise(operation))
    return *found;
  Shape left = of(operation.getOperand(0)), right = of(operation.getOperand(1));
  if (!left.isScalar() || !right.isScalar())
    return Varying;
  unsigned width = operation.getType()->getIntegerBitWidth();
  bool conditional = left.conditional || right.conditional;
  const LaneNumbers a = offsets(left), b = offsets(right);
  auto apply = [&](auto&& function) { return intern(eachLane(width, function), conditional); };
  auto* constant = dyn_cast<ConstantInt>(operation.getOperand(1));
  switch (operation.getOpcode()) {
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(operation).isDisjoint())
      return Varying;
    additions.insert(&operation);
    [[fallthrough]];
  case Instruction::Add:
    return apply([&](unsigned lane) { return uint64_t(a[lane]) + uint64_t(b[lane]); });
  case Instruction::Sub:
    return apply([&](unsigned lane) { return uint64_t(a[lane]) - uint64_t(b[lane]); });
  case Instruction::Mul:
    if (!constant)
      return Varying;
    return apply([&](unsigned lane) { return uint64_t(a[lane]) * constant->getZExtValue(); });
  case Instruction::Shl:
    if (!constant || constant->getValue().uge(width))
      return Varying;
    return apply([&](unsigned lane) { return uint64_t(a[lane]) << constant->getZExtValue(); });
  default:
    return Varying;
  }
}

bool ShapeAnalysis::extendsExactly(const Value* value, bool isSigned, int64_t least,
                                   int64_t most) const {
  const LaneNumbers& lanes = offsets(of(value));
  auto [smallest, largest] = std::minmax_element(lanes.begin(), lanes.end());
  unsigned width = value->getType()->getIntegerBitWidth();
  if (width >= 63)
    return false;
  int64_t low = *smallest + least, high = *largest + most;
  // Lane 0 leaves the low bits free that the differences need: nothing carries out of them.
  if (low >= 0 && Log2_64_Ceil(uint64_t(high) + 1) < width &&
      trailingZeros(value, threads) >= Log2_64_Ceil(uint64_t(high) + 1))
    return true;
  // A position in the grid is below 2^32 for every thread there is, the first lane among them.
  if (!isSigned && threadFormName(value).starts_with("cpu.grid.") && least == 0 && most == 0)
    return true;
  ConstantRange range = laneRange(value);
  if (isSigned) {
    int64_t limit = int64_t(1) << (width - 1);
    return range.getSignedMin().getSExtValue() + low >= -limit &&
           range.getSignedMax().getSExtValue() + high < limit;
  }
  return int64_t(range.getUnsignedMin().getZExtValue()) + low >= 0 &&
         int64_t(range.getUnsignedMax().getZExtValue()) + high < int64_t(1) << width;
}

Shape ShapeAnalysis::ofCast(CastInst& cast) {
  const Value* value = cast.getOperand(0);
  Shape shape = of(value);
  if (shape.isUniform())
    return Uniform;
  if (!shape.isPattern() || !canBePattern(cast.getType()) || !canBePattern(value->getType()))
    return Varying;
  switch (cast.getOpcode()) {
  case Instruction::Trunc: {
    const LaneNumbers numbers = offsets(shape);
    unsigned width = cast.getType()->getIntegerBitWidth();
    return intern(eachLane(width, [&](unsigned lane) { return numbers[lane]; }), shape.conditional);
  }
  case Instruction::ZExt:
  case Instruction::SExt:
    if (value->getType()->getIntegerBitWidth() < 32 && !extendsExactly(value, isa<SExtInst>(cast)))
      return Varying; // 8- and 16-bit indices do wrap in practice
    shape.conditional |= !extendsExactly(value, isa<SExtInst>(cast));
    return shape;
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return widthOf(cast.getType()) == 64 && widthOf(value->getType()) == 64 ? shape : Varying;
  case Instruction::BitCast:
    return shape;
  default:
    return Varying;
  }
}

Shape ShapeAnalysis::ofAddress(GetElementPtrInst& address) {
  if (address.getType()->isVectorTy())
    return Varying;
  Shape pointer = of(address.getPointerOperand());
  if (!pointer.isScalar())
    return Varying;
  LaneNumbers sum = offsets(pointer);
  bool conditional = pointer.conditional;
  for (auto it = gep_type_begin(address), end = gep_type_end(address); it != end; ++it) {
    Shape index = of(it.getOperand());
    if (!index.isScalar())
      return Varying;
    if (it.isStruct() || index.isUniform())
      continue;
    conditional |= index.conditional;
    const LaneNumbers& numbers = offsets(index);
    uint64_t stride = it.getSequentialElementStride(layout).getFixedValue();
    sum = eachLane(64, [&](unsigned lane) { return sum[lane] + uint64_t(numbers[lane]) * stride; });
  }
  return intern(sum, conditional);
}

Shape ShapeAnalysis::ofOther(Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::Freeze:
    return of(instruction.getOperand(0));
  case Instruction::Select: {
    if (!of(instruction.getOperand(0)).isUniform())
      return Varying;
    return join(of(instruction.getOperand(1)), of(instruction.getOperand(2)));
  }
  case Instruction::Load: {
    auto& load = cast<LoadInst>(instruction);
    return of(load.getPointerOperand()).isUniform() && load.isUnordered() && !load.isVolatile()
               ? Uniform
               : Varying;
  }
  default: {
    bool isPure = !instruction.mayHaveSideEffects() && !instruction.mayReadFromMemory() &&
                  !instruction.isTerminator() && !isa<AllocaInst>(instruction);
    return isPure && operandsAre(instruction, Shape::Kind::Uniform) ? Uniform : Varying;
  }
  }
}

} // namespace metalloid::cpu
