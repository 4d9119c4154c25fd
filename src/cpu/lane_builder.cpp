// SPDX-License-Identifier: Apache-2.0
#include "cpu/lane_builder.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace metalloid::cpu {

Parts LaneBuilder::each(function_ref<Value*(unsigned)> make) const {
  Parts parts;
  for (unsigned part = 0; part < count; ++part)
    parts.push_back(make(part));
  return parts;
}

Parts LaneBuilder::splat(Value* value) {
  Value* vector = CreateVectorSplat(chunk, value);
  return Parts(count, vector);
}

Parts LaneBuilder::constants(Type* type, const LaneNumbers& numbers) {
  return each([&](unsigned part) -> Value* {
    SmallVector<Constant*, 32> lanes;
    for (unsigned lane = 0; lane < chunk; ++lane)
      lanes.push_back(ConstantInt::getSigned(type, numbers[part * chunk + lane]));
    return ConstantVector::get(lanes);
  });
}

Parts LaneBuilder::plus(Value* base, const LaneNumbers& numbers) {
  Type* type = base->getType();
  if (type->isPointerTy()) {
    Parts bytes = constants(getInt64Ty(), numbers);
    return each([&](unsigned part) { return CreateGEP(getInt8Ty(), base, bytes[part]); });
  }
  Parts bases = splat(base), steps = constants(type, numbers);
  return each([&](unsigned part) { return CreateAdd(bases[part], steps[part]); });
}

Parts LaneBuilder::select(const Parts& mask, const Parts& yes, const Parts& no) {
  return each([&](unsigned part) { return CreateSelect(mask[part], yes[part], no[part]); });
}

Parts LaneBuilder::cast(Instruction::CastOps operation, const Parts& values, Type* element) {
  return each(
      [&](unsigned part) { return CreateCast(operation, values[part], vectorOf(element)); });
}

Parts LaneBuilder::freeze(const Parts& values) {
  return each([&](unsigned part) { return CreateFreeze(values[part]); });
}

Parts LaneBuilder::shuffle(const Parts& a, const Parts& b,
                           function_ref<unsigned(unsigned)> source) {
  auto partOf = [&](unsigned lane) { return lane < 32 ? a[lane / chunk] : b[(lane - 32) / chunk]; };
  return each([&](unsigned part) -> Value* {
    Value* result = nullptr;
    SmallVector<bool, 32> placed(chunk, false);
    // One shuffle for the first two source vectors, one more for every further one.
    while (true) {
      Value *first = result, *second = nullptr;
      SmallVector<int, 32> order(chunk, -1);
      for (unsigned lane = 0; lane < chunk; ++lane) {
        if (placed[lane]) {
          order[lane] = lane;
          continue;
        }
        unsigned from = source(part * chunk + lane);
        Value* vector = partOf(from);
        if (!first)
          first = vector;
        else if (!second && vector != first)
          second = vector;
        bool isFirst = vector == first && !result;
        if (!isFirst && vector != second)
          continue;
        order[lane] = (isFirst ? 0 : chunk) + from % chunk;
        placed[lane] = true;
      }
      result =
          second ? CreateShuffleVector(first, second, order) : CreateShuffleVector(first, order);
      if (!is_contained(placed, false))
        return result;
    }
  });
}

Parts LaneBuilder::permute(const Parts& values, const Parts& indices) {
  auto* type = values[0]->getType()->getScalarType();
  unsigned width = type->isPointerTy() ? 64 : type->getScalarSizeInBits();
  if (hooks.permutesPairs && chunk == 16 && width <= 64) {
    auto* words = vectorOf(getInt32Ty());
    auto* whole = vectorOf(getIntNTy(width));
    auto pick = [&](const Parts& from) {
      return each(
          [&](unsigned part) { return permutePair(*this, from[0], from[1], indices[part]); });
    };
    Parts bits = each([&](unsigned part) { return CreateBitOrPointerCast(values[part], whole); });
    Parts low = pick(each([&](unsigned part) { return CreateZExtOrTrunc(bits[part], words); }));
    if (width <= 32)
      return each([&](unsigned part) {
        return CreateBitOrPointerCast(CreateTrunc(low[part], whole), vectorOf(type));
      });
    Parts high =
        pick(each([&](unsigned part) { return CreateTrunc(CreateLShr(bits[part], 32), words); }));
    return each([&](unsigned part) {
      Value* joined =
          CreateOr(CreateZExt(low[part], whole), CreateShl(CreateZExt(high[part], whole), 32));
      return CreateBitOrPointerCast(joined, vectorOf(type));
    });
  }
  if (type->isIntegerTy(1)) {
    Parts bytes = permute(cast(Instruction::ZExt, values, getInt8Ty()), indices);
    return cast(Instruction::Trunc, bytes, type);
  }
  // Through memory: any target can load from a computed address.
  AllocaInst* array = spill(values);
  Align alignment(PowerOf2Ceil(width / 8));
  if (hooks.gathers && width >= 32)
    return each([&](unsigned part) {
      Value* at = CreateZExt(indices[part], vectorOf(getInt64Ty()));
      return CreateMaskedGather(vectorOf(type), CreateGEP(type, array, at), alignment);
    });
  return gathered(type, [&](unsigned lane) -> Value* {
    Value* at = CreateZExt(extract(indices, lane), getInt64Ty());
    return CreateAlignedLoad(type, CreateGEP(type, array, at), alignment);
  });
}

Parts LaneBuilder::lanesOf(const Mask& mask) {
  return mask.full ? splat(getTrue()) : mask.lanes;
}

Mask LaneBuilder::both(const Mask& mask, const Parts& condition) {
  if (mask.full)
    return {false, condition};
  // A select, not an and: the condition may be poison in idle lanes.
  Value* none = Constant::getNullValue(vectorOf(getInt1Ty()));
  return {false, each([&](unsigned part) {
            return CreateSelect(mask.lanes[part], condition[part], none);
          })};
}

Value* LaneBuilder::any(const Parts& mask) {
  Value* some = mask[0];
  for (Value* part : drop_begin(mask))
    some = CreateOr(some, part);
  return CreateOrReduce(some);
}

Value* LaneBuilder::bits(const Parts& mask) {
  Value* all = nullptr;
  for (unsigned part = count; part-- > 0;) {
    Value* bits = CreateZExt(CreateBitCast(mask[part], getIntNTy(chunk)), getInt32Ty());
    all = all ? CreateOr(CreateShl(all, chunk), bits) : bits;
  }
  return all;
}

Parts LaneBuilder::fromBits(Value* bits) {
  LaneNumbers powers;
  for (unsigned lane = 0; lane < 32; ++lane)
    powers[lane] = static_cast<int32_t>(uint32_t(1) << lane);
  Parts all = splat(bits), single = constants(getInt32Ty(), powers);
  return each([&](unsigned part) { return CreateIsNotNull(CreateAnd(all[part], single[part])); });
}

Value* LaneBuilder::firstLane(Value* bits) {
  return CreateIntrinsic(Intrinsic::cttz, {getInt32Ty()}, {bits, getTrue()});
}

Value* LaneBuilder::lastLane(Value* bits) {
  return CreateSub(getInt32(31),
                   CreateIntrinsic(Intrinsic::ctlz, {getInt32Ty()}, {bits, getTrue()}));
}

Value* LaneBuilder::extract(const Parts& values, unsigned lane) {
  return CreateExtractElement(values[lane / chunk], uint64_t(lane % chunk));
}

Value* LaneBuilder::extract(const Parts& values, Value* lane) {
  if (auto* constant = dyn_cast<ConstantInt>(lane))
    return extract(values, constant->getZExtValue() & 31);
  Type* element = values[0]->getType()->getScalarType();
  if (element->isIntegerTy(1))
    return CreateTrunc(CreateLShr(bits(values), CreateZExtOrTrunc(lane, getInt32Ty())), element);
  Value* at = CreateZExtOrTrunc(lane, getInt64Ty());
  return CreateLoad(element, CreateInBoundsGEP(element, spill(values), at));
}

Parts LaneBuilder::gathered(Type* element, function_ref<Value*(unsigned)> make) {
  return each([&](unsigned part) {
    Value* vector = PoisonValue::get(vectorOf(element));
    for (unsigned lane = 0; lane < chunk; ++lane)
      vector = CreateInsertElement(vector, make(part * chunk + lane), uint64_t(lane));
    return vector;
  });
}

AllocaInst* LaneBuilder::stack(Type* type, Align alignment) {
  BasicBlock& entry = GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> at(&entry, entry.begin());
  AllocaInst* memory = at.CreateAlloca(type);
  memory->setAlignment(alignment);
  return memory;
}

AllocaInst* LaneBuilder::spill(const Parts& values) {
  Type* element = values[0]->getType()->getScalarType();
  AllocaInst* array = stack(ArrayType::get(element, 32));
  for (unsigned part = 0; part < count; ++part)
    CreateStore(values[part], CreateConstInBoundsGEP1_64(element, array, part * chunk));
  return array;
}

Parts LaneBuilder::reload(Type* element, Value* array) {
  return each([&](unsigned part) {
    return CreateLoad(vectorOf(element), CreateConstInBoundsGEP1_64(element, array, part * chunk));
  });
}

} // namespace metalloid::cpu
