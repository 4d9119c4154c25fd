// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "NSDefines.hpp"

namespace NS {

using TimeInterval = double; ///< Seconds.

using Integer = std::intptr_t;
using UInteger = std::uintptr_t;

const Integer IntegerMax = INTPTR_MAX;
const Integer IntegerMin = INTPTR_MIN;
const UInteger UIntegerMax = UINTPTR_MAX;

struct OperatingSystemVersion {
  Integer majorVersion;
  Integer minorVersion;
  Integer patchVersion;
} __attribute__((packed));

} // namespace NS
