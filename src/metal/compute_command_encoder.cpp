// SPDX-License-Identifier: Apache-2.0
#include "metal/compute_command_encoder.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "metal/buffer.h"
#include "metal/compute_pipeline.h"

namespace metalloid::metal {
namespace {

constexpr uint64_t ArgumentSlots = 31;

std::array<uint64_t, 3> extentOf(const MTL::Size& size) {
  return {size.width, size.height, size.depth};
}

/// The grid in threads. Positions in a grid are 32-bit numbers.
Expected<runtime::Extent> threadsOf(const std::array<uint64_t, 3>& threadgroups,
                                    const std::array<uint64_t, 3>& threadsPerThreadgroup,
                                    std::string_view operation) {
  runtime::Extent threads;
  for (int axis = 0; axis < 3; ++axis)
    if (__builtin_mul_overflow(threadgroups[axis], threadsPerThreadgroup[axis], &threads[axis]) ||
        threads[axis] > UINT32_MAX)
      return fail(Error::Kind::InvalidArgument,
                  fmt::format("{}: {} threadgroups of {} threads are more than the 4294967295 "
                              "threads that fit an axis; split the grid",
                              operation, threadgroups[axis], threadsPerThreadgroup[axis]));
  return threads;
}

} // namespace

bool ComputeCommandEncoderObject::isIndex(uint64_t index, std::string_view operation) {
  encoding(operation);
  if (index < ArgumentSlots)
    return true;
  failEncoding({Error::Kind::InvalidArgument, fmt::format("{}: index {} is beyond the last one, {}",
                                                          operation, index, ArgumentSlots - 1)});
  return false;
}

void ComputeCommandEncoderObject::setPipeline(const MTL::ComputePipelineState* state) {
  encoding("setComputePipelineState");
  pipeline_ = retained(state);
}

void ComputeCommandEncoderObject::setBuffer(const MTL::Buffer* buffer, uint64_t offset,
                                            uint64_t index, std::string_view operation) {
  if (!isIndex(index, operation))
    return;
  if (buffers_.size() <= index)
    buffers_.resize(index + 1);
  if (!buffer) {
    buffers_[index] = std::monostate{};
    return;
  }
  const std::shared_ptr<runtime::Memory>& memory = as<BufferObject>(buffer)->memory;
  if (offset > memory->length())
    failEncoding({Error::Kind::InvalidArgument,
                  fmt::format("{}: offset {} is beyond the {} bytes of the buffer at index {}",
                              operation, offset, memory->length(), index)});
  buffers_[index] = runtime::BoundBuffer{memory, offset};
}

void ComputeCommandEncoderObject::setBufferOffset(uint64_t offset, uint64_t index) {
  if (!isIndex(index, "setBufferOffset"))
    return;
  auto* bound =
      index < buffers_.size() ? std::get_if<runtime::BoundBuffer>(&buffers_[index]) : nullptr;
  if (!bound) {
    failEncoding({Error::Kind::InvalidArgument,
                  fmt::format("setBufferOffset: no buffer is bound at index {}", index)});
    return;
  }
  if (offset > bound->memory->length())
    failEncoding({Error::Kind::InvalidArgument,
                  fmt::format("setBufferOffset: offset {} is beyond the {} bytes of the buffer at "
                              "index {}",
                              offset, bound->memory->length(), index)});
  bound->offset = offset;
}

void ComputeCommandEncoderObject::setBytes(const void* bytes, uint64_t length, uint64_t index) {
  if (!isIndex(index, "setBytes"))
    return;
  if (!bytes || length == 0) {
    failEncoding({Error::Kind::InvalidArgument,
                  fmt::format("setBytes: {} bytes at {} for index {}; give at least one byte",
                              length, bytes, index)});
    return;
  }
  if (buffers_.size() <= index)
    buffers_.resize(index + 1);
  auto* first = static_cast<const std::byte*>(bytes);
  buffers_[index] = runtime::BoundBytes{std::make_shared<const Bytes>(first, first + length)};
}

void ComputeCommandEncoderObject::setThreadgroupMemoryLength(uint64_t length, uint64_t index) {
  if (!isIndex(index, "setThreadgroupMemoryLength"))
    return;
  if (threadgroupLengths_.size() <= index)
    threadgroupLengths_.resize(index + 1);
  threadgroupLengths_[index] = length;
}

void ComputeCommandEncoderObject::dispatch(runtime::Extent threads,
                                           std::optional<runtime::BoundBuffer> indirect,
                                           const std::array<uint64_t, 3>& threadsPerThreadgroup,
                                           std::string_view operation) {
  CommandBufferObject& buffer = encoding(operation);
  if (!pipeline_) {
    failEncoding(
        {Error::Kind::InvalidArgument,
         fmt::format("{}: no pipeline is set; call setComputePipelineState first", operation)});
    return;
  }
  const auto& pipeline = *as<ComputePipelineObject>(pipeline_.get());
  const std::string& kernel = pipeline.pipeline->reflection().name;
  if (auto checked = pipeline.limits.check(threadsPerThreadgroup, operation, kernel); !checked) {
    failEncoding(std::move(checked.error()));
    return;
  }
  if (!indirect && (threads[0] == 0 || threads[1] == 0 || threads[2] == 0))
    return;

  runtime::Dispatch dispatch;
  dispatch.pipeline = pipeline.pipeline;
  dispatch.buffers.assign(buffers_.begin(),
                          buffers_.begin() + std::min(buffers_.size(), pipeline.bufferSlots));
  dispatch.buffers.resize(pipeline.bufferSlots);
  dispatch.threadgroupLengths.assign(
      threadgroupLengths_.begin(),
      threadgroupLengths_.begin() +
          std::min(threadgroupLengths_.size(), pipeline.threadgroupSlots));
  dispatch.threadgroupLengths.resize(pipeline.threadgroupSlots);
  dispatch.threads = threads;
  dispatch.indirectThreadgroups = std::move(indirect);
  std::copy(threadsPerThreadgroup.begin(), threadsPerThreadgroup.end(),
            dispatch.threadsPerThreadgroup.begin());
  if (auto valid = device.runtime.validate(dispatch); !valid) {
    failEncoding(std::move(valid.error()));
    return;
  }
  if (dispatchType == MTL::DispatchTypeSerial)
    buffer.barrier();
  buffer.encode(std::move(dispatch), operation);
}

} // namespace metalloid::metal

using namespace metalloid::metal;
using metalloid::Error;

namespace MTL {

void ComputeCommandEncoder::dispatchThreadgroups(Size threadgroupsPerGrid,
                                                 Size threadsPerThreadgroup) {
  constexpr std::string_view operation = "dispatchThreadgroups";
  auto* encoder = as<ComputeCommandEncoderObject>(this);
  auto threads =
      threadsOf(extentOf(threadgroupsPerGrid), extentOf(threadsPerThreadgroup), operation);
  if (!threads)
    encoder->failEncoding(std::move(threads.error()));
  else
    encoder->dispatch(*threads, std::nullopt, extentOf(threadsPerThreadgroup), operation);
}

void ComputeCommandEncoder::dispatchThreadgroups(const Buffer* indirectBuffer,
                                                 NS::UInteger indirectBufferOffset,
                                                 Size threadsPerThreadgroup) {
  constexpr std::string_view operation = "dispatchThreadgroups";
  auto* encoder = as<ComputeCommandEncoderObject>(this);
  const NS::UInteger length = indirectBuffer ? indirectBuffer->length() : 0;
  constexpr NS::UInteger size = sizeof(DispatchThreadgroupsIndirectArguments);
  if (length < size || indirectBufferOffset > length - size || indirectBufferOffset % 4 != 0) {
    encoder->failEncoding(
        {Error::Kind::InvalidArgument,
         fmt::format("{}: the indirect buffer has {} bytes; {} are read at offset "
                     "{}, which must be a multiple of 4",
                     operation, length, size, indirectBufferOffset)});
    return;
  }
  encoder->dispatch({0, 0, 0},
                    metalloid::runtime::BoundBuffer{as<BufferObject>(indirectBuffer)->memory,
                                                    indirectBufferOffset},
                    extentOf(threadsPerThreadgroup), operation);
}

void ComputeCommandEncoder::dispatchThreads(Size threadsPerGrid, Size threadsPerThreadgroup) {
  constexpr std::string_view operation = "dispatchThreads";
  auto* encoder = as<ComputeCommandEncoderObject>(this);
  auto threads = threadsOf(extentOf(threadsPerGrid), {1, 1, 1}, operation);
  if (!threads)
    encoder->failEncoding(std::move(threads.error()));
  else
    encoder->dispatch(*threads, std::nullopt, extentOf(threadsPerThreadgroup), operation);
}

DispatchType ComputeCommandEncoder::dispatchType() const {
  return as<ComputeCommandEncoderObject>(this)->dispatchType;
}

void ComputeCommandEncoder::memoryBarrier(BarrierScope) {
  as<ComputeCommandEncoderObject>(this)->encoding("memoryBarrier").barrier();
}

void ComputeCommandEncoder::memoryBarrier(const Resource* const[], NS::UInteger) {
  as<ComputeCommandEncoderObject>(this)->encoding("memoryBarrier").barrier();
}

void ComputeCommandEncoder::setBuffer(const Buffer* buffer, NS::UInteger offset,
                                      NS::UInteger index) {
  as<ComputeCommandEncoderObject>(this)->setBuffer(buffer, offset, index, "setBuffer");
}

void ComputeCommandEncoder::setBufferOffset(NS::UInteger offset, NS::UInteger index) {
  as<ComputeCommandEncoderObject>(this)->setBufferOffset(offset, index);
}

void ComputeCommandEncoder::setBuffers(const Buffer* const buffers[], const NS::UInteger offsets[],
                                       NS::Range range) {
  for (NS::UInteger i = 0; i < range.length; ++i)
    as<ComputeCommandEncoderObject>(this)->setBuffer(buffers[i], offsets[i], range.location + i,
                                                     "setBuffers");
}

void ComputeCommandEncoder::setBytes(const void* bytes, NS::UInteger length, NS::UInteger index) {
  as<ComputeCommandEncoderObject>(this)->setBytes(bytes, length, index);
}

void ComputeCommandEncoder::setComputePipelineState(const ComputePipelineState* state) {
  as<ComputeCommandEncoderObject>(this)->setPipeline(state);
}

void ComputeCommandEncoder::setThreadgroupMemoryLength(NS::UInteger length, NS::UInteger index) {
  as<ComputeCommandEncoderObject>(this)->setThreadgroupMemoryLength(length, index);
}

// Fences order encoders, which are in order here anyway.
void ComputeCommandEncoder::updateFence(const Fence*) {
  as<ComputeCommandEncoderObject>(this)->encoding("updateFence").barrier();
}

void ComputeCommandEncoder::waitForFence(const Fence*) {
  as<ComputeCommandEncoderObject>(this)->encoding("waitForFence").barrier();
}

void ComputeCommandEncoder::useHeap(const Heap* heap) {
  useHeaps(&heap, 1);
}

void ComputeCommandEncoder::useHeaps(const Heap* const heaps[], NS::UInteger count) {
  auto& buffer = as<ComputeCommandEncoderObject>(this)->encoding("useHeap");
  for (NS::UInteger i = 0; i < count; ++i)
    buffer.keep(std::make_shared<NS::SharedPtr<Heap>>(retained(heaps[i])));
}

void ComputeCommandEncoder::useResource(const Resource* resource, ResourceUsage usage) {
  useResources(&resource, 1, usage);
}

void ComputeCommandEncoder::useResources(const Resource* const resources[], NS::UInteger count,
                                         ResourceUsage) {
  auto& buffer = as<ComputeCommandEncoderObject>(this)->encoding("useResource");
  for (NS::UInteger i = 0; i < count; ++i)
    buffer.keep(std::make_shared<NS::SharedPtr<Resource>>(retained(resources[i])));
}

} // namespace MTL
