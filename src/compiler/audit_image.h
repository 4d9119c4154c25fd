// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/bytes.h"
#include "support/error.h"

namespace metalloid::compiler {

/// Refuses what a linker accepts but an image must not hold, since nobody would serve it when the
/// image is mapped: thread-local storage (it would silently be the host's), ifuncs, constructors,
/// mutable data, undefined symbols, any dynamic relocation that is not relative, a missing entry.
Expected<void> auditImage(ByteView elf);

} // namespace metalloid::compiler
