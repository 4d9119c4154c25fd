// SPDX-License-Identifier: Apache-2.0
#include "metal/compile_options.h"

#include "metal/foundation/dictionary.h"

namespace metalloid::metal {
namespace {

msl::MathMode frontEndMathMode(MTL::MathMode mode) {
  switch (mode) {
  case MTL::MathModeSafe:
    return msl::MathMode::Safe;
  case MTL::MathModeRelaxed:
    return msl::MathMode::Relaxed;
  default:
    return msl::MathMode::Fast;
  }
}

} // namespace

Expected<msl::Source> CompileOptionsObject::source(std::string_view text) const {
  if (libraryType != MTL::LibraryTypeExecutable)
    return fail(Error::Kind::NotSupported,
                "newLibrary: dynamic libraries (LibraryTypeDynamic) are not supported");
  // Safe math always takes the precise functions, which satisfies either wish.
  if (mathFunctions == MTL::MathFloatingPointFunctionsPrecise && mathMode != MTL::MathModeSafe)
    return fail(Error::Kind::NotSupported,
                "newLibrary: MathFloatingPointFunctionsPrecise is supported with MathModeSafe "
                "only; call the functions of metal::precise instead");
  msl::Source source;
  source.text = text;
  source.languageVersion = uint32_t(languageVersion);
  source.math = frontEndMathMode(mathMode);
  if (macros)
    for (const auto& macro : as<DictionaryObject>(macros.get())->order)
      source.defines.emplace_back(objectOf(macro.key.get())->description(),
                                  objectOf(macro.object.get())->description());
  return source;
}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace MTL {

CompileOptions* CompileOptions::alloc() {
  return make<CompileOptionsObject>();
}

CompileOptions* CompileOptions::init() {
  return this;
}

bool CompileOptions::fastMathEnabled() const {
  return mathMode() == MathModeFast;
}

LanguageVersion CompileOptions::languageVersion() const {
  return as<CompileOptionsObject>(this)->languageVersion;
}

LibraryType CompileOptions::libraryType() const {
  return as<CompileOptionsObject>(this)->libraryType;
}

MathFloatingPointFunctions CompileOptions::mathFloatingPointFunctions() const {
  return as<CompileOptionsObject>(this)->mathFunctions;
}

MathMode CompileOptions::mathMode() const {
  return as<CompileOptionsObject>(this)->mathMode;
}

NS::UInteger CompileOptions::maxTotalThreadsPerThreadgroup() const {
  return as<CompileOptionsObject>(this)->maxTotalThreadsPerThreadgroup;
}

LibraryOptimizationLevel CompileOptions::optimizationLevel() const {
  return as<CompileOptionsObject>(this)->optimizationLevel;
}

NS::Dictionary* CompileOptions::preprocessorMacros() const {
  return as<CompileOptionsObject>(this)->macros.get();
}

bool CompileOptions::preserveInvariance() const {
  return as<CompileOptionsObject>(this)->preserveInvariance;
}

bool CompileOptions::enableLogging() const {
  return as<CompileOptionsObject>(this)->enableLogging;
}

void CompileOptions::setEnableLogging(bool enableLogging) {
  as<CompileOptionsObject>(this)->enableLogging = enableLogging;
}

void CompileOptions::setFastMathEnabled(bool fastMathEnabled) {
  setMathMode(fastMathEnabled ? MathModeFast : MathModeSafe);
}

void CompileOptions::setLanguageVersion(LanguageVersion languageVersion) {
  as<CompileOptionsObject>(this)->languageVersion = languageVersion;
}

void CompileOptions::setLibraryType(LibraryType libraryType) {
  as<CompileOptionsObject>(this)->libraryType = libraryType;
}

void CompileOptions::setMathFloatingPointFunctions(
    MathFloatingPointFunctions mathFloatingPointFunctions) {
  as<CompileOptionsObject>(this)->mathFunctions = mathFloatingPointFunctions;
}

void CompileOptions::setMathMode(MathMode mathMode) {
  as<CompileOptionsObject>(this)->mathMode = mathMode;
}

void CompileOptions::setMaxTotalThreadsPerThreadgroup(NS::UInteger maxTotalThreadsPerThreadgroup) {
  as<CompileOptionsObject>(this)->maxTotalThreadsPerThreadgroup = maxTotalThreadsPerThreadgroup;
}

void CompileOptions::setOptimizationLevel(LibraryOptimizationLevel optimizationLevel) {
  as<CompileOptionsObject>(this)->optimizationLevel = optimizationLevel;
}

void CompileOptions::setPreprocessorMacros(const NS::Dictionary* preprocessorMacros) {
  as<CompileOptionsObject>(this)->macros = copied(preprocessorMacros);
}

void CompileOptions::setPreserveInvariance(bool preserveInvariance) {
  as<CompileOptionsObject>(this)->preserveInvariance = preserveInvariance;
}

} // namespace MTL
