// SPDX-License-Identifier: Apache-2.0
// Text between the encodings that NS::String takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <Foundation/NSString.hpp>

namespace metalloid::metal {

/// The bytes as UTF-8; nothing where they are not text of the encoding or it is not known.
std::optional<std::string> toUtf8(std::string_view bytes, NS::StringEncoding encoding);

std::u16string toUtf16(std::string_view utf8);

} // namespace metalloid::metal
