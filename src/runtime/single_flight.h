// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "support/error.h"
#include "support/sha256.h"

namespace metalloid::runtime {

/// Lets threads that ask for the same thing at the same time share one answer: the first makes it,
/// the others wait for it.
template <typename Value> class SingleFlight {
public:
  template <typename Make> Expected<Value> get(const Sha256& key, Make make) {
    std::unique_lock lock(mutex_);
    if (auto found = flights_.find(key); found != flights_.end()) {
      auto flight = found->second;
      flight->done.wait(lock, [&] { return flight->answer.has_value(); });
      return *flight->answer;
    }
    auto flight = std::make_shared<Flight>();
    flights_[key] = flight;
    lock.unlock();
    Expected<Value> answer = make();
    lock.lock();
    flight->answer = answer;
    if (auto found = flights_.find(key); found != flights_.end() && found->second == flight)
      flights_.erase(found);
    flight->done.notify_all();
    return answer;
  }

  /// Around a fork, so that the child finds the table whole; what was in the air there is made by
  /// threads of the parent and forgotten.
  void beforeFork() { mutex_.lock(); }
  void afterForkInParent() { mutex_.unlock(); }
  void afterForkInChild() {
    flights_.clear();
    mutex_.unlock();
  }

private:
  struct Flight {
    std::condition_variable done;
    std::optional<Expected<Value>> answer;
  };

  std::mutex mutex_;
  std::map<Sha256, std::shared_ptr<Flight>> flights_;
};

} // namespace metalloid::runtime
