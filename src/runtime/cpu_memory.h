// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "runtime/device.h"

namespace metalloid::runtime {

/// Zeroed host memory, aligned to 64 bytes, or to pages where it is large; large memory is taken
/// from the system page by page as it is touched.
Expected<std::shared_ptr<Memory>> allocateCpuMemory(uint64_t length, StorageMode mode);

/// The caller's memory; `release`, where given, is called when the last user is gone.
std::shared_ptr<Memory> wrapCpuMemory(void* pointer, uint64_t length,
                                      std::function<void()> release);

} // namespace metalloid::runtime
