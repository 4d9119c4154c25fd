// SPDX-License-Identifier: Apache-2.0
// Kernels under gdb and perf. All of this is off unless METALLOID_PROFILE is set (to anything but
// 0): it leaves files and keeps a second copy of each image.
#pragma once

#include <cstdint>
#include <string>

#include "support/bytes.h"

namespace metalloid::runtime {

bool isProfiling();

/// A file of its own, in a temporary folder of this process, with the image of `kernel`: perf reads
/// symbols from what was mapped, and cannot read what lies in memory alone. The caller closes the
/// descriptor; -1 where there is no room.
int openImageForProfilers(ByteView elf, const std::string& kernel);

/// An image as gdb knows it, through the interface it has for code made at run time.
class DebuggerEntry {
public:
  DebuggerEntry() = default;
  /// `elf` was mapped at `base`.
  DebuggerEntry(ByteView elf, uintptr_t base);
  DebuggerEntry(DebuggerEntry&& other) noexcept;
  DebuggerEntry& operator=(DebuggerEntry&&) = delete;
  ~DebuggerEntry();

private:
  struct Registered;
  Registered* registered_ = nullptr;
};

} // namespace metalloid::runtime
