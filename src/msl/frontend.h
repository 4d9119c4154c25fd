// SPDX-License-Identifier: Apache-2.0
// One run of Clang over one source: files, target and diagnostics set up, nothing of the machine's.
#pragma once

#include <memory>
#include <vector>

#include "msl/compile.h"
#include "msl/target.h"

namespace clang {
class CompilerInstance;
class FrontendAction;
} // namespace clang

namespace metalloid::msl {

class Frontend {
public:
  /// Diagnostics are appended to `diagnostics` as they come. All three must outlive the run.
  Frontend(const Source& source, const AirVersion& version, std::vector<Diagnostic>& diagnostics);
  ~Frontend();

  /// Runs `action` over the source; writes to `outputFile` if the action has an output. False after
  /// an error.
  bool run(clang::FrontendAction& action, const std::string& outputFile = {});

  /// The files read and looked for, once it has run.
  std::vector<Dependency> dependencies() const;

private:
  struct State;
  std::unique_ptr<State> state;
};

/// What every action does between creating Sema and parsing: MSL's spelling in diagnostics, MSL's
/// pragmas, the rules for #include.
void prepareParsing(clang::CompilerInstance& clang);

} // namespace metalloid::msl
