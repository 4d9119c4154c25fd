// SPDX-License-Identifier: Apache-2.0
// Loads and stores: one scalar access where all lanes share the address, one vector where lanes are
// neighbours, else gathers and scatters. Idle lanes touch no memory of the program's.
#include "cpu/vectoriser.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

/// The type that stands for `type` in memory: i1 is a byte.
Type* inMemory(Type* type) {
  return type->isIntegerTy(1) ? Type::getInt8Ty(type->getContext()) : type;
}

} // namespace

/// Lanes lie side by side, as the lanes of a vector in memory do.
bool Vectoriser::isContiguous(const Value* pointer, Type* type) const {
  Shape shape = shapes.of(pointer);
  if (!shape.isPattern() || !layout.typeSizeEqualsStoreSize(type))
    return false;
  int64_t size = layout.getTypeStoreSize(type).getFixedValue();
  const LaneNumbers& bytes = shapes.offsets(shape);
  for (int64_t lane = 0; lane < 32; ++lane)
    if (bytes[lane] != lane * size)
      return false;
  return true;
}

/// Lanes from `pointer` (lane 0's) on.
Parts Vectoriser::loadContiguous(Type* type, Value* pointer, Align alignment) {
  auto* vector = build.vectorOf(type);
  uint64_t bytes = build.chunk * layout.getTypeStoreSize(type).getFixedValue();
  unsigned bits = layout.getTypeSizeInBits(type);
  if (!mask->full && !build.hooks.masks(bits))
    return gather(type, build.each([&](unsigned part) {
      return build.CreateGEP(type,
                             build.CreateConstGEP1_64(build.getInt8Ty(), pointer, part * bytes),
                             build.CreateStepVector(build.vectorOf(build.getInt64Ty())));
    }),
                  alignment);
  return build.each([&](unsigned part) -> Value* {
    Value* at = build.CreateConstGEP1_64(build.getInt8Ty(), pointer, part * bytes);
    Align here = commonAlignment(alignment, part * bytes);
    if (mask->full)
      return build.CreateAlignedLoad(vector, at, here);
    return build.CreateMaskedLoad(vector, at, here, mask->lanes[part]);
  });
}

void Vectoriser::storeContiguous(const Parts& values, Value* pointer, Align alignment) {
  Type* type = values[0]->getType()->getScalarType();
  uint64_t bytes = build.chunk * layout.getTypeStoreSize(type).getFixedValue();
  if (!mask->full && !build.hooks.masks(layout.getTypeSizeInBits(type)))
    return scatter(values, build.each([&](unsigned part) {
      return build.CreateGEP(type,
                             build.CreateConstGEP1_64(build.getInt8Ty(), pointer, part * bytes),
                             build.CreateStepVector(build.vectorOf(build.getInt64Ty())));
    }),
                   alignment);
  for (unsigned part = 0; part < build.count; ++part) {
    Value* at = build.CreateConstGEP1_64(build.getInt8Ty(), pointer, part * bytes);
    Align here = commonAlignment(alignment, part * bytes);
    if (mask->full)
      build.CreateAlignedStore(values[part], at, here);
    else
      build.CreateMaskedStore(values[part], at, here, mask->lanes[part]);
  }
}

/// Idle lanes' pointers led to a slot of the stack.
Parts Vectoriser::safePointers(const Parts& pointers) {
  if (mask->full)
    return pointers;
  if (!idleSlot)
    idleSlot = build.stack(ArrayType::get(build.getInt64Ty(), 4));
  return build.select(mask->lanes, pointers, build.splat(idleSlot));
}

Parts Vectoriser::gather(Type* type, const Parts& pointers, Align alignment) {
  unsigned bits = layout.getTypeSizeInBits(type);
  if (build.hooks.gathers && (bits == 32 || bits == 64))
    return build.each([&](unsigned part) -> Value* {
      Value* active = mask->full ? nullptr : mask->lanes[part];
      return build.CreateMaskedGather(build.vectorOf(type), pointers[part], alignment, active);
    });
  Parts safe = safePointers(pointers);
  return build.gathered(type, [&](unsigned lane) {
    return build.CreateAlignedLoad(type, build.extract(safe, lane), alignment);
  });
}

void Vectoriser::scatter(const Parts& values, const Parts& pointers, Align alignment) {
  Type* type = values[0]->getType()->getScalarType();
  unsigned bits = layout.getTypeSizeInBits(type);
  if (build.hooks.scatters && (bits == 32 || bits == 64)) {
    for (unsigned part = 0; part < build.count; ++part)
      build.CreateMaskedScatter(values[part], pointers[part], alignment,
                                mask->full ? nullptr : mask->lanes[part]);
    return;
  }
  Parts safe = safePointers(pointers);
  for (unsigned lane = 0; lane < 32; ++lane)
    build.CreateAlignedStore(build.extract(values, lane), build.extract(safe, lane), alignment);
}

void Vectoriser::emitLoad(LoadInst& load) {
  Value* pointer = load.getPointerOperand();
  Shape shape = shapes.of(pointer);
  Align alignment = load.getAlign();
  if (shape.isUniform()) {
    LoadInst* one = build.CreateAlignedLoad(load.getType(), scalar(pointer), alignment,
                                            load.isVolatile(), load.getName());
    return setScalar(load, one);
  }
  if (!VectorType::isValidElementType(load.getType())) {
    fail("a load of an aggregate");
    return;
  }
  Type* type = inMemory(load.getType());
  auto slow = [&]() -> SmallVector<Parts, 2> { return {gather(type, lanes(pointer), alignment)}; };
  Parts values;
  if (isContiguous(pointer, type))
    values = either(
        condition(pointer),
        [&]() -> SmallVector<Parts, 2> {
          return {loadContiguous(type, scalar(pointer), alignment)};
        },
        slow)[0];
  else if (mayBeRows(pointer, type)) {
    Parts pointers = frozenLanes(pointer);
    values = either(
        areRows(pointers, type),
        [&]() -> SmallVector<Parts, 2> { return {loadRows(type, pointers, alignment)}; },
        [&]() -> SmallVector<Parts, 2> { return {gather(type, pointers, alignment)}; })[0];
  } else
    values = slow()[0];
  if (type != load.getType())
    values = build.cast(Instruction::Trunc, values, load.getType());
  setLanes(load, values);
}

void Vectoriser::emitStore(StoreInst& store) {
  Value *pointer = store.getPointerOperand(), *value = store.getValueOperand();
  Shape shape = shapes.of(pointer);
  Align alignment = store.getAlign();
  if (shape.isUniform() && shapes.of(value).isUniform()) {
    build.CreateAlignedStore(scalar(value), scalar(pointer), alignment, store.isVolatile());
    return;
  }
  if (!VectorType::isValidElementType(value->getType())) {
    fail("a store of an aggregate");
    return;
  }
  Type* type = inMemory(value->getType());
  Parts values = lanes(value);
  if (type != value->getType())
    values = build.cast(Instruction::ZExt, values, type);
  if (shape.isUniform()) {
    // All active lanes write one place: the last of them wins.
    Value* last = mask->full ? build.getInt32(31) : build.lastLane(build.bits(mask->lanes));
    build.CreateAlignedStore(build.extract(values, last), scalar(pointer), alignment,
                             store.isVolatile());
    return;
  }
  auto slow = [&]() -> SmallVector<Parts, 2> {
    scatter(values, lanes(pointer), alignment);
    return {};
  };
  if (mayBeRows(pointer, type)) {
    Parts pointers = frozenLanes(pointer);
    either(
        areRows(pointers, type),
        [&]() -> SmallVector<Parts, 2> {
          storeRows(values, pointers, alignment);
          return {};
        },
        [&]() -> SmallVector<Parts, 2> {
          scatter(values, pointers, alignment);
          return {};
        });
    return;
  }
  if (!isContiguous(pointer, type)) {
    slow();
    return;
  }
  either(
      condition(pointer),
      [&]() -> SmallVector<Parts, 2> {
        storeContiguous(values, scalar(pointer), alignment);
        return {};
      },
      slow);
}

/// memcpy, memmove and memset with lengths of their own, one lane after another.
void Vectoriser::emitMemoryIntrinsic(MemIntrinsic& call) {
  SmallVector<std::pair<Value*, AllocaInst*>, 4> arguments;
  for (Value* argument : call.args())
    arguments.emplace_back(
        argument, shapes.of(argument).isUniform() ? nullptr : build.spill(lanes(argument)));
  forEachActiveLane([&](Value* lane) {
    auto* copy = cast<CallBase>(call.clone());
    copy->dropUnknownNonDebugMetadata();
    for (unsigned index = 0; index < arguments.size(); ++index) {
      auto [argument, array] = arguments[index];
      Value* here = array ? build.CreateLoad(argument->getType(),
                                             build.CreateGEP(argument->getType(), array, lane))
                          : scalar(argument);
      copy->setArgOperand(index, here);
    }
    build.Insert(copy);
  });
}

} // namespace metalloid::cpu
