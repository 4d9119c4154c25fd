// SPDX-License-Identifier: Apache-2.0
// The fixed part of a .metallib, shared by reader and writer. All integers are little-endian.
#pragma once

#include <cstdint>
#include <string_view>

namespace metalloid::metallib {

/// A part of the file: bytes from its start, and bytes long.
struct Section {
  uint64_t offset = 0;
  uint64_t size = 0;
};

/// The first 88 bytes of the file.
struct Header {
  char magic[4];
  uint16_t target;         ///< 0x8001: macOS.
  uint16_t containerMajor; ///< Version of this format.
  uint16_t containerMinor;
  uint8_t kind;         ///< 0: an executable library.
  uint8_t system;       ///< 0x81: macOS …
  uint16_t systemMajor; ///< … and the oldest version it is for.
  uint16_t systemMinor;
  uint64_t fileSize;
  Section functionList; ///< `size` does not count the leading u32, the number of functions.
  Section publicMetadata;
  Section privateMetadata;
  Section bitcode;
};
static_assert(sizeof(Header) == 88);

inline constexpr std::string_view Magic = "MTLB";
/// Apple's archive for several targets at once, which wraps whole .metallib files.
inline constexpr std::string_view UniversalMagic = "\xcb\xfe\xba\xbe";

inline constexpr size_t TagSize = 4;
inline constexpr std::string_view EndTag = "ENDT";

} // namespace metalloid::metallib
