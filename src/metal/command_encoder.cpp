// SPDX-License-Identifier: Apache-2.0
#include "metal/command_encoder.h"

#include <stdexcept>
#include <string>

namespace metalloid::metal {

void CommandEncoderObject::end() {
  encoding("endEncoding").closeEncoder();
  ended_ = true;
}

CommandBufferObject& CommandEncoderObject::encoding(std::string_view operation) const {
  if (ended_)
    throw std::logic_error(std::string(operation) + ": the encoder has ended");
  return *as<CommandBufferObject>(buffer_.get());
}

void CommandEncoderObject::failEncoding(Error error) const {
  if (label)
    error.message += " (encoder \"" + std::string(textOf(label.get())) + "\")";
  as<CommandBufferObject>(buffer_.get())->failEncoding(std::move(error));
}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace MTL {

Device* CommandEncoder::device() const {
  return handleOf(&as<CommandEncoderObject>(this)->device);
}

void CommandEncoder::endEncoding() {
  as<CommandEncoderObject>(this)->end();
}

NS::String* CommandEncoder::label() const {
  return as<CommandEncoderObject>(this)->label.get();
}

void CommandEncoder::setLabel(const NS::String* label) {
  as<CommandEncoderObject>(this)->label = copied(label);
}

// Debug marks are for captures, which do not exist here.
void CommandEncoder::insertDebugSignpost(const NS::String*) {}

void CommandEncoder::popDebugGroup() {}

void CommandEncoder::pushDebugGroup(const NS::String*) {}

} // namespace MTL
