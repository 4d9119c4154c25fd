// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <set>

#include <fmt/format.h>

#include "metallib/archive.h"
#include "metallib/layout.h"

namespace metalloid::metallib {
namespace {

void writeTag(ByteWriter& out, std::string_view tag, ByteView data) {
  out.append(asBytes(tag));
  out.write(static_cast<uint16_t>(data.size()));
  out.append(data);
}

template <typename T> void writeTag(ByteWriter& out, std::string_view tag, const T& value) {
  writeTag(out, tag, ByteView(reinterpret_cast<const std::byte*>(&value), sizeof value));
}

/// A metadata section's entry that says nothing: its own size, then ENDT.
void writeEmptyMetadata(ByteWriter& out) {
  out.write(static_cast<uint32_t>(sizeof(uint32_t) + TagSize));
  out.append(asBytes(EndTag));
}

/// Where one function's three parts lie in their sections.
struct Offsets {
  uint64_t publicMetadata, privateMetadata, bitcode;
};

void writeEntry(ByteWriter& out, const Function& function, const Offsets& offsets) {
  ByteWriter tags;
  writeTag(tags, "NAME", asBytes(std::string(function.name) + '\0'));
  writeTag(tags, "TYPE", function.type);
  writeTag(tags, "HASH", sha256(function.bitcode));
  writeTag(tags, "OFFT", offsets);
  ByteWriter versions;
  versions.write(function.air);
  versions.write(function.language);
  writeTag(tags, "VERS", ByteView(versions.bytes()));
  writeTag(tags, "MDSZ", static_cast<uint64_t>(function.bitcode.size()));
  tags.append(asBytes(EndTag));

  out.write(static_cast<uint32_t>(sizeof(uint32_t) + tags.bytes().size()));
  out.append(tags.bytes());
}

Expected<void> checkNames(const std::vector<Function>& functions) {
  std::set<std::string_view> names;
  for (const Function& function : functions) {
    if (function.name.empty() || function.name.find('\0') != std::string_view::npos ||
        function.name.size() >= std::numeric_limits<uint16_t>::max())
      return fail(Error::Kind::InvalidArgument,
                  fmt::format("metallib: a function's name of {} bytes cannot be written",
                              function.name.size()));
    if (!names.insert(function.name).second)
      return fail(Error::Kind::InvalidArgument,
                  fmt::format("metallib: two functions are named \"{}\"", function.name));
  }
  return {};
}

} // namespace

Expected<Bytes> write(const std::vector<Function>& functions) {
  if (auto checked = checkNames(functions); !checked)
    return tl::unexpected(checked.error());

  ByteWriter list, publicMetadata, privateMetadata, bitcode;
  for (const Function& function : functions) {
    writeEntry(
        list, function,
        {publicMetadata.bytes().size(), privateMetadata.bytes().size(), bitcode.bytes().size()});
    writeEmptyMetadata(publicMetadata);
    writeEmptyMetadata(privateMetadata);
    bitcode.append(function.bitcode);
    // Every module starts at a multiple of 16.
    bitcode.append(Bytes(-bitcode.bytes().size() % 16));
  }

  // Between function list and metadata stand tags about the whole archive. A UUID that follows from
  // the contents keeps equal inputs equal.
  ByteWriter extension;
  Sha256 identity = sha256(bitcode.bytes());
  writeTag(extension, "UUID", ByteView(std::as_bytes(std::span(identity))).first(16));
  extension.append(asBytes(EndTag));

  Header header{};
  std::memcpy(header.magic, Magic.data(), sizeof header.magic);
  header.target = 0x8001;
  header.containerMajor = 2;
  header.containerMinor = 7;
  header.system = 0x81;
  header.systemMajor = 14;
  header.functionList = {sizeof(Header), list.bytes().size()};
  header.publicMetadata = {sizeof(Header) + sizeof(uint32_t) + list.bytes().size() +
                               extension.bytes().size(),
                           publicMetadata.bytes().size()};
  header.privateMetadata = {header.publicMetadata.offset + header.publicMetadata.size,
                            privateMetadata.bytes().size()};
  header.bitcode = {header.privateMetadata.offset + header.privateMetadata.size,
                    bitcode.bytes().size()};
  header.fileSize = header.bitcode.offset + header.bitcode.size;

  ByteWriter out;
  out.write(header);
  out.write(static_cast<uint32_t>(functions.size()));
  out.append(list.bytes());
  out.append(extension.bytes());
  out.append(publicMetadata.bytes());
  out.append(privateMetadata.bytes());
  out.append(bitcode.bytes());
  return out.take();
}

} // namespace metalloid::metallib
