// SPDX-License-Identifier: Apache-2.0
#include "compiler/link_image.h"

#include <cerrno>
#include <cstring>
#include <mutex>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compiler/audit_image.h"

#include "lld/Common/Driver.h"
#include "llvm/Support/raw_ostream.h"

LLD_HAS_DRIVER(elf)

// libcalls_data.S
extern "C" {
extern const std::byte metalloid_libcalls_x86_64_v2[], metalloid_libcalls_x86_64_v2_end[];
extern const std::byte metalloid_libcalls_x86_64_v3[], metalloid_libcalls_x86_64_v3_end[];
extern const std::byte metalloid_libcalls_x86_64_v4[], metalloid_libcalls_x86_64_v4_end[];
extern const std::byte metalloid_libcalls_aarch64[], metalloid_libcalls_aarch64_end[];
}

namespace metalloid::compiler {

namespace {

ByteView archiveOf(Libcalls libcalls) {
  switch (libcalls) {
  case Libcalls::X86V2:
    return {metalloid_libcalls_x86_64_v2, metalloid_libcalls_x86_64_v2_end};
  case Libcalls::X86V3:
    return {metalloid_libcalls_x86_64_v3, metalloid_libcalls_x86_64_v3_end};
  case Libcalls::X86V4:
    return {metalloid_libcalls_x86_64_v4, metalloid_libcalls_x86_64_v4_end};
  case Libcalls::AArch64:
    break;
  }
  return {metalloid_libcalls_aarch64, metalloid_libcalls_aarch64_end};
}

/// A file in memory that lld can open by name.
class MemoryFile {
public:
  explicit MemoryFile(const char* name) : descriptor_(memfd_create(name, MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (descriptor_ >= 0)
      close(descriptor_);
  }

  bool write(ByteView bytes) {
    while (!bytes.empty()) {
      ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written <= 0)
        return false;
      bytes = bytes.subspan(static_cast<size_t>(written));
    }
    return true;
  }

  Bytes read() const {
    off_t size = lseek(descriptor_, 0, SEEK_END);
    Bytes bytes(size > 0 ? static_cast<size_t>(size) : 0);
    ssize_t got = pread(descriptor_, bytes.data(), bytes.size(), 0);
    bytes.resize(got > 0 ? static_cast<size_t>(got) : 0);
    return bytes;
  }

  int descriptor() const { return descriptor_; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
  int descriptor_;
};

/// Runs lld with its standard output, the only way to a result without a folder to put it in,
/// going to `output`.
bool runLinker(const std::vector<std::string>& inputs, bool debugInfo, const MemoryFile& output,
               std::string& messages) {
  std::vector<const char*> arguments = {
      "ld.lld", "-pie", "-static", "--no-dynamic-linker", "-Bsymbolic", "-z", "text", "-z",
      "rodynamic", "-z", "norelro", "-z", "nognustack", "--gc-sections",
      // Relative relocations in their densest form, with the addends already in place.
      "--pack-dyn-relocs=relr", "--apply-dynamic-relocs", "--build-id=none",
      // Headers and constants share the code's mapping: a small image is one segment.
      "--no-rosegment", "--threads=1", "--no-mmap-output-file", "-e", "kernel", "-o", "-"};
  if (debugInfo)
    arguments.push_back("--emit-relocs");
  for (const std::string& input : inputs)
    arguments.push_back(input.c_str());

  llvm::raw_string_ostream stream(messages);
  int keptOutput = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  dup2(output.descriptor(), STDOUT_FILENO);
  lld::Result result = lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}});
  llvm::outs().flush();
  if (keptOutput >= 0) {
    dup2(keptOutput, STDOUT_FILENO);
    close(keptOutput);
  } else {
    close(STDOUT_FILENO);
  }
  return result.retCode == 0;
}

} // namespace

Expected<Bytes> linkImage(ByteView object, Libcalls libcalls, bool debugInfo) {
  // lld would take other text for a script of its own.
  if (!asText(object).starts_with("\177ELF"))
    return fail(Error::Kind::CompileFailed, "linking: not an object file");
  // lld keeps its state in globals, and borrows our standard output.
  static std::mutex linking;
  std::lock_guard lock(linking);

  MemoryFile input("object"), library("libcalls"), output("image");
  if (!input.write(object) || !library.write(archiveOf(libcalls)) || output.descriptor() < 0)
    return fail(Error::Kind::Io,
                std::string("linking: no file in memory: ") + std::strerror(errno));
  std::string messages;
  if (!runLinker({input.path(), library.path()}, debugInfo, output, messages))
    return fail(Error::Kind::CompileFailed, "linking: " + messages);
  Bytes image = output.read();
  if (auto audited = auditImage(image); !audited)
    return tl::unexpected(audited.error());
  return image;
}

} // namespace metalloid::compiler
