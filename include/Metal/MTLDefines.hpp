// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Foundation/NSDefines.hpp>

/// Seconds, on the clock of std::chrono::steady_clock.
using CFTimeInterval = double;
