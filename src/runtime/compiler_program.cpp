// SPDX-License-Identifier: Apache-2.0
#include "runtime/compiler_program.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <vector>

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/bytes.h"
#include "support/sha256.h"

namespace metalloid::runtime {

namespace {

namespace fs = std::filesystem;

constexpr const char* ProgramName = "metalloid-compiler";

/// The folder of the library (or program) that this code is part of, links resolved.
fs::path ownFolder() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&findCompiler), &info) || !info.dli_fname)
    return {};
  std::error_code error;
  fs::path file = fs::canonical(info.dli_fname, error);
  if (error) // A program is known by the name it was started with, which need not be a path.
    file = fs::read_symlink("/proc/self/exe", error);
  return file.parent_path();
}

/// An installed library has the program in ../bin or bin, the build tree in ../../bin.
std::vector<fs::path> candidates() {
  fs::path folder = ownFolder();
  std::vector<fs::path> paths;
  for (const char* way : {"../bin", ".", "bin", "../../bin"})
    paths.push_back((folder / way / ProgramName).lexically_normal());
  return paths;
}

Expected<std::string> locate() {
  if (const char* named = std::getenv("METALLOID_COMPILER"); named && *named) {
    if (fs::exists(named))
      return std::string(named);
    return fail(Error::Kind::Io,
                fmt::format("compiler: METALLOID_COMPILER names {}, which does not exist", named));
  }
  std::string places;
  for (const fs::path& path : candidates()) {
    std::error_code error;
    if (fs::is_regular_file(path, error))
      return path.string();
    places += fmt::format("{}{}", places.empty() ? "" : ", ", path.string());
  }
  return fail(Error::Kind::Io,
              fmt::format("compiler: {} was not found ({}); install it beside the library or name "
                          "it with METALLOID_COMPILER",
                          ProgramName, places));
}

Expected<void> ensureExecutable(const std::string& path) {
  if (access(path.c_str(), X_OK) == 0)
    return {};
  struct stat status{};
  if (stat(path.c_str(), &status) == 0 && chmod(path.c_str(), status.st_mode | 0111) == 0 &&
      access(path.c_str(), X_OK) == 0)
    return {};
  return fail(Error::Kind::Io,
              fmt::format("compiler: {} may not be executed; run `chmod +x {}`, or use a file "
                          "system that is not mounted noexec",
                          path, path));
}

/// The build id note of an ELF file, out of its first bytes; nothing where it has none.
std::optional<std::string> buildId(ByteView file) {
  ByteReader reader(file);
  auto header = reader.read<Elf64_Ehdr>();
  if (!reader.ok() || asText(slice(file, 0, 4).value()) != std::string_view(ELFMAG, SELFMAG))
    return std::nullopt;
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    auto at = slice(file, header.e_phoff + i * sizeof(Elf64_Phdr), sizeof(Elf64_Phdr));
    if (!at)
      return std::nullopt;
    auto segment = ByteReader(*at).read<Elf64_Phdr>();
    auto notes = slice(file, segment.p_offset, segment.p_filesz);
    if (segment.p_type != PT_NOTE || !notes)
      continue;
    ByteReader note(*notes);
    while (note.remaining() >= sizeof(Elf64_Nhdr)) {
      auto head = note.read<Elf64_Nhdr>();
      ByteView name = note.take((uint64_t(head.n_namesz) + 3) / 4 * 4);
      ByteView value = note.take((uint64_t(head.n_descsz) + 3) / 4 * 4);
      if (!note.ok())
        break;
      if (head.n_type != NT_GNU_BUILD_ID || asText(name) != std::string_view("GNU\0", 4))
        continue;
      std::string text;
      for (std::byte byte : value.first(head.n_descsz))
        text += fmt::format("{:02x}", static_cast<unsigned>(byte));
      return text;
    }
  }
  return std::nullopt;
}

std::string identify(const std::string& path) {
  Bytes start(64 << 10); // Program headers and notes lie at the front.
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(start.data()), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<size_t>(file.gcount()));
  if (auto id = buildId(start))
    return *id;
  struct stat status{};
  stat(path.c_str(), &status);
  return fmt::format("{}-{}-{}-{}", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

} // namespace

Expected<CompilerProgram> findCompiler() {
  auto path = locate();
  if (!path)
    return tl::unexpected(path.error());
  if (auto executable = ensureExecutable(*path); !executable)
    return tl::unexpected(executable.error());
  // Looked at once: replacing the program under a running process is not followed.
  static std::mutex mutex;
  static CompilerProgram last;
  std::lock_guard lock(mutex);
  if (last.path != *path)
    last = {*path, identify(*path)};
  return last;
}

} // namespace metalloid::runtime
