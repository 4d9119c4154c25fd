// SPDX-License-Identifier: Apache-2.0
// The machine that AIR describes, told to Clang: data layout, address spaces, types, triple.
#pragma once

#include <cstdint>
#include <string>

namespace clang {
class TargetInfo;
class TargetOptions;
} // namespace clang

namespace metalloid::msl {

/// What a Metal language version means for AIR.
struct AirVersion {
  uint32_t language = (3u << 16) + 2; ///< major << 16 | minor, as MTL::LanguageVersion.
  uint32_t major = 2, minor = 7;      ///< AIR's own version.
  const char* macos = "15.0.0";       ///< The first macOS that has it.
};

/// The AIR version that goes with a language version; null for a version that Metal does not have.
const AirVersion* airVersion(uint32_t languageVersion);

/// "air64_v27-apple-macosx15.0.0".
std::string airTriple(const AirVersion& version);

/// A new description of the AIR machine, for CompilerInstance::setTarget, which takes it over.
/// `options` must outlive it and name the triple. `version` gives the language macros.
clang::TargetInfo* makeAirTarget(clang::TargetOptions& options, const AirVersion& version);

} // namespace metalloid::msl
