// SPDX-License-Identifier: Apache-2.0
// The files that the compiler may see: the embedded library and the folders it was given.
#pragma once

#include <string>
#include <vector>

#include "clang/Basic/LLVM.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

#include "msl/compile.h"

namespace clang {
class Preprocessor;
} // namespace clang

namespace metalloid::msl {

/// A real file system that shows nothing outside the given folders and keeps account of every file
/// that was opened or found missing.
class IncludeFolders final : public llvm::vfs::ProxyFileSystem {
public:
  explicit IncludeFolders(llvm::ArrayRef<std::string> folders);

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine& path, std::error_code& error) override;
  bool exists(const llvm::Twine& path) override { return static_cast<bool>(status(path)); }

  /// What the compilation depends on so far, in the order of first use; files with their SHA-256.
  std::vector<Dependency> dependencies() const { return used; }

private:
  bool allows(llvm::StringRef path) const;
  void note(llvm::StringRef path, bool exists, std::string hash);

  std::vector<std::string> folders;
  std::vector<Dependency> used;
};

/// The embedded library, at kLibraryFolder, in memory; with its precompiled form if `precompiled`
/// is not empty.
llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem>
libraryFileSystem(std::string_view precompiled);

/// Makes `#include` of an absolute path or one with `..`, and `#embed`, errors.
void refuseForeignIncludes(clang::Preprocessor& preprocessor);

} // namespace metalloid::msl
