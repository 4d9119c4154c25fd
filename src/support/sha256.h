// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "support/bytes.h"

namespace metalloid {

using Sha256 = std::array<uint8_t, 32>;

/// SHA-256 (FIPS 180-4) of `bytes`.
Sha256 sha256(ByteView bytes);

/// Lower-case hexadecimal, 64 characters.
std::string toHex(const Sha256& hash);

} // namespace metalloid
