// SPDX-License-Identifier: Apache-2.0
// Metal Shading Language source to an AIR module: the front of the road.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/bytes.h"

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace metalloid::msl {

enum class MathMode : uint8_t { Safe, Relaxed, Fast };

struct Source {
  std::string name = "program_source"; ///< Shown in diagnostics; may be a path.
  std::string text;
  std::vector<std::pair<std::string, std::string>> defines;
  std::vector<std::string> includeFolders;
  uint32_t languageVersion = (3u << 16) + 2; ///< MTL::LanguageVersion: major << 16 | minor.
  MathMode math = MathMode::Fast;
  bool debugInfo = false;
};

struct Diagnostic {
  enum class Severity : uint8_t { Note, Warning, Error } severity = Severity::Error;
  std::string file;
  uint32_t line = 0, column = 0; ///< From 1.
  std::string message;           ///< In MSL's words.
  std::string sourceLine;        ///< The line of the user's source, for the caret.
};

/// A file the result depends on, for the cache's manifest.
struct Dependency {
  std::string path;
  bool exists = true; ///< False: looked for and absent; its appearance invalidates the result.
  std::string contentHash;
};

struct Result {
  std::unique_ptr<llvm::Module> module; ///< Unoptimised AIR; null after an error.
  std::vector<Diagnostic> diagnostics;
  std::vector<Dependency> dependencies;
  /// Diagnostics as text: "file:line:column: error: …", source line, caret.
  std::string text() const;
};

/// Never throws, never exits. Files outside `includeFolders` and the embedded library are not read.
Result compile(llvm::LLVMContext& context, const Source& source);

} // namespace metalloid::msl
