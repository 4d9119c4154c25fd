// SPDX-License-Identifier: Apache-2.0
// The one pool of threads that every CPU queue shares.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

namespace metalloid::runtime {

/// Runs a part [begin, end) of a range.
using RangeFunction = void (*)(void* context, uint64_t begin, uint64_t end);

/// Runs function(context, …) over [0, total) in parts of about `grain` and returns when all are
/// done; the caller takes part. Parts may run on any thread, each index in exactly one of them.
using ParallelFor = void (*)(uint64_t total, uint64_t grain, RangeFunction function, void* context);

/// Makes kernels run on the host's threads instead of our own pool (null: ours again). Takes effect
/// for dispatches that start later.
void setParallelFor(ParallelFor hook);

/// Threads that take part in parallelFor() of our own pool, the caller included.
unsigned poolThreads();

void parallelFor(uint64_t total, uint64_t grain, RangeFunction function, void* context);

/// The same with a callable body(begin, end), which must not throw.
template <typename Body> void parallelFor(uint64_t total, uint64_t grain, Body&& body) {
  using Callable = std::remove_reference_t<Body>;
  parallelFor(
      total, grain,
      [](void* context, uint64_t begin, uint64_t end) {
        (*static_cast<Callable*>(context))(begin, end);
      },
      const_cast<std::remove_const_t<Callable>*>(&body));
}

} // namespace metalloid::runtime
