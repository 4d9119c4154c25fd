// SPDX-License-Identifier: Apache-2.0
// In-order queues for devices whose work runs on threads of this process. A queue has one worker
// thread, started with its first list; a thread that waits for the queue may take the worker's
// place (Queue::help). At most one of them runs the queue's work at any time, and none holds a lock
// meanwhile, so queues run side by side and a list that waits for an event holds up only its own.
#pragma once

#include <functional>
#include <memory>

#include "runtime/device.h"

namespace metalloid::runtime {

/// Runs a Dispatch, Copy or Fill to its end. Indirect dispatches come with their threads filled in;
/// grids without threads do not come at all.
using RunCommand = std::function<Expected<void>(const Command&)>;

/// Lists still pending when the last reference goes are run all the same. After fork the child's
/// copy of the queue is empty and has a thread of its own.
std::shared_ptr<Queue> makeInOrderQueue(RunCommand run);

/// Seconds on the clock of Completion.
double now();

} // namespace metalloid::runtime
