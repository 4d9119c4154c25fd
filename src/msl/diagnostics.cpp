// SPDX-License-Identifier: Apache-2.0
#include "msl/diagnostics.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTDiagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"

#include "msl/library_files.h"

using namespace clang;

namespace metalloid::msl {
namespace {

struct Spelling {
  StringRef clang, msl;
};

// Clang's keywords for what the token pass wrote. A user's text cannot hold them: they are
// reserved.
constexpr Spelling kSpaces[] = {{"__global", "device"},
                                {"__local", "threadgroup"},
                                {"__constant", "constant"},
                                {"__private", "thread"},
                                {"__generic", "thread"}};
constexpr Spelling kTypes[] = {{"__bf16", "bfloat"}, {"_Float16", "half"}, {"__fp16", "half"}};

bool isIdentifierCharacter(char c) {
  return llvm::isAlnum(c) || c == '_';
}

// Rewrites whole identifiers of what Clang printed from `begin` on.
void respell(SmallVectorImpl<char>& output, size_t begin, ArrayRef<Spelling> spellings) {
  const std::string printed(output.begin() + begin, output.end());
  output.resize(begin);
  for (size_t i = 0; i < printed.size();) {
    size_t end = i;
    while (end < printed.size() && isIdentifierCharacter(printed[end]))
      ++end;
    if (end == i) {
      output.push_back(printed[i++]);
      continue;
    }
    StringRef word(printed.data() + i, end - i);
    for (const Spelling& spelling : spellings)
      if (word == spelling.clang)
        word = spelling.msl;
    output.append(word.begin(), word.end());
    i = end;
  }
}

// What Clang formats by itself, `FormatASTNodeDiagnosticArgument`, then MSL's spelling.
void formatArgument(DiagnosticsEngine::ArgumentKind kind, intptr_t value, StringRef modifier,
                    StringRef argument, ArrayRef<DiagnosticsEngine::ArgumentValue> previous,
                    SmallVectorImpl<char>& output, void* context,
                    ArrayRef<intptr_t> qualTypeValues) {
  const size_t begin = output.size();
  FormatASTNodeDiagnosticArgument(kind, value, modifier, argument, previous, output, context,
                                  qualTypeValues);
  if (kind == DiagnosticsEngine::ak_qualtype || kind == DiagnosticsEngine::ak_qualtype_pair ||
      kind == DiagnosticsEngine::ak_qual || kind == DiagnosticsEngine::ak_addrspace)
    respell(output, begin, kTypes);
}

Diagnostic::Severity severity(DiagnosticsEngine::Level level) {
  switch (level) {
  case DiagnosticsEngine::Error:
  case DiagnosticsEngine::Fatal:
    return Diagnostic::Severity::Error;
  case DiagnosticsEngine::Warning:
    return Diagnostic::Severity::Warning;
  default:
    return Diagnostic::Severity::Note;
  }
}

std::string lineAt(const SourceManager& sources, SourceLocation at) {
  const auto [file, offset] = sources.getDecomposedLoc(at);
  bool invalid = false;
  const StringRef text = sources.getBufferData(file, &invalid);
  if (invalid || offset > text.size())
    return {};
  const size_t before = text.rfind('\n', offset);
  const size_t begin = before == StringRef::npos || before >= offset ? 0 : before + 1;
  return text.slice(offset == 0 ? 0 : begin, text.find('\n', offset)).rtrim('\r').str();
}

void setPlace(Diagnostic& record, const SourceManager& sources, SourceLocation location) {
  const SourceLocation at = sources.getFileLoc(location);
  const PresumedLoc presumed = sources.getPresumedLoc(at);
  if (presumed.isInvalid())
    return;
  record.file = presumed.getFilename();
  record.line = presumed.getLine();
  record.column = presumed.getColumn();
  record.sourceLine = lineAt(sources, at);
}

} // namespace

void DiagnosticCollector::HandleDiagnostic(DiagnosticsEngine::Level level,
                                           const clang::Diagnostic& diagnostic) {
  DiagnosticConsumer::HandleDiagnostic(level, diagnostic); // counts
  if (level < DiagnosticsEngine::Note)
    return;
  Diagnostic record;
  record.severity = severity(level);
  SmallString<128> message;
  diagnostic.FormatDiagnostic(message);
  respell(message, 0, kSpaces); // Clang's sentences name the spaces too
  record.message = std::string(message);
  if (diagnostic.getLocation().isValid() && diagnostic.hasSourceManager())
    setPlace(record, diagnostic.getSourceManager(), diagnostic.getLocation());
  // Where the library declares what did not fit is of no use to its user.
  if (record.severity == Diagnostic::Severity::Note && record.file.starts_with(kLibraryFolder))
    return;
  records.push_back(std::move(record));
}

void printTypesAsMsl(ASTContext& context) {
  context.getDiagnostics().SetArgToStringFn(formatArgument, &context);
}

std::string formatDiagnostic(const Diagnostic& diagnostic) {
  static constexpr const char* kSeverities[] = {"note", "warning", "error"};
  std::string text;
  if (!diagnostic.file.empty())
    text = diagnostic.file + ":" + std::to_string(diagnostic.line) + ":" +
           std::to_string(diagnostic.column) + ": ";
  text +=
      std::string(kSeverities[unsigned(diagnostic.severity)]) + ": " + diagnostic.message + "\n";
  if (diagnostic.column == 0)
    return text;
  text += diagnostic.sourceLine + "\n";
  // Tabs are kept, so that the caret stands under its column however wide a tab is.
  for (size_t i = 0; i + 1 < diagnostic.column && i < diagnostic.sourceLine.size(); ++i)
    text += diagnostic.sourceLine[i] == '\t' ? '\t' : ' ';
  return text + "^\n";
}

std::string Result::text() const {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics)
    text += formatDiagnostic(diagnostic);
  return text;
}

} // namespace metalloid::msl
