// SPDX-License-Identifier: Apache-2.0
// How closures reach the library: as plain pointers, because a program may use another standard
// library than libmetalloid.so, in which std::function has another layout.
#pragma once

#include <functional>

namespace NS::Private {

/// A closure. The library calls `call` with `context` any number of times, then `destroy` once.
template <class... _Args> struct Callback {
  void* context;
  void (*call)(void* context, _Args... args);
  void (*destroy)(void* context);
};

/// Empty functions give a Callback whose `call` is null.
template <class... _Args>
Callback<_Args...> callback(const std::function<void(_Args...)>& function) {
  using Function = std::function<void(_Args...)>;
  if (!function)
    return {nullptr, nullptr, nullptr};
  return {new Function(function),
          [](void* context, _Args... args) { (*static_cast<Function*>(context))(args...); },
          [](void* context) { delete static_cast<Function*>(context); }};
}

} // namespace NS::Private

#ifdef __BLOCKS__
extern "C" void* _Block_copy(const void* block);
extern "C" void _Block_release(const void* block);

namespace NS::Private {

template <class... _Args> Callback<_Args...> callback(void (^block)(_Args...)) {
  if (!block)
    return {nullptr, nullptr, nullptr};
  return {
      _Block_copy(reinterpret_cast<const void*>(block)),
      [](void* context, _Args... args) { reinterpret_cast<void (^)(_Args...)>(context)(args...); },
      [](void* context) { _Block_release(context); }};
}

} // namespace NS::Private
#endif
