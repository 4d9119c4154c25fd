// SPDX-License-Identifier: Apache-2.0
// Metal's built-in values ([[thread_position_in_grid]] and its kin) in terms of thread form: what
// differs between threads is a call of an id function, what does not is read from Launch, and what
// the threadgroup's fixed size decides is a constant.
#include "cpu/built_ins.h"

#include <cstddef>

#include "cpu/launch.h"

#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace metalloid::cpu {

Value* loadLaunchWord(IRBuilderBase& builder, Value* launch, uint64_t offset) {
  Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), launch, offset);
  LoadInst* load = builder.CreateAlignedLoad(builder.getInt32Ty(), address, Align(4));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  load->setMetadata(LLVMContext::MD_noundef, MDNode::get(builder.getContext(), {}));
  return load;
}

Value* threadsPerThreadgroup(IRBuilderBase& builder, Value* launch, const ThreadgroupShape& shape,
                             unsigned axis) {
  if (shape.threads[axis])
    return builder.getInt32(shape.threads[axis]);
  return loadLaunchWord(builder, launch, offsetof(Launch, threadsPerThreadgroup) + 4 * axis);
}

namespace {

Value* ceilingOfShift(IRBuilderBase& builder, Value* value, unsigned bits) {
  Value* rounded = builder.CreateAdd(value, builder.getInt32((1u << bits) - 1), "", true, true);
  return builder.CreateLShr(rounded, bits);
}

class BuiltIns {
public:
  BuiltIns(IRBuilderBase& builder, Function& thread, const ThreadgroupShape& shape)
      : builder_(builder), thread_(thread), shape_(shape), launch_(thread.getArg(LaunchParam)) {}

  Value* vectorComponent(StringRef name, unsigned axis) {
    static constexpr StringLiteral inGrid[] = {GridX, GridY, GridZ};
    static constexpr StringLiteral inGroup[] = {ThreadX, ThreadY, ThreadZ};
    if (name == "thread_position_in_grid")
      return id(inGrid[axis]);
    if (name == "thread_position_in_threadgroup")
      return id(inGroup[axis]);
    if (name == "threadgroup_position_in_grid")
      return thread_.getArg(GroupXParam + axis);
    if (name == "threads_per_threadgroup")
      return threads(axis);
    if (name == "dispatch_threads_per_threadgroup")
      return dispatchThreads(axis);
    if (name == "threadgroups_per_grid")
      return loadLaunchWord(builder_, launch_, offsetof(Launch, threadgroupsPerGrid) + 4 * axis);
    if (name == "threads_per_grid" || name == "grid_size")
      return loadLaunchWord(builder_, launch_, offsetof(Launch, threadsPerGrid) + 4 * axis);
    if (name == "grid_origin")
      return builder_.getInt32(0);
    return nullptr;
  }

  Value* scalar(StringRef name) {
    if (name == "thread_index_in_threadgroup")
      return id(ThreadIndex);
    if (name == "thread_index_in_simdgroup")
      return id(LaneId);
    if (name == "thread_index_in_quadgroup")
      return builder_.CreateAnd(id(LaneId), 3);
    if (name == "simdgroup_index_in_threadgroup")
      return thread_.getArg(SimdgroupParam);
    if (name == "quadgroup_index_in_threadgroup")
      return builder_.CreateLShr(id(ThreadIndex), 2);
    if (name == "threads_per_simdgroup" || name == "thread_execution_width")
      return builder_.getInt32(SimdWidth);
    if (name == "simdgroups_per_threadgroup")
      return ceilingOfShift(builder_, total(false), 5);
    if (name == "quadgroups_per_threadgroup")
      return ceilingOfShift(builder_, total(false), 2);
    if (name == "dispatch_simdgroups_per_threadgroup")
      return ceilingOfShift(builder_, total(true), 5);
    if (name == "dispatch_quadgroups_per_threadgroup")
      return ceilingOfShift(builder_, total(true), 2);
    return nullptr;
  }

private:
  Value* id(StringRef name) {
    return builder_.CreateCall(threadFormFunction(*thread_.getParent(), name));
  }
  Value* threads(unsigned axis) { return threadsPerThreadgroup(builder_, launch_, shape_, axis); }
  Value* dispatchThreads(unsigned axis) {
    return loadLaunchWord(builder_, launch_,
                          offsetof(Launch, dispatchThreadsPerThreadgroup) + 4 * axis);
  }
  Value* total(bool ofDispatch) {
    Value* product = nullptr;
    for (unsigned axis = 0; axis < 3; axis++) {
      Value* extent = ofDispatch ? dispatchThreads(axis) : threads(axis);
      product = product ? builder_.CreateMul(product, extent, "", true, true) : extent;
    }
    return product;
  }

  IRBuilderBase& builder_;
  Function& thread_;
  const ThreadgroupShape& shape_;
  Value* launch_;
};

} // namespace

Value* simdgroupsPerThreadgroup(IRBuilderBase& builder, Value* launch,
                                const ThreadgroupShape& shape) {
  Value* total = nullptr;
  for (unsigned axis = 0; axis < 3; axis++) {
    Value* extent = threadsPerThreadgroup(builder, launch, shape, axis);
    total = total ? builder.CreateMul(total, extent, "", true, true) : extent;
  }
  return ceilingOfShift(builder, total, 5);
}

Value* builtInValue(IRBuilderBase& builder, Function& thread, const ThreadgroupShape& shape,
                    StringRef name, Type* type) {
  BuiltIns builtIns(builder, thread, shape);
  if (auto* vector = dyn_cast<FixedVectorType>(type)) {
    if (!vector->getElementType()->isIntegerTy() || vector->getNumElements() > 3)
      return nullptr;
    Value* result = PoisonValue::get(type);
    for (unsigned axis = 0; axis < vector->getNumElements(); axis++) {
      Value* component = builtIns.vectorComponent(name, axis);
      if (!component)
        return nullptr;
      component = builder.CreateZExtOrTrunc(component, vector->getElementType());
      result = builder.CreateInsertElement(result, component, axis);
    }
    return result;
  }
  if (!type->isIntegerTy())
    return nullptr;
  Value* value = builtIns.scalar(name);
  if (!value)
    value = builtIns.vectorComponent(name, 0);
  return value ? builder.CreateZExtOrTrunc(value, type) : nullptr;
}

} // namespace metalloid::cpu
