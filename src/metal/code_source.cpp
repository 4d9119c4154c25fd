// SPDX-License-Identifier: Apache-2.0
#include "metal/code_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "metallib/archive.h"

namespace metalloid::metal {
namespace {

class SourceCode final : public CodeSource {
public:
  explicit SourceCode(runtime::CompiledSource compiled) : compiled_(std::move(compiled)) {}

  std::vector<std::string> names() const override { return compiled_.kernels; }

  std::optional<FunctionCode> find(std::string_view name) const override {
    auto found = std::find(compiled_.kernels.begin(), compiled_.kernels.end(), name);
    if (found == compiled_.kernels.end())
      return std::nullopt;
    return FunctionCode{compiled_.module, *found, MTL::FunctionTypeKernel};
  }

private:
  const runtime::CompiledSource compiled_;
};

MTL::FunctionType functionType(metallib::FunctionType type) {
  switch (type) {
  case metallib::FunctionType::Vertex:
    return MTL::FunctionTypeVertex;
  case metallib::FunctionType::Fragment:
    return MTL::FunctionTypeFragment;
  case metallib::FunctionType::Kernel:
    return MTL::FunctionTypeKernel;
  case metallib::FunctionType::Intersection:
    return MTL::FunctionTypeIntersection;
  default:
    return MTL::FunctionTypeVisible;
  }
}

class ArchiveCode final : public CodeSource {
public:
  ArchiveCode(std::shared_ptr<const void> owner, metallib::Archive archive)
      : owner_(std::move(owner)), archive_(std::move(archive)) {}

  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const metallib::Function& function : archive_.functions())
      names.emplace_back(function.name);
    return names;
  }

  std::optional<FunctionCode> find(std::string_view name) const override {
    const metallib::Function* function = archive_.find(name);
    if (!function)
      return std::nullopt;
    // The archive's own hash is a claim; the cache needs a fact.
    return FunctionCode{{owner_, function->bitcode, sha256(function->bitcode)},
                        std::string(name),
                        functionType(function->type)};
  }

private:
  const std::shared_ptr<const void> owner_;
  const metallib::Archive archive_;
};

/// A file in memory, unmapped with its last user.
struct MappedFile {
  std::shared_ptr<const void> owner;
  ByteView bytes;
};

Expected<MappedFile> mapFile(const std::string& path, std::string_view operation) {
  auto failure = [&](const char* what) {
    return fail(Error::Kind::Io, std::string(operation) + ": cannot " + what + " " + path + ": " +
                                     std::strerror(errno));
  };
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return failure("open");
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    close(descriptor);
    return fail(Error::Kind::Io, std::string(operation) + ": " + path + " is not a file");
  }
  const auto size = size_t(status.st_size);
  if (size == 0) {
    close(descriptor);
    return MappedFile{};
  }
  void* address = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  if (address == MAP_FAILED)
    return failure("map");
  return MappedFile{
      std::shared_ptr<const void>(address, [size](void* mapped) { munmap(mapped, size); }),
      {static_cast<const std::byte*>(address), size}};
}

} // namespace

std::unique_ptr<CodeSource> codeOfSource(runtime::CompiledSource compiled) {
  return std::make_unique<SourceCode>(std::move(compiled));
}

Expected<std::unique_ptr<CodeSource>> codeOfArchive(std::shared_ptr<const void> owner,
                                                    ByteView file) {
  auto archive = metallib::Archive::parse(file);
  if (!archive)
    return tl::unexpected(std::move(archive.error()));
  return std::make_unique<ArchiveCode>(std::move(owner), *std::move(archive));
}

Expected<std::unique_ptr<CodeSource>> codeOfArchiveFile(const std::string& path,
                                                        std::string_view operation) {
  auto file = mapFile(path, operation);
  if (!file)
    return tl::unexpected(std::move(file.error()));
  return codeOfArchive(std::move(file->owner), file->bytes).map_error([&](Error error) {
    error.message = std::string(operation) + ": " + path + ": " + error.message;
    return error;
  });
}

} // namespace metalloid::metal
