// SPDX-License-Identifier: Apache-2.0
// What this implementation offers beyond metal-cpp.
#pragma once

#include <cstddef>

#include <Metal/Metal.hpp>

namespace metalloid {

/// An autoreleased copy of `length` bytes.
METALLOID_API NS::Data* data(const void* bytes, std::size_t length);

/// The library in the bytes of a .metallib, which are copied. Null and an error where they are no
/// archive. The caller owns the library.
METALLOID_API MTL::Library* newLibrary(MTL::Device* device, const NS::Data* data,
                                       NS::Error** error);

} // namespace metalloid
