// SPDX-License-Identifier: Apache-2.0
// The compiler's end of the socket: takes requests, keeps their limits, and says the last words of
// a process that must end.
#pragma once

#include <string>
#include <string_view>

#include "compiler/protocol.h"
#include "support/bytes.h"

namespace metalloid::compiler {

/// What a handler answers: `status` Ok with the operation's payload, or Refused with text.
struct Answer {
  Status status = Status::Ok;
  Bytes payload;
};

/// Tells the client what the compiler is at.
using Progress = void (*)(std::string_view what);

using Handler = Answer (*)(Operation operation, ByteView payload, Progress progress);

/// Serves requests from `socket`, one after another, until the client closes it or nothing comes
/// for some seconds. Handlers run on a thread with a large stack while this one watches the socket
/// and the clock: when the client goes away the process ends at once. Returns the exit code.
int serve(int socket, Handler handler);

/// Answers the request in work with `status` and `text`, and ends the process. Callable from any
/// thread and where memory has run out.
[[noreturn]] void endWith(Status status, std::string_view text);

} // namespace metalloid::compiler
