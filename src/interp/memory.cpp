// SPDX-License-Identifier: Apache-2.0
#include "interp/memory.h"

#include <fmt/format.h>

namespace metalloid::interp {
namespace {

/// Bits below the region's number. An offset counts from the middle, so that small steps to either
/// side stay with the region.
constexpr unsigned OffsetBits = 40;
constexpr Address Middle = Address(1) << (OffsetBits - 1);

} // namespace

Address Memory::push(Region region) {
  regions_.push_back(std::move(region));
  // Number 0 is left out: null and small integers belong to no region.
  return (Address(regions_.size()) << OffsetBits) + Middle;
}

Address Memory::addBuffer(std::string name, std::span<std::byte> bytes) {
  return push({Kind::Buffer, std::move(name), bytes, {}});
}

Address Memory::add(Kind kind, std::string name, uint64_t size) {
  Region region{kind, std::move(name), {}, std::vector<std::byte>(size)};
  region.bytes = region.owned; // a vector that moves keeps its bytes where they are
  return push(std::move(region));
}

void Memory::truncate(size_t count) {
  regions_.erase(regions_.begin() + count, regions_.end());
}

std::byte* Memory::access(Address address, uint64_t size, bool isWrite) {
  uint64_t number = address >> OffsetBits;
  const char* verb = isWrite ? "writes" : "reads";
  if (number == 0 || number > regions_.size()) {
    if (!fault_)
      fault_ = fmt::format("{} {} bytes at {:#x}, which is no address", verb, size, address);
    return nullptr;
  }
  Region& region = regions_[number - 1];
  auto offset = static_cast<int64_t>((address & ((Address(1) << OffsetBits) - 1)) - Middle);
  bool isInside = offset >= 0 && static_cast<uint64_t>(offset) <= region.bytes.size() &&
                  size <= region.bytes.size() - static_cast<uint64_t>(offset);
  if (isInside && !(isWrite && region.kind == Kind::Constant))
    return region.bytes.data() + offset;
  if (region.kind != Kind::Private && !fault_)
    fault_ = fmt::format("{} {} bytes at offset {} of {}, which has {} bytes", verb, size, offset,
                         region.name, region.bytes.size());
  return nullptr;
}

std::span<std::byte> Memory::region(Address address) {
  return regions_[(address >> OffsetBits) - 1].bytes;
}

} // namespace metalloid::interp
