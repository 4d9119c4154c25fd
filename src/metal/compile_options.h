// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <Metal/MTLLibrary.hpp>

#include "metal/foundation/object.h"
#include "msl/compile.h"
#include "support/error.h"

namespace metalloid::metal {

class CompileOptionsObject final : public CopyableObject<CompileOptionsObject> {
public:
  using Handle = MTL::CompileOptions;
  std::string description() const override { return "MTLCompileOptions"; }

  /// The source as the front end takes it. Error NotSupported names an option that is not built.
  Expected<msl::Source> source(std::string_view text) const;

  MTL::LanguageVersion languageVersion = MTL::LanguageVersion3_2;
  MTL::LibraryType libraryType = MTL::LibraryTypeExecutable;
  MTL::LibraryOptimizationLevel optimizationLevel = MTL::LibraryOptimizationLevelDefault;
  MTL::MathMode mathMode = MTL::MathModeFast;
  MTL::MathFloatingPointFunctions mathFunctions = MTL::MathFloatingPointFunctionsFast;
  NS::UInteger maxTotalThreadsPerThreadgroup = 0;
  NS::SharedPtr<NS::Dictionary> macros;
  bool enableLogging = false;
  bool preserveInvariance = false;
};

} // namespace metalloid::metal
