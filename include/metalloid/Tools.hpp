// SPDX-License-Identifier: Apache-2.0
// What the Python package and the command line need beyond the Metal API: reflection in MSL's
// words, include folders, text of every stage, archives, the disk cache. Not there on macOS.
#pragma once

#include "../Foundation/NSArray.hpp"
#include "../Foundation/NSData.hpp"
#include "../Foundation/NSError.hpp"
#include "../Foundation/NSString.hpp"
#include "../Metal/MTLFunctionConstantValues.hpp"
#include "../Metal/MTLLibrary.hpp"
#include "../Metal/MTLTypes.hpp"

namespace metalloid {

/// Compiles MSL source as MTL::Device::newLibrary does, with folders that #include searches
/// (NS::String objects). The caller owns the library.
METALLOID_API MTL::Library* newLibrary(MTL::Device* device, const NS::String* source,
                                       const MTL::CompileOptions* options,
                                       const NS::Array* includeFolders, NS::Error** error);

/// A kernel's air::Reflection in its serialised form (src/air/reflection.h), autoreleased; with
/// `constants` (may be null) of the specialised kernel. Null and an error where it is refused.
METALLOID_API NS::Data* reflection(MTL::Library* library, const NS::String* function,
                                   const MTL::FunctionConstantValues* constants, NS::Error** error);

/// The kernel as text, autoreleased: `stage` is "air" (as the library holds it), "prepared"
/// (specialised, air functions linked) or "asm" (host code for a threadgroup of `threads`).
METALLOID_API NS::String* text(MTL::Library* library, const NS::String* function,
                               const MTL::FunctionConstantValues* constants, const char* stage,
                               MTL::Size threads, NS::Error** error);

/// Compiles the kernel to host code for a threadgroup of `threads` and forgets it: for surveys.
/// With null `constants` every function constant is zero or false.
/// `fibers` tells whether its barriers need fibers. False and an error where it is refused.
METALLOID_API bool tryCompile(MTL::Library* library, const NS::String* function,
                              const MTL::FunctionConstantValues* constants, MTL::Size threads,
                              bool* fibers, NS::Error** error);

/// The AIR of functions (MTL::Function objects) in Apple's container, autoreleased.
METALLOID_API NS::Data* archive(const NS::Array* functions, NS::Error** error);

/// "key: value" lines about the compiler, the cache and the threads in use, autoreleased.
METALLOID_API NS::String* environment();

/// The disk cache of compiled kernels. Sizes in bytes; an empty folder means that there is none.
struct CacheInfo {
  NS::String* folder; ///< Autoreleased.
  NS::UInteger entries;
  NS::UInteger size;
  NS::UInteger limit;
};
METALLOID_API CacheInfo cacheInfo();
/// Removes every entry; returns how many.
METALLOID_API NS::UInteger clearCache();

} // namespace metalloid
