// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <Metal/MTLCommandBuffer.hpp>
#include <Metal/MTLCommandEncoder.hpp>

#include "metal/command_buffer.h"

namespace metalloid::metal {

class CommandEncoderObject : public LabelledObject {
public:
  using Handle = MTL::CommandEncoder;

  explicit CommandEncoderObject(NS::SharedPtr<MTL::CommandBuffer> buffer)
      : LabelledObject(as<CommandBufferObject>(buffer.get())->device), buffer_(std::move(buffer)) {}

  void end();
  /// The command buffer, to encode into. Throws std::logic_error after end().
  CommandBufferObject& encoding(std::string_view operation) const;
  /// Fails the command buffer; the message is completed with the encoder's label.
  void failEncoding(Error error) const;

private:
  const NS::SharedPtr<MTL::CommandBuffer> buffer_;
  bool ended_ = false;
};

} // namespace metalloid::metal
