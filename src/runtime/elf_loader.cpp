// SPDX-License-Identifier: Apache-2.0
#include "runtime/elf_loader.h"

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u // Linux 6.3; mapping the file executable stays possible.
#endif
#ifndef DT_RELR
#define DT_RELRSZ 35
#define DT_RELR 36
#endif

namespace metalloid::runtime {

namespace {

constexpr uint64_t MaxImageBytes = 1 << 28;
constexpr unsigned MaxSegments = 16;

#if defined(__x86_64__)
constexpr unsigned HostMachine = EM_X86_64;
#else
constexpr unsigned HostMachine = EM_AARCH64;
#endif

uint64_t pageBytes() {
  static const auto bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}
uint64_t pageDown(uint64_t address) {
  return address & ~(pageBytes() - 1);
}
uint64_t pageUp(uint64_t address) {
  return pageDown(address + pageBytes() - 1);
}

/// What the program headers say, every number checked.
struct Layout {
  std::vector<Elf64_Phdr> segments; ///< In ascending pages, none sharing a page.
  Elf64_Phdr dynamic{};
  uint64_t entry = 0;
  uint64_t length = 0; ///< Of the whole mapping.
};

tl::unexpected<Error> damaged(const char* what) {
  return fail(Error::Kind::Io, std::string("a damaged image: ") + what);
}

bool isSound(const Elf64_Phdr& segment, ByteView elf, uint64_t nextPage) {
  bool inFile = slice(elf, segment.p_offset, segment.p_filesz).has_value();
  bool writableCode = (segment.p_flags & PF_W) && (segment.p_flags & PF_X);
  return inFile && segment.p_filesz != 0 && segment.p_memsz == segment.p_filesz &&
         segment.p_vaddr < MaxImageBytes && segment.p_filesz < MaxImageBytes &&
         (segment.p_offset - segment.p_vaddr) % pageBytes() == 0 && !writableCode &&
         (segment.p_flags & PF_R) && pageDown(segment.p_vaddr) >= nextPage;
}

Expected<Layout> readLayout(ByteView elf) {
  ByteReader reader(elf);
  auto header = reader.read<Elf64_Ehdr>();
  if (!reader.ok() || elf.size() > MaxImageBytes ||
      std::memcmp(header.e_ident, "\177ELF\2\1\1", 7) != 0 || header.e_type != ET_DYN ||
      header.e_machine != HostMachine || header.e_phentsize != sizeof(Elf64_Phdr))
    return damaged("its header");
  if (header.e_phnum > MaxSegments)
    return damaged("too many program headers");
  auto table = slice(elf, header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr));
  if (!table)
    return damaged("its program headers lie outside");
  Layout layout;
  bool entryInCode = false;
  ByteReader headers(*table);
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    auto segment = headers.read<Elf64_Phdr>();
    if (segment.p_type == PT_TLS || segment.p_type == PT_INTERP)
      return damaged("thread-local storage or an interpreter");
    if (segment.p_type == PT_DYNAMIC)
      layout.dynamic = segment;
    if (segment.p_type != PT_LOAD)
      continue;
    if (!isSound(segment, elf, layout.length))
      return damaged("a segment's place, size or protection");
    layout.length = pageUp(segment.p_vaddr + segment.p_memsz);
    entryInCode |= (segment.p_flags & PF_X) && header.e_entry >= segment.p_vaddr &&
                   header.e_entry - segment.p_vaddr < segment.p_filesz;
    layout.segments.push_back(segment);
  }
  if (!entryInCode)
    return damaged("its entry is not in its code");
  layout.entry = header.e_entry;
  return layout;
}

/// Where the table of packed relative relocations is; size 0: there is none.
struct RelocationTable {
  uint64_t address = 0, size = 0;
};

Expected<RelocationTable> findRelocations(const Layout& layout, ByteView elf) {
  RelocationTable relocations;
  if (layout.dynamic.p_type != PT_DYNAMIC)
    return relocations;
  auto table = slice(elf, layout.dynamic.p_offset, layout.dynamic.p_filesz);
  if (!table)
    return damaged("its dynamic section lies outside");
  ByteReader entries(*table);
  while (entries.remaining() >= sizeof(Elf64_Dyn)) {
    auto entry = entries.read<Elf64_Dyn>();
    switch (entry.d_tag) {
    case DT_NULL:
      return relocations;
    case DT_RELR:
      relocations.address = entry.d_un.d_val;
      break;
    case DT_RELRSZ:
      relocations.size = entry.d_un.d_val;
      break;
    case DT_RELA:
    case DT_REL:
    case DT_JMPREL:
    case DT_NEEDED:
    case DT_INIT:
    case DT_FINI:
    case DT_INIT_ARRAY:
    case DT_FINI_ARRAY:
    case DT_TEXTREL:
      return damaged("a dynamic entry that images do not have");
    default:
      break;
    }
  }
  return relocations;
}

/// The bytes of the file that are mapped at [address, address + size), or nothing.
std::optional<ByteView> bytesAt(const Layout& layout, ByteView elf, uint64_t address,
                                uint64_t size) {
  for (const Elf64_Phdr& segment : layout.segments)
    if (address >= segment.p_vaddr)
      if (auto inside = slice(*slice(elf, segment.p_offset, segment.p_filesz),
                              address - segment.p_vaddr, size))
        return inside;
  return std::nullopt;
}

/// Adds the base to the pointers that a packed table names: an even word is an address, an odd one
/// a bitmap of the 63 words that follow.
class Relocator {
public:
  Relocator(const Layout& layout, uintptr_t base) : layout_(layout), base_(base) {}

  bool apply(ByteView table) {
    ByteReader words(table);
    uint64_t next = 0;
    while (words.remaining() >= sizeof(uint64_t)) {
      auto word = words.read<uint64_t>();
      if (!(word & 1)) {
        if (!relocate(word))
          return false;
        next = word + sizeof(uint64_t);
        continue;
      }
      for (uint64_t bits = word >> 1, at = next; bits != 0; bits >>= 1, at += sizeof(uint64_t))
        if ((bits & 1) && !relocate(at))
          return false;
      next += 63 * sizeof(uint64_t);
    }
    return true;
  }

private:
  bool relocate(uint64_t address) {
    for (const Elf64_Phdr& segment : layout_.segments) {
      if (!(segment.p_flags & PF_W) || address % sizeof(uint64_t) != 0 ||
          address < segment.p_vaddr || segment.p_filesz < sizeof(uint64_t) ||
          address - segment.p_vaddr > segment.p_filesz - sizeof(uint64_t))
        continue;
      *reinterpret_cast<uint64_t*>(base_ + address) += base_;
      return true;
    }
    return false;
  }

  const Layout& layout_;
  uintptr_t base_;
};

/// The file that is mapped: in memory, and sealed, so that nobody can change it any more. Profilers
/// need one that they can open.
class ImageFile {
public:
  ImageFile(ByteView bytes, const std::string& name)
      : descriptor_(isProfiling() ? openImageForProfilers(bytes, name) : sealedCopy(bytes)) {}
  ImageFile(const ImageFile&) = delete;
  ImageFile& operator=(const ImageFile&) = delete;
  ~ImageFile() {
    if (descriptor_ >= 0)
      close(descriptor_);
  }

  int descriptor() const { return descriptor_; } ///< Negative: errno says why.

private:
  static int sealedCopy(ByteView bytes) {
    constexpr unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int descriptor = memfd_create("metalloid-image", flags | MFD_NOEXEC_SEAL);
    if (descriptor < 0 && errno == EINVAL) // An older kernel.
      descriptor = memfd_create("metalloid-image", flags);
    while (descriptor >= 0 && !bytes.empty()) {
      ssize_t written = write(descriptor, bytes.data(), bytes.size());
      if (written <= 0) {
        close(descriptor);
        return -1;
      }
      bytes = bytes.subspan(static_cast<size_t>(written));
    }
    constexpr int seals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    if (descriptor >= 0 && fcntl(descriptor, F_ADD_SEALS, seals) != 0) {
      close(descriptor);
      return -1;
    }
    return descriptor;
  }

  int descriptor_;
};

int protectionOf(const Elf64_Phdr& segment) {
  return PROT_READ | (segment.p_flags & PF_W ? PROT_WRITE : 0) |
         (segment.p_flags & PF_X ? PROT_EXEC : 0);
}

tl::unexpected<Error> mappingFailed(bool executable) {
  if (executable && (errno == EPERM || errno == EACCES))
    return fail(Error::Kind::Io,
                fmt::format("a policy of this system forbids programs to map memory executable "
                            "(mmap: {}); kernels cannot run under it",
                            std::strerror(errno)));
  return fail(Error::Kind::OutOfMemory, fmt::format("mmap: {}", std::strerror(errno)));
}

} // namespace

MappedElf::MappedElf(MappedElf&& other) noexcept
    : base_(std::exchange(other.base_, 0)), length_(other.length_), entry_(other.entry_),
      debuggers_(std::move(other.debuggers_)) {}

MappedElf::~MappedElf() {
  if (base_)
    munmap(reinterpret_cast<void*>(base_), length_);
}

Expected<MappedElf> MappedElf::map(ByteView elf, const std::string& name) {
  auto named = [&](tl::unexpected<Error> error) {
    error.value().message = fmt::format("image of kernel '{}': {}", name, error.value().message);
    return error;
  };
  auto layout = readLayout(elf);
  if (!layout)
    return named(tl::unexpected(layout.error()));
  auto relocations = findRelocations(*layout, elf);
  if (!relocations)
    return named(tl::unexpected(relocations.error()));
  auto table = bytesAt(*layout, elf, relocations->address, relocations->size);
  if (relocations->size != 0 && !table)
    return named(damaged("its relocations lie outside"));

  ImageFile file(elf, name);
  if (file.descriptor() < 0)
    return named(fail(Error::Kind::Io, fmt::format("no file to map: {}", std::strerror(errno))));
  void* reserved =
      mmap(nullptr, layout->length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reserved == MAP_FAILED)
    return named(mappingFailed(false));
  MappedElf mapped(reinterpret_cast<uintptr_t>(reserved), layout->length);
  for (const Elf64_Phdr& segment : layout->segments) {
    uint64_t start = pageDown(segment.p_vaddr);
    void* at = mmap(reinterpret_cast<void*>(mapped.base_ + start),
                    segment.p_vaddr - start + segment.p_filesz, protectionOf(segment),
                    MAP_PRIVATE | MAP_FIXED, file.descriptor(),
                    static_cast<off_t>(pageDown(segment.p_offset)));
    if (at == MAP_FAILED)
      return named(mappingFailed(segment.p_flags & PF_X));
  }
  if (table && !Relocator(*layout, mapped.base_).apply(*table))
    return named(damaged("a relocation outside its data"));
  for (const Elf64_Phdr& segment : layout->segments)
    if (segment.p_flags & PF_W) {
      uint64_t start = pageDown(segment.p_vaddr);
      mprotect(reinterpret_cast<void*>(mapped.base_ + start),
               segment.p_vaddr - start + segment.p_filesz, PROT_READ);
    }
  mapped.entry_ = mapped.base_ + layout->entry;
  if (isProfiling())
    mapped.debuggers_.emplace(elf, mapped.base_);
  return mapped;
}

} // namespace metalloid::runtime
