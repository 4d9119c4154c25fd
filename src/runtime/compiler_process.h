// SPDX-License-Identifier: Apache-2.0
// Compiler processes of this process: started when there is work, used again while they live, and
// turned into an Error when they crash, hang or take too much.
#pragma once

#include <chrono>
#include <cstdint>

#include "compiler/protocol.h"
#include "support/bytes.h"
#include "support/error.h"

namespace metalloid::runtime {

/// Of one request.
struct CompilerLimits {
  std::chrono::milliseconds time = std::chrono::minutes(2);
  uint64_t memoryBytes = 8ull << 30; ///< Address space.
};

/// For requests that start later.
void setCompilerLimits(const CompilerLimits& limits);

/// Sends a request and returns the payload of its answer. Up to as many requests run at once as
/// there are CPUs to use, each in a process of its own; more wait. An Error is of kind
/// CompileFailed where the compiler refused (its message is the compiler's text), CompilerCrashed
/// where it crashed or met a limit, Io where it cannot be started. Thread-safe; the child of a fork
/// starts processes of its own.
Expected<Bytes> askCompiler(compiler::Operation operation, ByteView payload);

} // namespace metalloid::runtime
