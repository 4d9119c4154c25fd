// SPDX-License-Identifier: Apache-2.0
#include "runtime/validate.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "runtime/worker_thread.h"

namespace metalloid::runtime {

namespace {

using air::Argument;
using air::ArgumentKind;

template <typename... Args>
tl::unexpected<Error> refuse(const Dispatch& dispatch, fmt::format_string<Args...> format,
                             Args&&... args) {
  return fail(Error::Kind::InvalidArgument,
              fmt::format("dispatch of kernel '{}': {}", dispatch.pipeline->reflection().name,
                          fmt::format(format, std::forward<Args>(args)...)));
}

std::string describe(const Argument& argument, const char* attribute) {
  std::string name = argument.name.empty() ? "argument" : fmt::format("'{}'", argument.name);
  return fmt::format("{} [[{}({})]]", name, attribute, argument.location);
}

Expected<void> checkSizes(const Dispatch& dispatch) {
  const auto& size = dispatch.threadsPerThreadgroup;
  uint64_t total = uint64_t(size[0]) * size[1] * size[2];
  if (total == 0)
    return refuse(dispatch,
                  "threads per threadgroup {} x {} x {} hold a 0; each must be at least 1", size[0],
                  size[1], size[2]);
  // Any one of them could overflow the product.
  uint64_t limit = dispatch.pipeline->maxTotalThreads();
  if (size[0] > limit || size[1] > limit || size[2] > limit || total > limit)
    return refuse(dispatch,
                  "a threadgroup of {} x {} x {} threads is over the pipeline's limit of {} "
                  "(maxTotalThreadsPerThreadgroup); use smaller threadgroups",
                  size[0], size[1], size[2], limit);
  const auto& required = dispatch.pipeline->reflection().requiredThreads;
  for (int axis = 0; axis < 3; ++axis)
    if (required[axis] != 0 && required[axis] != size[axis])
      return refuse(dispatch,
                    "a threadgroup of {} x {} x {} threads, but the kernel is declared with "
                    "[[required_threads_per_threadgroup({}, {}, {})]]",
                    size[0], size[1], size[2], required[0], required[1], required[2]);
  for (uint64_t threads : dispatch.threads)
    if (threads > std::numeric_limits<uint32_t>::max())
      return refuse(dispatch,
                    "a grid of {} x {} x {} threads; an axis holds at most 4294967295 (positions "
                    "are 32-bit), so split the work",
                    dispatch.threads[0], dispatch.threads[1], dispatch.threads[2]);
  return {};
}

Expected<void> checkThreadgroupMemory(const Dispatch& dispatch) {
  const air::Reflection& reflection = dispatch.pipeline->reflection();
  uint64_t fixed = dispatch.pipeline->staticThreadgroupBytes(), dynamic = 0;
  for (const Argument& argument : reflection.arguments) {
    if (argument.kind != ArgumentKind::ThreadgroupMemory || !argument.active || argument.unused)
      continue;
    auto index = static_cast<size_t>(argument.location);
    uint64_t length =
        index < dispatch.threadgroupLengths.size() ? dispatch.threadgroupLengths[index] : 0;
    if (length == 0)
      return refuse(dispatch,
                    "threadgroup memory {} has no length; give it one with "
                    "setThreadgroupMemoryLength(length, {})",
                    describe(argument, "threadgroup"), argument.location);
  }
  for (uint64_t length : dispatch.threadgroupLengths) // Cut so that the sum cannot wrap.
    dynamic += (std::min<uint64_t>(length, 1ull << 40) + 15) / 16 * 16;
  if (fixed + dynamic > WorkerThread::ThreadgroupMemoryBytes)
    return refuse(dispatch,
                  "{} bytes of threadgroup memory ({} declared in the kernel, {} set by the "
                  "encoder) are over the limit of {}",
                  fixed + dynamic, fixed, dynamic, WorkerThread::ThreadgroupMemoryBytes);
  return {};
}

/// The bytes that are bound to an argument, from its offset on.
struct BoundSpan {
  uint64_t address = 0, length = 0, offset = 0, available = 0;
};

Expected<BoundSpan> boundSpan(const Dispatch& dispatch, const Argument& argument) {
  auto index = static_cast<size_t>(argument.location);
  const BoundArgument* bound = index < dispatch.buffers.size() ? &dispatch.buffers[index] : nullptr;
  if (const auto* bytes = bound ? std::get_if<BoundBytes>(bound) : nullptr; bytes && bytes->bytes)
    return BoundSpan{.address = reinterpret_cast<uint64_t>(bytes->bytes->data()),
                     .length = bytes->bytes->size(),
                     .offset = 0,
                     .available = bytes->bytes->size()};
  const auto* buffer = bound ? std::get_if<BoundBuffer>(bound) : nullptr;
  if (!buffer || !buffer->memory)
    return refuse(dispatch,
                  "nothing is bound to buffer {}; call setBuffer or setBytes for index {}",
                  describe(argument, "buffer"), argument.location);
  uint64_t length = buffer->memory->length();
  if (buffer->offset > length)
    return refuse(dispatch, "buffer {}: offset {} lies beyond the {} bytes of the buffer",
                  describe(argument, "buffer"), buffer->offset, length);
  return BoundSpan{.address = buffer->memory->deviceAddress() + buffer->offset,
                   .length = length,
                   .offset = buffer->offset,
                   .available = length - buffer->offset};
}

Expected<void> checkBuffer(const Dispatch& dispatch, const Argument& argument) {
  if (argument.arrayLength > 1)
    return fail(Error::Kind::NotSupported,
                fmt::format("dispatch of kernel '{}': buffer {} is an array of {} buffers, which "
                            "is not supported",
                            dispatch.pipeline->reflection().name, describe(argument, "buffer"),
                            argument.arrayLength));
  auto span = boundSpan(dispatch, argument);
  if (!span)
    return tl::unexpected(span.error());
  if (span->available < argument.bufferSize)
    return refuse(dispatch,
                  "buffer {} needs {} bytes ({}), but {} of {} bytes are left at offset {}",
                  describe(argument, "buffer"), argument.bufferSize, argument.typeName,
                  span->available, span->length, span->offset);
  if (argument.typeAlign > 1 && span->available != 0 && span->address % argument.typeAlign != 0)
    return refuse(dispatch,
                  "buffer {} of {} must be aligned to {} bytes, but offset {} leads to address "
                  "{:#x}; move the data or the offset",
                  describe(argument, "buffer"), argument.typeName, argument.typeAlign, span->offset,
                  span->address);
  return {};
}

} // namespace

Expected<void> validateDispatch(const Dispatch& dispatch) {
  if (auto sizes = checkSizes(dispatch); !sizes)
    return sizes;
  if (auto memory = checkThreadgroupMemory(dispatch); !memory)
    return memory;
  for (const Argument& argument : dispatch.pipeline->reflection().arguments) {
    if (!argument.active || argument.unused)
      continue;
    if (argument.kind == ArgumentKind::Texture || argument.kind == ArgumentKind::Sampler)
      return fail(Error::Kind::NotSupported,
                  fmt::format("dispatch of kernel '{}': argument '{}' is a texture or sampler, "
                              "which the CPU device does not support",
                              dispatch.pipeline->reflection().name, argument.name));
    if (argument.kind != ArgumentKind::Buffer && argument.kind != ArgumentKind::IndirectBuffer)
      continue;
    if (auto buffer = checkBuffer(dispatch, argument); !buffer)
      return buffer;
  }
  return {};
}

} // namespace metalloid::runtime
