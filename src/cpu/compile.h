// SPDX-License-Identifier: Apache-2.0
// AIR to host code: the one function that reads top to bottom as the list of passes (compile.cpp).
#pragma once

#include <array>
#include <string>

#include "air/prepare.h"
#include "cpu/launch.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace metalloid::cpu {

/// Instruction-set levels the back end emits for. Native is the host's exact CPU.
enum class Level : uint8_t { X86V2, X86V3, X86V4, Native, Neon };

/// How threadgroup barriers are met.
enum class BarrierMode : uint8_t {
  Automatic, ///< Regions where the cut works, else fibers.
  Regions,   ///< An error where the cut is refused (for tests).
  Fibers,
};

struct Options {
  Level level = Level::Native;
  /// Threadgroup size to compile for; 0 in an axis: any size at run time. Fixed sizes give affine
  /// index knowledge and unrolled trees; the all-dynamic image serves ragged edges and odd sizes.
  std::array<uint32_t, 3> threads = {0, 0, 0};
  BarrierMode barriers = BarrierMode::Automatic;
  /// Lanes a vector step handles: 0 = chosen for level and kernel; 4, 8, 16 or 32 (for tests).
  uint32_t chunk = 0;
  bool debugInfo = false;
};

struct Compiled {
  llvm::SmallVector<char, 0> object; ///< A relocatable ELF; entry symbol "kernel".
  Traits traits;
  bool fellBack = false;      ///< Automatic chose fibers because the cut was refused …
  std::string fallbackReason; ///< … for this reason.
};

llvm::Expected<Compiled> compile(air::Prepared prepared, const Options& options);

/// The same, stopped before code generation: textual IR after each pass whose name contains
/// `after` ("" for the last), for the CLI and FileCheck tests.
llvm::Expected<std::string> printAfter(air::Prepared prepared, const Options& options,
                                       llvm::StringRef after);

/// The same as assembly text.
llvm::Expected<std::string> assembly(air::Prepared prepared, const Options& options);

} // namespace metalloid::cpu
