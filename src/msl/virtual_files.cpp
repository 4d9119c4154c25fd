// SPDX-License-Identifier: Apache-2.0
#include "msl/virtual_files.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "msl/library_files.h"
#include "support/sha256.h"

using namespace clang;

namespace metalloid::msl {
namespace {

// Equal in every build and run: a precompiled header names the times of its files.
constexpr time_t kLibraryTime = 1;

bool leavesFolders(StringRef path) {
  if (llvm::sys::path::is_absolute(path))
    return true;
  for (auto part = llvm::sys::path::begin(path); part != llvm::sys::path::end(path); ++part)
    if (*part == "..")
      return true;
  return false;
}

class IncludeRules final : public PPCallbacks {
public:
  explicit IncludeRules(DiagnosticsEngine& diagnostics) : diagnostics(diagnostics) {}

  // Says nothing yet, not even that the file is missing: InclusionDirective knows the place.
  bool FileNotFound(StringRef name) override { return leavesFolders(name); }
  void InclusionDirective(SourceLocation, const Token&, StringRef name, bool, CharSourceRange range,
                          OptionalFileEntryRef, StringRef, StringRef, const Module*, bool,
                          SrcMgr::CharacteristicKind) override {
    check(range.getBegin(), name);
  }
  void HasInclude(SourceLocation at, StringRef name, bool, OptionalFileEntryRef,
                  SrcMgr::CharacteristicKind) override {
    check(at, name);
  }
  void EmbedDirective(SourceLocation at, StringRef, bool, OptionalFileEntryRef,
                      const LexEmbedParametersResult&) override {
    error(at, "#embed is not supported");
  }
  void HasEmbed(SourceLocation at, StringRef, bool, OptionalFileEntryRef) override {
    error(at, "#embed is not supported");
  }

private:
  void check(SourceLocation at, StringRef name) {
    if (leavesFolders(name))
      error(at, "cannot include '" + name.str() +
                    "': a path must be relative, without '..', and below an include folder");
  }
  void error(SourceLocation at, StringRef message) {
    diagnostics.Report(at, diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << message;
  }

  DiagnosticsEngine& diagnostics;
};

} // namespace

IncludeFolders::IncludeFolders(ArrayRef<std::string> given)
    : ProxyFileSystem(llvm::vfs::getRealFileSystem()) {
  for (const std::string& folder : given) {
    SmallString<256> path(folder);
    makeAbsolute(path);
    llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    folders.emplace_back(path);
  }
}

bool IncludeFolders::allows(StringRef path) const {
  for (const std::string& folder : folders) {
    StringRef rest = path;
    if (rest.consume_front(folder) &&
        (rest.empty() || folder.ends_with('/') || rest.starts_with('/')))
      return true;
  }
  return false;
}

void IncludeFolders::note(StringRef path, bool exists, std::string hash) {
  for (Dependency& known : used)
    if (known.path == path) {
      if (!hash.empty())
        known.contentHash = std::move(hash);
      return;
    }
  used.push_back({path.str(), exists, std::move(hash)});
}

namespace {
SmallString<256> cleaned(llvm::vfs::FileSystem& files, const llvm::Twine& path) {
  SmallString<256> result;
  path.toVector(result);
  files.makeAbsolute(result);
  llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
  return result;
}
} // namespace

llvm::ErrorOr<llvm::vfs::Status> IncludeFolders::status(const llvm::Twine& path) {
  const SmallString<256> name = cleaned(*this, path);
  if (!allows(name))
    return std::make_error_code(std::errc::no_such_file_or_directory);
  auto result = ProxyFileSystem::status(name);
  if (!result)
    note(name, false, {});
  return result;
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
IncludeFolders::openFileForRead(const llvm::Twine& path) {
  const SmallString<256> name = cleaned(*this, path);
  if (!allows(name))
    return std::make_error_code(std::errc::no_such_file_or_directory);
  auto file = ProxyFileSystem::openFileForRead(name);
  if (!file) {
    note(name, false, {});
    return file;
  }
  auto buffer = (*file)->getBuffer(name);
  if (!buffer)
    return buffer.getError();
  const StringRef text = (*buffer)->getBuffer();
  note(name, true, toHex(sha256(asBytes(text))));
  return ProxyFileSystem::openFileForRead(name);
}

llvm::vfs::directory_iterator IncludeFolders::dir_begin(const llvm::Twine& path,
                                                        std::error_code& error) {
  if (allows(cleaned(*this, path)))
    return ProxyFileSystem::dir_begin(path, error);
  error = std::make_error_code(std::errc::no_such_file_or_directory);
  return {};
}

llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem>
libraryFileSystem(std::string_view precompiled) {
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  auto add = [&](const llvm::Twine& path, std::string_view contents) {
    files->addFile(path, kLibraryTime,
                   llvm::MemoryBuffer::getMemBuffer(contents, "", /*NullTerminated=*/false));
  };
  for (const LibraryFile& file : libraryFiles())
    add(llvm::Twine(kLibraryFolder) + "/" + file.name, file.text);
  if (!precompiled.empty())
    add(kPrecompiledPath, precompiled);
  return files;
}

void refuseForeignIncludes(Preprocessor& preprocessor) {
  preprocessor.addPPCallbacks(std::make_unique<IncludeRules>(preprocessor.getDiagnostics()));
}

} // namespace metalloid::msl
