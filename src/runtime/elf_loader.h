// SPDX-License-Identifier: Apache-2.0
// Mapping a kernel image: read-only and executable parts of a sealed file in memory, relative
// relocations applied, never writable and executable at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/debuggers.h"
#include "support/bytes.h"
#include "support/error.h"

namespace metalloid::runtime {

/// An image in the address space; unmapped when it goes.
class MappedElf {
public:
  /// Maps `elf`, whose every offset and size is checked: damaged bytes give an error. They must
  /// have passed a hash check all the same, since the code itself cannot be checked. `name` is for
  /// the error and for profilers.
  static Expected<MappedElf> map(ByteView elf, const std::string& name);

  MappedElf(MappedElf&& other) noexcept;
  MappedElf& operator=(MappedElf&&) = delete;
  ~MappedElf();

  uintptr_t entry() const { return entry_; }
  /// The whole mapping, gaps included.
  ByteView memory() const { return {reinterpret_cast<const std::byte*>(base_), length_}; }

private:
  MappedElf(uintptr_t base, size_t length) : base_(base), length_(length) {}

  uintptr_t base_ = 0;
  size_t length_ = 0;
  uintptr_t entry_ = 0;
  std::optional<DebuggerEntry> debuggers_; ///< Only while profiling.
};

} // namespace metalloid::runtime
