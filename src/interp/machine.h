// SPDX-License-Identifier: Apache-2.0
// The judge: runs a kernel's AIR slowly and plainly, one SIMD-group after another, switching at
// threadgroup barriers. Shares no step with src/cpu, and with src/air only those that fix meaning.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <span>

#include "air/prepare.h"

#include "llvm/Support/Error.h"

namespace metalloid::interp {

/// What to run the kernel on. Buffers are read and written in place.
struct Dispatch {
  std::array<uint32_t, 3> threads = {1, 1, 1};               ///< Threads in the whole grid.
  std::array<uint32_t, 3> threadsPerThreadgroup = {1, 1, 1}; ///< At most 1024 in all.
  std::map<uint32_t, std::span<std::byte>> buffers;          ///< By [[buffer(n)]].
  std::map<uint32_t, uint32_t> threadgroupLengths;           ///< By [[threadgroup(n)]], bytes.
  uint64_t steps = uint64_t(1) << 32; ///< Instructions of SIMD-groups before it gives up.
};

/// Runs `kernel` (from air::prepareUnlowered or air::prepare). An Error names the kernel, the
/// thread group and what went wrong: an access out of a buffer, a barrier that not all threads
/// reach, the limit of steps, something that is not supported. Buffers then hold what was written
/// so far.
llvm::Error run(air::Prepared& kernel, const Dispatch& dispatch);

} // namespace metalloid::interp
