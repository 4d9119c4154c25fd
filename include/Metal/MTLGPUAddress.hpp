// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace MTL {

using GPUAddress = std::uint64_t;

} // namespace MTL
