// SPDX-License-Identifier: Apache-2.0
// The asynchronous forms of calls that compile: each on a thread of its own, with a pool.
#pragma once

#include <system_error>
#include <thread>

#include <Foundation/NSAutoreleasePool.hpp>
#include <Foundation/NSError.hpp>
#include <Foundation/NSSharedPtr.hpp>

#include "metal/callback.h"

namespace metalloid::metal {

/// Runs `work` on a new thread (here, where none can be had) within an autorelease pool.
template <class Work> void onOwnThread(Work work) {
  auto run = [work = std::make_shared<Work>(std::move(work))] {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    (*work)();
  };
  try {
    std::thread(run).detach();
  } catch (const std::system_error&) {
    run();
  }
}

/// Calls the handler with what `makeObject` gives (owned) and the error that it sets.
template <class T, class Make>
void inBackground(NS::Private::Callback<T*, NS::Error*> handler, Make makeObject) {
  onOwnThread(
      [handler = OwnedCallback<T*, NS::Error*>(handler), makeObject = std::move(makeObject)] {
        NS::Error* error = nullptr;
        auto object = NS::TransferPtr<T>(makeObject(&error));
        handler(object.get(), error);
      });
}

} // namespace metalloid::metal
