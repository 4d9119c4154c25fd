// SPDX-License-Identifier: Apache-2.0
// The last step of making an image: one object file and the libcalls of its level become a small
// position-independent ELF.
#pragma once

#include <string>

#include "support/bytes.h"
#include "support/error.h"

namespace metalloid::compiler {

/// The libcalls an image is linked with: each set needs the instructions of its level.
enum class Libcalls : uint8_t { X86V2, X86V3, X86V4, AArch64 };

/// Links `object`, a relocatable ELF with the entry symbol "kernel", and audits the result. With
/// `debugInfo`, relocations of its DWARF are kept, so that debuggers can be told where the image
/// lies. The error is lld's text or names what an image must not hold. Equal objects give equal
/// bytes.
Expected<Bytes> linkImage(ByteView object, Libcalls libcalls, bool debugInfo = false);

} // namespace metalloid::compiler
