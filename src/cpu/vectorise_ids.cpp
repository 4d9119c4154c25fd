// SPDX-License-Identifier: Apache-2.0
// Positions of threads, and the memory blocks of private arrays.
#include "cpu/launch.h"
#include "cpu/vectoriser.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

unsigned axisOf(StringRef name) {
  return name.back() - 'x';
}

} // namespace

Value* Vectoriser::launchWord(unsigned offset) {
  Value* at = build.CreateConstGEP1_64(build.getInt8Ty(), to->getArg(LaunchParam), offset);
  return build.CreateAlignedLoad(build.getInt32Ty(), at, Align(4));
}

/// Threads of the threadgroup along `axis`.
Value* Vectoriser::extent(unsigned axis) {
  if (uint32_t fixed = options.shape.threads[axis])
    return build.getInt32(fixed);
  return launchWord(offsetof(Launch, threadsPerThreadgroup) + 4 * axis);
}

/// The position of lane 0.
Value* Vectoriser::firstPosition(unsigned axis) {
  auto& threads = options.shape.threads;
  Value* index = build.CreateShl(to->getArg(SimdgroupParam), 5);
  if (threads[axis] == 1)
    return build.getInt32(0);
  if (axis == 0 && threads[1] == 1 && threads[2] == 1)
    return index;
  Value* row = extent(0);
  if (axis == 0)
    return build.CreateURem(index, row);
  if (axis == 1)
    return build.CreateURem(build.CreateUDiv(index, row), extent(1));
  return build.CreateUDiv(index, build.CreateMul(row, extent(1)));
}

/// The position of every lane, by division: indices are below 1056 and extents at most 1024, so
/// quotients of floats are exact after rounding down.
Parts Vectoriser::positionLanes(unsigned axis) {
  LaneNumbers numbers;
  for (unsigned lane = 0; lane < 32; ++lane)
    numbers[lane] = lane;
  Value* first = build.CreateShl(to->getArg(SimdgroupParam), 5);
  Parts index = build.plus(first, numbers);
  Type *word = build.getInt32Ty(), *real = build.getFloatTy();
  auto quotient = [&](const Parts& values, Value* divisor) {
    Parts left = build.cast(Instruction::UIToFP, values, real);
    Parts right = build.splat(build.CreateUIToFP(divisor, real));
    return build.cast(
        Instruction::FPToUI,
        build.each([&](unsigned part) { return build.CreateFDiv(left[part], right[part]); }), word);
  };
  auto remainder = [&](const Parts& values, Value* divisor) {
    Parts whole = quotient(values, divisor), factor = build.splat(divisor);
    return build.each([&](unsigned part) {
      return build.CreateSub(values[part], build.CreateMul(whole[part], factor[part]));
    });
  };
  Value* row = extent(0);
  if (axis == 0)
    return remainder(index, row);
  if (axis == 1)
    return remainder(quotient(index, row), extent(1));
  return quotient(index, build.CreateMul(row, extent(1)));
}

void Vectoriser::emitId(CallBase& call, StringRef name) {
  if (name == GroupX || name == GroupY || name == GroupZ)
    return setScalar(call, to->getArg(GroupXParam + axisOf(name)));
  if (name == LaneId)
    return setScalar(call, build.getInt32(0));
  if (name == ThreadIndex)
    return setScalar(call, build.CreateShl(to->getArg(SimdgroupParam), 5));
  if (name == PrivateBlock) {
    auto* bytes = dyn_cast<ConstantInt>(call.getArgOperand(1));
    if (!bytes) {
      fail("a private block of unknown size");
      return;
    }
    return setScalar(call, build.stack(ArrayType::get(build.getInt8Ty(), bytes->getZExtValue())));
  }
  bool inGrid = name.starts_with("cpu.grid.");
  if (!inGrid && !name.starts_with("cpu.thread.")) {
    fail("an unknown function of thread form");
    return;
  }
  unsigned axis = axisOf(name);
  Value* start = nullptr;
  if (inGrid)
    start = build.CreateMul(to->getArg(GroupXParam + axis),
                            launchWord(offsetof(Launch, dispatchThreadsPerThreadgroup) + 4 * axis));
  if (shapes.of(&call).isScalar()) {
    Value* first = firstPosition(axis);
    return setScalar(call, start ? build.CreateAdd(start, first) : first);
  }
  Parts positions = positionLanes(axis);
  if (start) {
    Parts starts = build.splat(start);
    for (unsigned part = 0; part < build.count; ++part)
      positions[part] = build.CreateAdd(starts[part], positions[part]);
  }
  setLanes(call, positions);
}

} // namespace metalloid::cpu
