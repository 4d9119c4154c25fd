// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compiler/server.h"

namespace metalloid::compiler {

/// Does what the operation asks for. Never throws; LLVM's fatal errors end the process.
Answer handleRequest(Operation operation, ByteView payload, Progress progress);

} // namespace metalloid::compiler
