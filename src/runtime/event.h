// SPDX-License-Identifier: Apache-2.0
// The 64-bit counter behind MTL::Event and MTL::SharedEvent for devices whose queues are threads of
// this process.
#pragma once

#include <memory>

#include "runtime/device.h"

namespace metalloid::runtime {

/// Starts at 0 and never goes back: a signal below the present value is ignored.
std::shared_ptr<Event> makeHostEvent();

} // namespace metalloid::runtime
