// SPDX-License-Identifier: Apache-2.0
#include "runtime/event.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace metalloid::runtime {
namespace {

class HostEvent final : public Event {
public:
  uint64_t value() const override { return value_.load(std::memory_order_acquire); }

  void signal(uint64_t value) override {
    {
      std::lock_guard lock(mutex_);
      if (value <= value_.load(std::memory_order_relaxed))
        return;
      value_.store(value, std::memory_order_release);
    }
    changed_.notify_all();
  }

  bool wait(uint64_t value, uint64_t timeoutMilliseconds) override {
    if (this->value() >= value)
      return true;
    auto reached = [&] { return value_.load(std::memory_order_relaxed) >= value; };
    std::unique_lock lock(mutex_);
    // Longer than a year is for ever: the clock's arithmetic must not overflow.
    constexpr uint64_t year = 366ull * 24 * 3600 * 1000;
    if (timeoutMilliseconds > year) {
      changed_.wait(lock, reached);
      return true;
    }
    return changed_.wait_for(lock, std::chrono::milliseconds(timeoutMilliseconds), reached);
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<uint64_t> value_ = 0;
};

} // namespace

std::shared_ptr<Event> makeHostEvent() {
  return std::make_shared<HostEvent>();
}

} // namespace metalloid::runtime
