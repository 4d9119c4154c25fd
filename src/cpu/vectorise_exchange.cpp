// SPDX-License-Identifier: Apache-2.0
// SIMD-group and quad-group functions: sums and scans as the fixed trees of
// docs/numeric-contract.md, shuffles, votes. The group is `width` lanes: 32, or 4 for quads; quads
// lie in a vector side by side.
#include "cpu/vectoriser.h"

using namespace llvm;

namespace metalloid::cpu {

using air::Primitive;
using air::PrimitiveCall;
using air::ReduceOp;
using air::ShuffleMode;

Constant* neutralElement(ReduceOp op, bool isSigned, Type* type) {
  bool isReal = type->isFloatingPointTy();
  unsigned width = type->getScalarSizeInBits();
  switch (op) {
  case ReduceOp::Sum:
    return isReal ? ConstantFP::getNegativeZero(type) : Constant::getNullValue(type);
  case ReduceOp::Product:
    return isReal ? ConstantFP::get(type, 1.0) : ConstantInt::get(type, 1);
  case ReduceOp::Min:
    return isReal ? ConstantFP::getInfinity(type)
                  : ConstantInt::get(type, isSigned ? APInt::getSignedMaxValue(width)
                                                    : APInt::getMaxValue(width));
  case ReduceOp::Max:
    return isReal ? ConstantFP::getInfinity(type, /*Negative=*/true)
                  : ConstantInt::get(type, isSigned ? APInt::getSignedMinValue(width)
                                                    : APInt::getMinValue(width));
  case ReduceOp::And:
    return Constant::getAllOnesValue(type);
  default:
    return Constant::getNullValue(type);
  }
}

/// One step of a tree, on scalars or vectors; `a` is of the lower lanes.
Value* Vectoriser::combine(ReduceOp op, bool isSigned, Value* a, Value* b) {
  bool isReal = a->getType()->isFPOrFPVectorTy();
  switch (op) {
  case ReduceOp::Sum:
    return isReal ? build.CreateFAdd(a, b) : build.CreateAdd(a, b);
  case ReduceOp::Product:
    return isReal ? build.CreateFMul(a, b) : build.CreateMul(a, b);
  case ReduceOp::Min:
  case ReduceOp::Max: {
    bool isMin = op == ReduceOp::Min;
    if (!isReal)
      return build.CreateBinaryIntrinsic(isMin ? (isSigned ? Intrinsic::smin : Intrinsic::umin)
                                               : (isSigned ? Intrinsic::smax : Intrinsic::umax),
                                         a, b);
    // air.fmin and air.fmax: the number where the other is NaN, of two equal values the second.
    Value* wins = isMin ? build.CreateFCmpOLT(a, b) : build.CreateFCmpOGT(a, b);
    return build.CreateSelect(build.CreateFCmpUNO(b, b), a, build.CreateSelect(wins, a, b));
  }
  case ReduceOp::And:
    return build.CreateAnd(a, b);
  case ReduceOp::Or:
    return build.CreateOr(a, b);
  case ReduceOp::Xor:
    return build.CreateXor(a, b);
  default:
    return fail("a reduction", a->getType());
  }
}

/// `value`'s lanes, idle ones holding `idle`.
Parts Vectoriser::activeLanes(const Value* value, Constant* idle) {
  Parts values = lanes(value);
  return mask->full ? values : build.select(mask->lanes, values, build.splat(idle));
}

/// for d in 16, 8, 4, 2, 1: v[l] = v[l] op v[l ^ d]; all lanes end with the same, so half of the
/// lanes is kept at each step.
Value* Vectoriser::reduce(ReduceOp op, bool isSigned, Parts values) {
  while (values.size() > 1) {
    size_t half = values.size() / 2;
    for (size_t part = 0; part < half; ++part)
      values[part] = combine(op, isSigned, values[part], values[part + half]);
    values.truncate(half);
  }
  Value* left = values[0];
  for (unsigned distance = build.chunk / 2; distance; distance /= 2) {
    SmallVector<int, 16> low, high;
    for (unsigned lane = 0; lane < distance; ++lane) {
      low.push_back(lane);
      high.push_back(lane + distance);
    }
    left = combine(op, isSigned, build.CreateShuffleVector(left, low),
                   build.CreateShuffleVector(left, high));
  }
  return build.CreateExtractElement(left, uint64_t(0));
}

Parts Vectoriser::reduceQuads(ReduceOp op, bool isSigned, Parts values) {
  for (unsigned distance : {2u, 1u}) {
    Parts low = build.shuffle(values, values, [&](unsigned lane) { return lane & ~distance; });
    Parts high = build.shuffle(values, values, [&](unsigned lane) { return lane | distance; });
    values =
        build.each([&](unsigned part) { return combine(op, isSigned, low[part], high[part]); });
  }
  return values;
}

/// for d in 1, 2, 4, …: v[l] = v[l - d] op v[l] where that lane is in the group.
Parts Vectoriser::scan(const PrimitiveCall& call, Parts values, unsigned width) {
  auto position = [&](unsigned lane) { return lane & (width - 1); };
  for (unsigned distance = 1; distance < width; distance *= 2) {
    Parts lower = build.shuffle(values, values, [&](unsigned lane) {
      return position(lane) >= distance ? lane - distance : lane;
    });
    Parts sums = build.each(
        [&](unsigned part) { return combine(call.op, call.isSigned, lower[part], values[part]); });
    values = build.shuffle(
        values, sums, [&](unsigned lane) { return position(lane) >= distance ? 32 + lane : lane; });
  }
  if (!call.isExclusive)
    return values;
  Type* type = values[0]->getType()->getScalarType();
  Constant* start = call.op == ReduceOp::Sum ? Constant::getNullValue(type)
                                             : neutralElement(call.op, call.isSigned, type);
  return build.shuffle(values, build.splat(start),
                       [&](unsigned lane) { return position(lane) ? lane - 1 : 32; });
}

/// The lanes' own numbers as i32.
Parts Vectoriser::laneNumbers() {
  LaneNumbers numbers;
  for (unsigned lane = 0; lane < 32; ++lane)
    numbers[lane] = lane;
  return build.constants(build.getInt32Ty(), numbers);
}

Parts Vectoriser::shuffleBy(ShuffleMode mode, const Parts& values, const Value* amount,
                            unsigned width) {
  unsigned inGroup = width - 1;
  if (auto* constant = dyn_cast<ConstantInt>(amount)) {
    unsigned distance = constant->getZExtValue();
    return build.shuffle(values, values, [&](unsigned lane) {
      unsigned group = lane & ~inGroup, position = lane & inGroup;
      switch (mode) {
      case ShuffleMode::Up:
        return position >= distance ? lane - distance : lane;
      case ShuffleMode::Down:
        return position + distance < width ? lane + distance : lane;
      case ShuffleMode::Xor:
        return group | ((position ^ distance) & inGroup);
      case ShuffleMode::RotateUp:
        return group | ((position - distance) & inGroup);
      case ShuffleMode::RotateDown:
        return group | ((position + distance) & inGroup);
      default:
        return group | (distance & inGroup);
      }
    });
  }
  Parts own = laneNumbers(), by = build.cast(Instruction::ZExt, lanes(amount), build.getInt32Ty());
  auto* words = build.vectorOf(build.getInt32Ty());
  auto number = [&](unsigned value) { return ConstantInt::get(words, value); };
  return build.permute(values, build.each([&](unsigned part) -> Value* {
    Value *lane = own[part], *distance = by[part];
    Value* position = build.CreateAnd(lane, number(inGroup));
    Value* group = build.CreateAnd(lane, number(~inGroup));
    auto within = [&](Value* at) {
      return build.CreateOr(group, build.CreateAnd(at, number(inGroup)));
    };
    switch (mode) {
    case ShuffleMode::Up:
      return build.CreateSelect(build.CreateICmpUGE(position, distance),
                                build.CreateSub(lane, distance), lane);
    case ShuffleMode::Down:
      return build.CreateSelect(
          build.CreateICmpULT(build.CreateAdd(position, distance), number(width)),
          build.CreateAdd(lane, distance), lane);
    case ShuffleMode::Xor:
      return within(build.CreateXor(lane, distance));
    case ShuffleMode::RotateUp:
      return within(build.CreateSub(lane, distance));
    case ShuffleMode::RotateDown:
      return within(build.CreateAdd(lane, distance));
    default:
      return within(distance);
    }
  }));
}

/// In blocks of `modulo` lanes: up gives data[l - d], and from the fill value's upper lanes where
/// that is below the block; down the mirror image.
Parts Vectoriser::shuffleAndFill(ShuffleMode mode, const Parts& values, const Parts& fill,
                                 const Value* delta, const Value* modulo, unsigned width) {
  bool up = mode == ShuffleMode::Up;
  auto* distance = dyn_cast<ConstantInt>(delta);
  auto* block = dyn_cast<ConstantInt>(modulo);
  if (distance && block) {
    unsigned d = distance->getZExtValue(), size = block->getZExtValue();
    if (size == 0 || size > width || !isPowerOf2_32(size))
      size = width;
    return build.shuffle(values, fill, [&](unsigned lane) {
      unsigned position = lane & (size - 1), start = lane & ~(size - 1);
      bool own = up ? position >= d : position + d < size;
      unsigned from = start | ((up ? position - d : position + d) & (size - 1));
      return own ? from : 32 + from;
    });
  }
  Parts numbers = laneNumbers();
  Parts by = build.cast(Instruction::ZExt, lanes(delta), build.getInt32Ty());
  Parts sizes = build.cast(Instruction::ZExt, lanes(modulo), build.getInt32Ty());
  auto* words = build.vectorOf(build.getInt32Ty());
  Parts own(build.count, nullptr);
  Parts from = build.each([&](unsigned part) {
    Value *lane = numbers[part], *d = by[part];
    Value* last = build.CreateAnd(build.CreateSub(sizes[part], ConstantInt::get(words, 1)),
                                  ConstantInt::get(words, width - 1));
    Value* position = build.CreateAnd(lane, last);
    Value* start = build.CreateAnd(lane, build.CreateNot(last));
    own[part] = up ? build.CreateICmpUGE(position, d)
                   : build.CreateICmpULE(build.CreateAdd(position, d), last);
    Value* moved = up ? build.CreateSub(position, d) : build.CreateAdd(position, d);
    return build.CreateOr(start, build.CreateAnd(moved, last));
  });
  return build.select(own, build.permute(values, from), build.permute(fill, from));
}

/// In every lane: the value of its quad's first active lane.
Parts Vectoriser::firstOfQuads(const Parts& values) {
  auto ofQuad = [&](const Parts& from, unsigned k) {
    return build.shuffle(from, from, [&](unsigned lane) { return (lane & ~3u) | k; });
  };
  if (mask->full)
    return ofQuad(values, 0);
  Parts first = ofQuad(values, 3);
  for (unsigned k : {2u, 1u, 0u})
    first = build.select(ofQuad(mask->lanes, k), ofQuad(values, k), first);
  return first;
}

/// In every lane: bit k is set where lane k of its quad is set.
Parts Vectoriser::quadBits(const Parts& set) {
  Type* type = build.getInt16Ty();
  LaneNumbers powers;
  for (unsigned lane = 0; lane < 32; ++lane)
    powers[lane] = 1 << (lane & 3);
  Parts bits =
      build.select(set, build.constants(type, powers), build.splat(Constant::getNullValue(type)));
  return reduceQuads(ReduceOp::Or, false, bits);
}

Parts Vectoriser::isFirst(unsigned width) {
  Parts numbers = laneNumbers(), first;
  if (width == 4)
    first = firstOfQuads(numbers);
  else if (mask->full)
    first = build.splat(build.getInt32(0));
  else
    first = build.splat(build.firstLane(build.bits(mask->lanes)));
  return build.each([&](unsigned part) { return build.CreateICmpEQ(numbers[part], first[part]); });
}

/// Any or all of the group's active lanes.
void Vectoriser::emitVote(CallBase& call, bool isAll, unsigned width) {
  Parts votes = lanes(call.getArgOperand(0));
  if (isAll) // all is: not any that is not
    votes = build.each([&](unsigned part) { return build.CreateNot(votes[part]); });
  votes = build.both(*mask, votes).lanes;
  if (width == 32) {
    Value* some = build.any(votes);
    return setScalar(call, isAll ? build.CreateNot(some) : some);
  }
  votes = reduceQuads(ReduceOp::Or, false, votes);
  setLanes(call, build.each([&](unsigned part) {
    return isAll ? build.CreateNot(votes[part]) : votes[part];
  }));
}

void Vectoriser::emitBroadcast(CallBase& call, unsigned width) {
  const Value *value = call.getArgOperand(0), *lane = call.getArgOperand(1);
  Parts values = activeLanes(value, Constant::getNullValue(value->getType()));
  if (width == 32 && shapes.of(lane).isUniform()) {
    Value* at = build.CreateAnd(build.CreateZExtOrTrunc(scalar(lane), build.getInt32Ty()), 31);
    return setScalar(call, build.extract(values, at));
  }
  setLanes(call, shuffleBy(ShuffleMode::Index, values, lane, width));
}

void Vectoriser::emitExchange(CallBase& call, const PrimitiveCall& primitive) {
  bool isQuad = primitive.kind >= Primitive::QuadReduce && primitive.kind <= Primitive::QuadIsFirst;
  unsigned width = isQuad ? 4 : 32;
  Type* type = call.getType();
  auto argument = [&](unsigned index) { return call.getArgOperand(index); };
  auto orZero = [&](unsigned index) { // an idle lane's value reads as zero
    return activeLanes(argument(index), Constant::getNullValue(argument(index)->getType()));
  };
  auto orNeutral = [&] {
    return activeLanes(argument(0), neutralElement(primitive.op, primitive.isSigned, type));
  };
  switch (primitive.kind) {
  case Primitive::SimdReduce:
    return setScalar(call, reduce(primitive.op, primitive.isSigned, orNeutral()));
  case Primitive::QuadReduce:
    return setLanes(call, reduceQuads(primitive.op, primitive.isSigned, orNeutral()));
  case Primitive::SimdScan:
  case Primitive::QuadScan:
    return setLanes(call, scan(primitive, orNeutral(), width));
  case Primitive::SimdShuffle:
  case Primitive::QuadShuffle:
    return setLanes(call, shuffleBy(primitive.mode, orZero(0), argument(1), width));
  case Primitive::SimdShuffleFill:
  case Primitive::QuadShuffleFill:
    return setLanes(call, shuffleAndFill(primitive.mode, orZero(0), orZero(1), argument(2),
                                         argument(3), width));
  case Primitive::SimdBroadcast:
  case Primitive::QuadBroadcast:
    return emitBroadcast(call, width);
  case Primitive::SimdBroadcastFirst: {
    Value* first = mask->full ? build.getInt32(0) : build.firstLane(build.bits(mask->lanes));
    return setScalar(call, build.extract(lanes(argument(0)), first));
  }
  case Primitive::QuadBroadcastFirst:
    return setLanes(call, firstOfQuads(lanes(argument(0))));
  case Primitive::SimdVote:
  case Primitive::QuadVote:
    return emitVote(call, primitive.isAll, width);
  case Primitive::SimdBallot:
    return setScalar(call, build.CreateZExtOrTrunc(
                               build.bits(build.both(*mask, lanes(argument(0))).lanes), type));
  case Primitive::SimdActiveMask:
    return setScalar(call, build.CreateZExtOrTrunc(build.bits(build.lanesOf(*mask)), type));
  case Primitive::QuadBallot:
    return setLanes(call, quadBits(build.both(*mask, lanes(argument(0))).lanes));
  case Primitive::QuadActiveMask:
    return setLanes(call, quadBits(build.lanesOf(*mask)));
  case Primitive::SimdIsFirst:
  case Primitive::QuadIsFirst:
    return setLanes(call, isFirst(width));
  default:
    fail("call of '" + call.getCalledFunction()->getName() + "'");
  }
}

} // namespace metalloid::cpu
