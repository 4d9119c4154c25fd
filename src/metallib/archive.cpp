// SPDX-License-Identifier: Apache-2.0
#include "metallib/archive.h"

#include <fmt/format.h>

#include "metallib/layout.h"

namespace metalloid::metallib {
namespace {

tl::unexpected<Error> damaged(std::string what) {
  return fail(Error::Kind::InvalidArgument, "metallib: " + std::move(what));
}

/// What one entry of the function list says, before it is checked against the sections.
struct Entry {
  Function function;
  bool hasName = false, hasOffsets = false, hasSize = false;
  uint64_t bitcodeOffset = 0;
  uint64_t bitcodeSize = 0;
};

/// Takes one tag's data into `entry`; tags that mean nothing to a compiler are passed over.
/// False where the data has not the tag's shape.
bool readTag(std::string_view tag, ByteView data, Entry& entry) {
  ByteReader reader(data);
  if (tag == "NAME") {
    std::string_view text = asText(data);
    size_t end = text.find('\0');
    if (end == std::string_view::npos || end == 0)
      return false;
    entry.function.name = text.substr(0, end);
    entry.hasName = true;
  } else if (tag == "TYPE") {
    entry.function.type = static_cast<FunctionType>(reader.read<uint8_t>());
  } else if (tag == "HASH") {
    entry.function.hash = reader.read<Sha256>();
  } else if (tag == "OFFT") {
    reader.read<uint64_t>(); // into the public metadata
    reader.read<uint64_t>(); // into the private metadata
    entry.bitcodeOffset = reader.read<uint64_t>();
    entry.hasOffsets = true;
  } else if (tag == "MDSZ") {
    entry.bitcodeSize = reader.read<uint64_t>();
    entry.hasSize = true;
  } else if (tag == "VERS") {
    entry.function.air = reader.read<Version>();
    entry.function.language = reader.read<Version>();
  }
  return reader.ok();
}

/// Reads the tags of one entry, up to ENDT.
Expected<Entry> readEntry(ByteView bytes, uint32_t index) {
  Entry entry;
  ByteReader reader(bytes);
  for (;;) {
    std::string_view tag = asText(reader.take(TagSize));
    if (tag == EndTag)
      break;
    ByteView data = reader.take(reader.read<uint16_t>());
    if (!reader.ok())
      return damaged(fmt::format("function {} has a tag that runs past its entry", index));
    if (!readTag(tag, data, entry))
      return damaged(fmt::format("function {} has a malformed {} tag", index, tag));
  }
  if (!entry.hasName || !entry.hasOffsets || !entry.hasSize)
    return damaged(fmt::format("function {} lacks {}", index,
                               !entry.hasName      ? "a name"
                               : !entry.hasOffsets ? "its offsets"
                                                   : "its size"));
  return entry;
}

Expected<Header> readHeader(ByteView file) {
  if (asText(file).starts_with(UniversalMagic))
    return fail(Error::Kind::NotSupported,
                "metallib: this is a universal archive for several targets; extract one with "
                "lipo first");
  ByteReader reader(file);
  auto header = reader.read<Header>();
  if (std::string_view(header.magic, sizeof header.magic) != Magic)
    return damaged("not a Metal library (it does not begin with MTLB)");
  if (!reader.ok())
    return damaged(fmt::format("the header is cut off at {} bytes", file.size()));
  if (header.fileSize > file.size())
    return damaged(
        fmt::format("the header says {} bytes, the file has {}", header.fileSize, file.size()));
  return header;
}

} // namespace

Expected<Archive> Archive::parse(ByteView file) {
  auto header = readHeader(file);
  if (!header)
    return tl::unexpected(header.error());
  auto bitcode = slice(file, header->bitcode.offset, header->bitcode.size);
  if (!bitcode)
    return damaged(fmt::format("the bitcode section [{}, +{}) lies outside the file",
                               header->bitcode.offset, header->bitcode.size));
  // The list's size field leaves out the count, so the end of the file bounds the list.
  uint64_t listOffset = std::min<uint64_t>(header->functionList.offset, file.size());
  ByteReader reader(file.subspan(listOffset));
  auto count = reader.read<uint32_t>();
  if (!reader.ok())
    return damaged(
        fmt::format("the function list at {} lies outside the file", header->functionList.offset));

  Archive archive;
  for (uint32_t i = 0; i < count; ++i) {
    // An entry's size counts itself.
    auto size = reader.read<uint32_t>();
    ByteView bytes = reader.take(size < sizeof size ? UINT64_MAX : size - sizeof size);
    if (!reader.ok())
      return damaged(fmt::format("function {} of {} runs past the end of the file", i, count));
    auto entry = readEntry(bytes, i);
    if (!entry)
      return tl::unexpected(entry.error());
    Function& function = entry->function;
    auto body = slice(*bitcode, entry->bitcodeOffset, entry->bitcodeSize);
    if (!body)
      return damaged(
          fmt::format("the bitcode [{}, +{}) of function \"{}\" lies outside its section",
                      entry->bitcodeOffset, entry->bitcodeSize, function.name));
    function.bitcode = *body;
    if (!archive.byName_.emplace(function.name, i).second)
      return damaged(fmt::format("two functions are named \"{}\"", function.name));
    archive.functions_.push_back(function);
  }
  return archive;
}

const Function* Archive::find(std::string_view name) const {
  auto found = byName_.find(name);
  return found == byName_.end() ? nullptr : &functions_[found->second];
}

} // namespace metalloid::metallib
