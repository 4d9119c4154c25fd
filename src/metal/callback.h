// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include <Foundation/NSCallback.hpp>

namespace metalloid::metal {

/// A closure of the program's, owned.
template <class... Args> class OwnedCallback {
public:
  explicit OwnedCallback(NS::Private::Callback<Args...> callback) : callback_(callback) {}
  OwnedCallback(OwnedCallback&& other) noexcept
      : callback_(std::exchange(other.callback_, {nullptr, nullptr, nullptr})) {}
  OwnedCallback& operator=(OwnedCallback&& other) noexcept {
    std::swap(callback_, other.callback_);
    return *this;
  }
  ~OwnedCallback() {
    if (callback_.destroy)
      callback_.destroy(callback_.context);
  }

  explicit operator bool() const { return callback_.call != nullptr; }
  void operator()(Args... args) const { callback_.call(callback_.context, args...); }

private:
  NS::Private::Callback<Args...> callback_;
};

} // namespace metalloid::metal
