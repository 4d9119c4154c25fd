// SPDX-License-Identifier: Apache-2.0
#include "metal/blit_command_encoder.h"

#include <fmt/format.h>

#include "metal/buffer.h"

namespace metalloid::metal {

std::optional<runtime::BoundBuffer> BlitCommandEncoderObject::part(const MTL::Buffer* buffer,
                                                                   uint64_t offset, uint64_t size,
                                                                   std::string_view what) {
  const uint64_t length = buffer ? buffer->length() : 0;
  if (!buffer || offset > length || size > length - offset) {
    failEncoding({Error::Kind::InvalidArgument,
                  buffer ? fmt::format("{}: {} bytes at offset {} are beyond the buffer's {}", what,
                                       size, offset, length)
                         : fmt::format("{}: the buffer is null", what)});
    return std::nullopt;
  }
  return runtime::BoundBuffer{as<BufferObject>(buffer)->memory, offset};
}

void BlitCommandEncoderObject::encodeInOrder(runtime::Command command, std::string_view operation) {
  CommandBufferObject& buffer = encoding(operation);
  buffer.barrier();
  buffer.encode(std::move(command), operation);
}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace MTL {

void BlitCommandEncoder::copyFromBuffer(const Buffer* sourceBuffer, NS::UInteger sourceOffset,
                                        const Buffer* destinationBuffer,
                                        NS::UInteger destinationOffset, NS::UInteger size) {
  auto* encoder = as<BlitCommandEncoderObject>(this);
  auto source = encoder->part(sourceBuffer, sourceOffset, size, "copyFromBuffer: source");
  auto destination =
      encoder->part(destinationBuffer, destinationOffset, size, "copyFromBuffer: destination");
  if (source && destination)
    encoder->encodeInOrder(
        metalloid::runtime::Copy{*std::move(source), *std::move(destination), size},
        "copyFromBuffer");
}

void BlitCommandEncoder::fillBuffer(const Buffer* buffer, NS::Range range, uint8_t value) {
  auto* encoder = as<BlitCommandEncoderObject>(this);
  if (auto destination = encoder->part(buffer, range.location, range.length, "fillBuffer"))
    encoder->encodeInOrder(metalloid::runtime::Fill{*std::move(destination), range.length, value},
                           "fillBuffer");
}

void BlitCommandEncoder::synchronizeResource(const Resource*) {
  // Managed memory has one copy.
  as<BlitCommandEncoderObject>(this)->encoding("synchronizeResource").barrier();
}

void BlitCommandEncoder::updateFence(const Fence*) {
  as<BlitCommandEncoderObject>(this)->encoding("updateFence").barrier();
}

void BlitCommandEncoder::waitForFence(const Fence*) {
  as<BlitCommandEncoderObject>(this)->encoding("waitForFence").barrier();
}

} // namespace MTL
