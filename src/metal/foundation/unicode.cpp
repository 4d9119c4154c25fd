// SPDX-License-Identifier: Apache-2.0
#include "metal/foundation/unicode.h"

#include <cstdint>

namespace metalloid::metal {
namespace {

bool isScalar(uint32_t code) {
  return code < 0x110000 && (code < 0xd800 || code > 0xdfff);
}

void append(std::string& utf8, uint32_t code) {
  if (code < 0x80) {
    utf8 += char(code);
  } else if (code < 0x800) {
    utf8 += {char(0xc0 | code >> 6), char(0x80 | (code & 0x3f))};
  } else if (code < 0x10000) {
    utf8 += {char(0xe0 | code >> 12), char(0x80 | (code >> 6 & 0x3f)), char(0x80 | (code & 0x3f))};
  } else {
    utf8 += {char(0xf0 | code >> 18), char(0x80 | (code >> 12 & 0x3f)),
             char(0x80 | (code >> 6 & 0x3f)), char(0x80 | (code & 0x3f))};
  }
}

/// Takes one character off the front; nothing where the bytes are not UTF-8.
std::optional<uint32_t> takeUtf8(std::string_view& bytes) {
  const auto first = uint8_t(bytes[0]);
  const size_t length = first < 0x80   ? 1
                        : first < 0xc0 ? 0
                        : first < 0xe0 ? 2
                        : first < 0xf0 ? 3
                                       : 4;
  if (length == 0 || first > 0xf4 || bytes.size() < length)
    return std::nullopt;
  uint32_t code = length == 1 ? first : first & (0x7f >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((uint8_t(bytes[i]) & 0xc0) != 0x80)
      return std::nullopt;
    code = code << 6 | (uint8_t(bytes[i]) & 0x3f);
  }
  constexpr uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < smallest[length] || !isScalar(code))
    return std::nullopt;
  bytes.remove_prefix(length);
  return code;
}

std::optional<std::string> checkedUtf8(std::string_view bytes) {
  for (std::string_view rest = bytes; !rest.empty();)
    if (!takeUtf8(rest))
      return std::nullopt;
  return std::string(bytes);
}

std::string fromLatin1(std::string_view bytes) {
  std::string utf8;
  for (char c : bytes)
    append(utf8, uint8_t(c));
  return utf8;
}

/// The unit at `at` of `size` bytes.
uint32_t unit(std::string_view bytes, size_t at, size_t size, bool bigEndian) {
  uint32_t value = 0;
  for (size_t i = 0; i < size; ++i)
    value |= uint32_t(uint8_t(bytes[at + i])) << 8 * (bigEndian ? size - 1 - i : i);
  return value;
}

/// UTF-16 (units of 2 bytes) or UTF-32 (of 4).
std::optional<std::string> fromUnits(std::string_view bytes, size_t size, bool bigEndian) {
  if (bytes.size() % size != 0)
    return std::nullopt;
  std::string utf8;
  for (size_t at = 0; at < bytes.size(); at += size) {
    uint32_t code = unit(bytes, at, size, bigEndian);
    if (size == 2 && code >= 0xd800 && code < 0xdc00 && at + 4 <= bytes.size()) {
      const uint32_t low = unit(bytes, at + 2, size, bigEndian);
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        at += 2;
      }
    }
    if (!isScalar(code))
      return std::nullopt;
    append(utf8, code);
  }
  return utf8;
}

} // namespace

std::optional<std::string> toUtf8(std::string_view bytes, NS::StringEncoding encoding) {
  switch (encoding) {
  case NS::ASCIIStringEncoding: // Programs say ASCII and pass UTF-8.
  case NS::UTF8StringEncoding:
    return checkedUtf8(bytes);
  case NS::ISOLatin1StringEncoding:
    return fromLatin1(bytes);
  case NS::UTF16StringEncoding:
  case NS::UTF16LittleEndianStringEncoding:
    return fromUnits(bytes, 2, false);
  case NS::UTF16BigEndianStringEncoding:
    return fromUnits(bytes, 2, true);
  case NS::UTF32StringEncoding:
  case NS::UTF32LittleEndianStringEncoding:
    return fromUnits(bytes, 4, false);
  case NS::UTF32BigEndianStringEncoding:
    return fromUnits(bytes, 4, true);
  default:
    return std::nullopt;
  }
}

std::u16string toUtf16(std::string_view utf8) {
  std::u16string units;
  while (!utf8.empty()) {
    const uint32_t code = takeUtf8(utf8).value();
    if (code < 0x10000) {
      units += char16_t(code);
    } else {
      units += char16_t(0xd800 + ((code - 0x10000) >> 10));
      units += char16_t(0xdc00 + ((code - 0x10000) & 0x3ff));
    }
  }
  return units;
}

} // namespace metalloid::metal
