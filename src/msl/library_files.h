// SPDX-License-Identifier: Apache-2.0
// The embedded Metal standard library: the headers of src/msl/library, and their precompiled form.
#pragma once

#include <span>
#include <string_view>

namespace metalloid::msl {

struct LibraryFile {
  std::string_view name; ///< As in #include: "metal_stdlib".
  std::string_view text;
};

/// Every header of the library, generated from src/msl/library at build time.
std::span<const LibraryFile> libraryFiles();

/// <metal_stdlib> precompiled by this very front end for the default language version, with fast or
/// precise math functions. Empty inside the program that makes it.
std::string_view precompiledLibrary(bool fastFunctions);

/// Where the headers and their precompiled form stand in the compiler's own file system.
inline constexpr std::string_view kLibraryFolder = "/metalloid/include";
inline constexpr std::string_view kPrecompiledPath = "/metalloid/metal_stdlib.pch";

} // namespace metalloid::msl
