// SPDX-License-Identifier: Apache-2.0
// Little-endian byte reading and writing with every bound checked: the one way untrusted bytes
// (archives, cache entries, messages) are taken apart.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace metalloid {

static_assert(std::endian::native == std::endian::little, "the formats here are little-endian");

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

inline ByteView asBytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}
inline std::string_view asText(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The part [offset, offset + size) of `bytes`, or nothing where it does not lie inside.
inline std::optional<ByteView> slice(ByteView bytes, uint64_t offset, uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset)
    return std::nullopt;
  return bytes.subspan(offset, size);
}

/// Reads forward through a view. After a read past the end every further read gives zero or empty
/// and ok() is false, so a parser may check once at the end of a record.
class ByteReader {
public:
  explicit ByteReader(ByteView bytes) : bytes_(bytes) {}

  template <typename T>
    requires std::is_trivially_copyable_v<T>
  T read() {
    T value{};
    if (ByteView part = take(sizeof(T)); part.size() == sizeof(T))
      std::memcpy(&value, part.data(), sizeof(T));
    return value;
  }

  /// The next `size` bytes, viewed in place.
  ByteView take(uint64_t size) {
    auto part = slice(bytes_, position_, size);
    if (!part) {
      ok_ = false;
      return {};
    }
    position_ += size;
    return *part;
  }

  /// A string written by ByteWriter::string: u32 length, bytes.
  std::string string() { return std::string(asText(take(read<uint32_t>()))); }

  bool ok() const { return ok_; }
  bool atEnd() const { return position_ == bytes_.size(); }
  uint64_t position() const { return position_; }
  uint64_t remaining() const { return bytes_.size() - position_; }

private:
  ByteView bytes_;
  uint64_t position_ = 0;
  bool ok_ = true;
};

/// Appends values to a growing byte string; the counterpart of ByteReader.
class ByteWriter {
public:
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void write(const T& value) {
    append({reinterpret_cast<const std::byte*>(&value), sizeof(T)});
  }
  void append(ByteView bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
  void string(std::string_view text) {
    write(static_cast<uint32_t>(text.size()));
    append(asBytes(text));
  }
  const Bytes& bytes() const { return bytes_; }
  Bytes take() { return std::move(bytes_); }

private:
  Bytes bytes_;
};

} // namespace metalloid
