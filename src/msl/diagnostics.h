// SPDX-License-Identifier: Apache-2.0
// Clang's diagnostics as records, in MSL's words.
#pragma once

#include <vector>

#include "clang/Basic/Diagnostic.h"

#include "msl/compile.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace metalloid::msl {

/// Collects every diagnostic. Text is formatted when it comes, so nothing of Clang's need live on.
class DiagnosticCollector final : public clang::DiagnosticConsumer {
public:
  explicit DiagnosticCollector(std::vector<Diagnostic>& records) : records(records) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& diagnostic) override;

private:
  std::vector<Diagnostic>& records;
};

/// Makes `context`'s types and address spaces print as MSL spells them: `device float *`, not
/// `__global float *`. For the diagnostics of the context's own engine.
void printTypesAsMsl(clang::ASTContext& context);

/// "file:line:column: error: message", the source line, a caret.
std::string formatDiagnostic(const Diagnostic& diagnostic);

} // namespace metalloid::msl
