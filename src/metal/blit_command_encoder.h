// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Metal/MTLBlitCommandEncoder.hpp>

#include "metal/command_encoder.h"

namespace metalloid::metal {

class BlitCommandEncoderObject final : public CommandEncoderObject {
public:
  using Handle = MTL::BlitCommandEncoder;

  using CommandEncoderObject::CommandEncoderObject;
  const char* className() const override { return "MTLBlitCommandEncoder"; }

  /// The part of a buffer; nothing, and a failed command buffer, where it does not lie inside.
  std::optional<runtime::BoundBuffer> part(const MTL::Buffer* buffer, uint64_t offset,
                                           uint64_t size, std::string_view what);
  void encodeInOrder(runtime::Command command, std::string_view operation);
};

} // namespace metalloid::metal
