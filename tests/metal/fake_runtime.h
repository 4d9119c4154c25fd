// SPDX-License-Identifier: Apache-2.0
// A run time without a compiler: kernels are C++ functions, so that the Metal API is tested alone.
// A source string holds the kernels whose names occur in it, and is refused where it holds #error.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

#include "air/reflection.h"
#include "runtime/device.h"

namespace metalloid::fake {

struct Kernel {
  air::Reflection reflection;
  std::function<Expected<void>(const runtime::Dispatch&)> run;
};

/// By name. Tests add to it before they compile.
std::map<std::string, Kernel>& kernels();

/// A kernel `name(device float* a [[buffer(0)]], …)` with `buffers` buffers.
Kernel kernel(std::string name, int buffers,
              std::function<Expected<void>(const runtime::Dispatch&)> run);

/// What is bound at [[buffer(index)]], as elements of type T.
template <class T> T* bound(const runtime::Dispatch& dispatch, size_t index) {
  const runtime::BoundArgument& argument = dispatch.buffers[index];
  if (auto* bytes = std::get_if<runtime::BoundBytes>(&argument))
    return reinterpret_cast<T*>(const_cast<std::byte*>(bytes->bytes->data()));
  const auto& buffer = std::get<runtime::BoundBuffer>(argument);
  return reinterpret_cast<T*>(buffer.memory->deviceAddress() + buffer.offset);
}

/// Memory objects that live.
int liveMemories();

} // namespace metalloid::fake
