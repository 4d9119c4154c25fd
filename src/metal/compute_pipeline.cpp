// SPDX-License-Identifier: Apache-2.0
#include "metal/compute_pipeline.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "metal/background.h"
#include "metal/errors.h"
#include "metal/function.h"
#include "metal/linked_functions.h"
#include "metal/reflection.h"

namespace metalloid::metal {
namespace {

constexpr uint32_t ThreadExecutionWidth = 32;

size_t slots(const air::Reflection& reflection, bool threadgroup) {
  int32_t highest = -1;
  for (const air::Argument& argument : reflection.arguments)
    if ((argument.kind == air::ArgumentKind::ThreadgroupMemory) == threadgroup &&
        argument.kind != air::ArgumentKind::BuiltIn)
      highest = std::max(highest, argument.location);
  return size_t(highest + 1);
}

bool isGiven(const std::array<uint64_t, 3>& threads) {
  return threads != std::array<uint64_t, 3>{0, 0, 0};
}

PipelineLimits limitsOf(const ComputePipelineDescriptorObject& descriptor,
                        const FunctionObject& function, const runtime::Pipeline& pipeline) {
  PipelineLimits limits;
  limits.maxTotalThreads = pipeline.maxTotalThreads();
  for (uint64_t limit : {descriptor.maxTotalThreads, function.maxTotalThreads})
    if (limit > 0)
      limits.maxTotalThreads = std::min(limits.maxTotalThreads, limit);
  const auto& required = pipeline.reflection().requiredThreads;
  limits.requiredThreads = {required[0], required[1], required[2]};
  if (!isGiven(limits.requiredThreads))
    limits.requiredThreads = descriptor.requiredThreads;
  limits.wholeSimdgroups = descriptor.wholeSimdgroups;
  return limits;
}

Expected<NS::SharedPtr<MTL::ComputePipelineState>>
makePipeline(DeviceObject& device, const ComputePipelineDescriptorObject& descriptor) {
  if (!descriptor.function)
    return fail(Error::Kind::InvalidArgument, "newComputePipelineState: the function is null");
  const auto& function = *as<FunctionObject>(descriptor.function.get());
  if (function.code.type != MTL::FunctionTypeKernel)
    return fail(Error::Kind::NotSupported,
                fmt::format("newComputePipelineState: \"{}\" is not a kernel; only kernels are "
                            "supported",
                            textOf(function.name.get())));
  if (descriptor.linkedFunctions &&
      !as<LinkedFunctionsObject>(descriptor.linkedFunctions.get())->isEmpty())
    return fail(Error::Kind::NotSupported,
                "newComputePipelineState: linked functions are not supported");

  auto pipeline =
      device.runtime.makePipeline(function.code.module, function.code.kernel, function.constants);
  if (!pipeline)
    return tl::unexpected(std::move(pipeline.error()));
  PipelineLimits limits = limitsOf(descriptor, function, **pipeline);
  auto state = NS::TransferPtr(make<ComputePipelineObject>(device, *std::move(pipeline), limits));
  as<ComputePipelineObject>(state.get())->label = descriptor.label;
  return state;
}

MTL::ComputePipelineState* give(Expected<NS::SharedPtr<MTL::ComputePipelineState>> pipeline,
                                MTL::PipelineOption options,
                                const MTL::AutoreleasedComputePipelineReflection* reflection,
                                NS::Error** error) {
  constexpr MTL::PipelineOption wanted =
      MTL::PipelineOptionBindingInfo | MTL::PipelineOptionBufferTypeInfo;
  if (reflection) {
    // Metal's own signature says const and is written through.
    auto* out = const_cast<MTL::ComputePipelineReflection**>(reflection);
    *out = pipeline && (options & wanted) ? (*pipeline)->reflection()->retain()->autorelease()
                                          : nullptr;
  }
  if (!pipeline) {
    report(error, libraryError(pipeline.error()));
    return nullptr;
  }
  MTL::ComputePipelineState* given = pipeline->get();
  pipeline->detach();
  return given;
}

} // namespace

Expected<void> PipelineLimits::check(const std::array<uint64_t, 3>& threads,
                                     std::string_view operation, std::string_view kernel) const {
  const std::string size = fmt::format("({}, {}, {})", threads[0], threads[1], threads[2]);
  for (uint64_t extent : threads)
    if (extent == 0 || extent > UINT32_MAX)
      return fail(Error::Kind::InvalidArgument,
                  fmt::format("{}: threads per threadgroup are {}; every extent is at least 1",
                              operation, size));
  // Each extent is below 2^32: two of them cannot overflow, and three are compared one by one.
  const uint64_t plane = threads[0] * threads[1];
  if (plane > maxTotalThreads || plane * threads[2] > maxTotalThreads)
    return fail(Error::Kind::InvalidArgument,
                fmt::format("{}: threadgroup {} has more threads than the {} that kernel \"{}\" "
                            "allows; use maxTotalThreadsPerThreadgroup",
                            operation, size, maxTotalThreads, kernel));
  if (isGiven(requiredThreads) && requiredThreads != threads)
    return fail(
        Error::Kind::InvalidArgument,
        fmt::format("{}: threadgroup {} is not the ({}, {}, {}) that kernel \"{}\" requires",
                    operation, size, requiredThreads[0], requiredThreads[1], requiredThreads[2],
                    kernel));
  if (wholeSimdgroups && plane * threads[2] % ThreadExecutionWidth != 0)
    return fail(
        Error::Kind::InvalidArgument,
        fmt::format("{}: threadgroup {} is not a multiple of the thread execution width {}, "
                    "which the pipeline of kernel \"{}\" was promised",
                    operation, size, ThreadExecutionWidth, kernel));
  return {};
}

ComputePipelineObject::ComputePipelineObject(DeviceObject& device,
                                             std::shared_ptr<runtime::Pipeline> pipeline,
                                             PipelineLimits limits)
    : AllocationObject(device), pipeline(std::move(pipeline)), limits(limits),
      bufferSlots(slots(this->pipeline->reflection(), false)),
      threadgroupSlots(slots(this->pipeline->reflection(), true)),
      reflection(NS::TransferPtr(make<ReflectionObject>(this->pipeline->reflection()))) {}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace MTL {

ComputePipelineDescriptor* ComputePipelineDescriptor::alloc() {
  return make<ComputePipelineDescriptorObject>();
}

ComputePipelineDescriptor* ComputePipelineDescriptor::init() {
  return this;
}

Function* ComputePipelineDescriptor::computeFunction() const {
  return as<ComputePipelineDescriptorObject>(this)->function.get();
}

NS::String* ComputePipelineDescriptor::label() const {
  return as<ComputePipelineDescriptorObject>(this)->label.get();
}

LinkedFunctions* ComputePipelineDescriptor::linkedFunctions() const {
  return as<ComputePipelineDescriptorObject>(this)->linkedFunctions.get();
}

NS::UInteger ComputePipelineDescriptor::maxTotalThreadsPerThreadgroup() const {
  return as<ComputePipelineDescriptorObject>(this)->maxTotalThreads;
}

Size ComputePipelineDescriptor::requiredThreadsPerThreadgroup() const {
  const auto& threads = as<ComputePipelineDescriptorObject>(this)->requiredThreads;
  return Size(threads[0], threads[1], threads[2]);
}

void ComputePipelineDescriptor::reset() {
  auto* descriptor = as<ComputePipelineDescriptorObject>(this);
  descriptor->label = nullptr;
  descriptor->function = nullptr;
  descriptor->linkedFunctions = nullptr;
  descriptor->maxTotalThreads = 0;
  descriptor->requiredThreads = {0, 0, 0};
  descriptor->wholeSimdgroups = false;
}

void ComputePipelineDescriptor::setComputeFunction(const Function* computeFunction) {
  as<ComputePipelineDescriptorObject>(this)->function = retained(computeFunction);
}

void ComputePipelineDescriptor::setLabel(const NS::String* label) {
  as<ComputePipelineDescriptorObject>(this)->label = copied(label);
}

void ComputePipelineDescriptor::setLinkedFunctions(const LinkedFunctions* linkedFunctions) {
  as<ComputePipelineDescriptorObject>(this)->linkedFunctions = copied(linkedFunctions);
}

void ComputePipelineDescriptor::setMaxTotalThreadsPerThreadgroup(
    NS::UInteger maxTotalThreadsPerThreadgroup) {
  as<ComputePipelineDescriptorObject>(this)->maxTotalThreads = maxTotalThreadsPerThreadgroup;
}

void ComputePipelineDescriptor::setRequiredThreadsPerThreadgroup(
    Size requiredThreadsPerThreadgroup) {
  const Size& size = requiredThreadsPerThreadgroup;
  as<ComputePipelineDescriptorObject>(this)->requiredThreads = {size.width, size.height,
                                                                size.depth};
}

void ComputePipelineDescriptor::setThreadGroupSizeIsMultipleOfThreadExecutionWidth(
    bool threadGroupSizeIsMultipleOfThreadExecutionWidth) {
  as<ComputePipelineDescriptorObject>(this)->wholeSimdgroups =
      threadGroupSizeIsMultipleOfThreadExecutionWidth;
}

bool ComputePipelineDescriptor::threadGroupSizeIsMultipleOfThreadExecutionWidth() const {
  return as<ComputePipelineDescriptorObject>(this)->wholeSimdgroups;
}

Device* ComputePipelineState::device() const {
  return handleOf(&as<ComputePipelineObject>(this)->device);
}

NS::String* ComputePipelineState::label() const {
  return as<ComputePipelineObject>(this)->label.get();
}

NS::UInteger ComputePipelineState::maxTotalThreadsPerThreadgroup() const {
  return as<ComputePipelineObject>(this)->limits.maxTotalThreads;
}

ComputePipelineReflection* ComputePipelineState::reflection() const {
  return as<ComputePipelineObject>(this)->reflection.get();
}

Size ComputePipelineState::requiredThreadsPerThreadgroup() const {
  const auto& threads = as<ComputePipelineObject>(this)->limits.requiredThreads;
  return Size(threads[0], threads[1], threads[2]);
}

NS::UInteger ComputePipelineState::staticThreadgroupMemoryLength() const {
  return as<ComputePipelineObject>(this)->pipeline->staticThreadgroupBytes();
}

NS::UInteger ComputePipelineState::threadExecutionWidth() const {
  return ThreadExecutionWidth;
}

ComputePipelineState* Device::newComputePipelineState(const Function* computeFunction,
                                                      NS::Error** error) {
  return newComputePipelineState(computeFunction, PipelineOptionNone, nullptr, error);
}

ComputePipelineState*
Device::newComputePipelineState(const Function* computeFunction, PipelineOption options,
                                const AutoreleasedComputePipelineReflection* reflection,
                                NS::Error** error) {
  ComputePipelineDescriptorObject descriptor;
  descriptor.function = retained(computeFunction);
  return give(metalloid::metal::makePipeline(*as<DeviceObject>(this), descriptor), options,
              reflection, error);
}

ComputePipelineState*
Device::newComputePipelineState(const ComputePipelineDescriptor* descriptor, PipelineOption options,
                                const AutoreleasedComputePipelineReflection* reflection,
                                NS::Error** error) {
  const ComputePipelineDescriptorObject empty;
  const auto& chosen = descriptor ? *as<ComputePipelineDescriptorObject>(descriptor) : empty;
  return give(metalloid::metal::makePipeline(*as<DeviceObject>(this), chosen), options, reflection,
              error);
}

void Device::makePipeline(const Function* function, PipelineHandler handler) {
  inBackground(handler, [this, function = retained(function)](NS::Error** error) {
    return newComputePipelineState(function.get(), error);
  });
}

void Device::makePipeline(const Function* function, PipelineOption options,
                          ReflectionHandler handler) {
  auto descriptor = NS::TransferPtr(ComputePipelineDescriptor::alloc()->init());
  descriptor->setComputeFunction(function);
  makePipeline(descriptor.get(), options, handler);
}

void Device::makePipeline(const ComputePipelineDescriptor* descriptor, PipelineOption options,
                          ReflectionHandler handler) {
  using Handler = OwnedCallback<ComputePipelineState*, ComputePipelineReflection*, NS::Error*>;
  onOwnThread([this, descriptor = copied(descriptor), options, handler = Handler(handler)] {
    NS::Error* error = nullptr;
    ComputePipelineReflection* reflection = nullptr;
    auto pipeline =
        NS::TransferPtr(newComputePipelineState(descriptor.get(), options, &reflection, &error));
    handler(pipeline.get(), reflection, error);
  });
}

} // namespace MTL
