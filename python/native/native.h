// SPDX-License-Identifier: Apache-2.0
// Shared by the files of the extension: everything here stands on the Metal API alone, plus
// <metalloid/Tools.hpp> for what the API does not tell.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>
#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace metalloid::python {

/// Source or AIR that was refused: becomes _core.CompileFailed(text).
struct CompileFailed {
  std::string text;
};

/// An autorelease pool for the length of a block.
class Pool {
public:
  Pool() : pool_(NS::AutoreleasePool::alloc()->init()) {}
  ~Pool() { pool_->release(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

private:
  NS::AutoreleasePool* pool_;
};

inline NS::String* toString(const std::string& text) {
  return NS::String::string(text.c_str(), NS::UTF8StringEncoding);
}
inline std::string fromString(const NS::String* text) {
  return text ? text->utf8String() : "";
}

/// The error's text, for exceptions that outlive the pool.
std::string describe(const NS::Error* error);
/// Throws CompileFailed for compile errors, std::runtime_error for the rest.
[[noreturn]] void raise(const NS::Error* error);

struct Buffer {
  NS::SharedPtr<MTL::Buffer> mtl;
};

struct Library {
  NS::SharedPtr<MTL::Library> mtl;
  NS::SharedPtr<MTL::Device> device;
};

struct Device {
  NS::SharedPtr<MTL::Device> mtl;
};

struct Queue {
  NS::SharedPtr<MTL::CommandQueue> mtl;
};

void bindDevice(nb::module_& module);
void bindLibrary(nb::module_& module);
void bindQueue(nb::module_& module);
void bindReflection(nb::module_& module);

} // namespace metalloid::python
