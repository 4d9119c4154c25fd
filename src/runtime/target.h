// SPDX-License-Identifier: Apache-2.0
// Which machine code is made for this host.
#pragma once

#include <string>

#include "support/error.h"

namespace metalloid::runtime {

/// METALLOID_CPU: x86-64-v2, x86-64-v3, x86-64-v4 or neon; where it is not set, "native". An error
/// where the host cannot run it.
Expected<std::string> targetName();

/// What native code depends on: model and features of the processor. Part of cache keys.
const std::string& hostIdentity();

/// "AMD EPYC 9654 (AVX-512)", for people.
std::string hostName();

} // namespace metalloid::runtime
