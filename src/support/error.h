// SPDX-License-Identifier: Apache-2.0
// The error type of everything outside the LLVM passes, and the Expected that carries it.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace metalloid {

/// What went wrong, for a person: "operation: what, where, offending numbers; what to do".
struct Error {
  /// A coarse kind, so that callers can map it to NS::Error codes and Python exceptions.
  enum class Kind {
    InvalidArgument, ///< The caller's value is wrong (size, index, dtype, name).
    CompileFailed,   ///< Source or AIR was refused; `message` holds the diagnostics.
    NotSupported,    ///< A feature that does not exist here; `message` names it.
    OutOfMemory,     ///< Host or device memory is exhausted.
    CompilerCrashed, ///< The compiler process ended, hung or hit a limit.
    Io,              ///< A file, socket or the operating system refused.
    Fault,           ///< A kernel faulted, or ran past its limit.
  };
  Kind kind = Kind::InvalidArgument;
  std::string message;
};

template <typename T> using Expected = tl::expected<T, Error>;

/// `return fail(Error::Kind::Io, "open: ...")`.
inline tl::unexpected<Error> fail(Error::Kind kind, std::string message) {
  return tl::unexpected<Error>(Error{kind, std::move(message)});
}

} // namespace metalloid
