// SPDX-License-Identifier: Apache-2.0
// Memory as regions that know their bounds. An address names its region in the upper bits, so that
// arithmetic on it is plain arithmetic and leaving the region is seen.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interp/bits.h"

namespace metalloid::interp {

using Address = uint64_t;

class Memory {
public:
  enum class Kind {
    Buffer,      ///< The caller's bytes.
    Constant,    ///< A variable of the program; not written.
    Threadgroup, ///< Lives as long as a threadgroup.
    Private,     ///< A thread's variable: misses read 0 and write nothing.
  };

  /// A region of the caller's bytes, which must outlive it.
  Address addBuffer(std::string name, std::span<std::byte> bytes);
  /// A region of zeros, owned here.
  Address add(Kind kind, std::string name, uint64_t size);

  /// Ends all regions made since there were `count`.
  void truncate(size_t count);
  size_t count() const { return regions_.size(); }

  /// The `size` bytes at `address`, or null where they do not lie in one region. A miss of anything
  /// but a private variable is also the memory's fault.
  std::byte* access(Address address, uint64_t size, bool isWrite);

  /// The bytes of the region that begins at `address`.
  std::span<std::byte> region(Address address);

  /// The first wrong access, as a sentence without subject: "reads 4 bytes at …".
  const std::optional<std::string>& fault() const { return fault_; }

private:
  struct Region {
    Kind kind;
    std::string name;
    std::span<std::byte> bytes;
    std::vector<std::byte> owned;
  };
  Address push(Region region);

  std::vector<Region> regions_;
  std::optional<std::string> fault_;
};

} // namespace metalloid::interp
