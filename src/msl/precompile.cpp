// SPDX-License-Identifier: Apache-2.0
#include "msl/precompile.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"

#include "msl/diagnostics.h"
#include "msl/frontend.h"
#include "msl/parse.h"

using namespace clang;

namespace metalloid::msl {
namespace {

class PrecompileAction final : public GeneratePCHAction {
  void ExecuteAction() override {
    CompilerInstance& clang = getCompilerInstance();
    clang.createSema(getTranslationUnitKind(), nullptr);
    prepareParsing(clang);
    parseTranslationUnit(clang);
  }
};

} // namespace

std::string precompileLibrary(MathMode math, const std::string& outputFile) {
  std::vector<Diagnostic> diagnostics;
  Source source;
  source.name = "metal_stdlib.pch.metal";
  source.text = "#include <metal_stdlib>\n";
  source.math = math;
  PrecompileAction action;
  Frontend(source, *airVersion(source.languageVersion), diagnostics).run(action, outputFile);
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics)
    text += formatDiagnostic(diagnostic);
  return text;
}

} // namespace metalloid::msl
