// SPDX-License-Identifier: Apache-2.0
#include "runtime/debuggers.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <utility>

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

// The interface that gdb documents under "JIT Compilation Interface": it stops in the function and
// reads the list.
extern "C" {

struct jit_code_entry {
  jit_code_entry* next;
  jit_code_entry* previous;
  const char* file;
  uint64_t size;
};

struct jit_descriptor {
  uint32_t version;
  uint32_t action; ///< 1: registered, 2: about to be unregistered.
  jit_code_entry* relevant;
  jit_code_entry* first;
};

[[gnu::visibility("default")]] jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
[[gnu::visibility("default"), gnu::noinline]] void __jit_debug_register_code() {
  asm volatile("" ::: "memory");
}
}

namespace metalloid::runtime {

namespace {

std::mutex registering;

/// Calls change(entry) for each entry of type T in [offset, offset + bytes), where that lies
/// inside.
template <typename T, typename Change>
void changeTable(Bytes& file, uint64_t offset, uint64_t bytes, Change change) {
  if (!slice(file, offset, bytes))
    return;
  for (uint64_t at = offset; at + sizeof(T) <= offset + bytes; at += sizeof(T)) {
    T entry;
    std::memcpy(&entry, file.data() + at, sizeof entry);
    change(entry);
    std::memcpy(file.data() + at, &entry, sizeof entry);
  }
}

/// DWARF holds addresses that nothing has relocated: the relocations that the linker kept say
/// where.
void moveDebugInfo(Bytes& file, const Elf64_Shdr& relocations, const Elf64_Shdr& target,
                   uintptr_t base) {
#if defined(__x86_64__)
  constexpr uint32_t absolute = R_X86_64_64;
#else
  constexpr uint32_t absolute = R_AARCH64_ABS64;
#endif
  changeTable<Elf64_Rela>(
      file, relocations.sh_offset, relocations.sh_size, [&](const Elf64_Rela& relocation) {
        if (ELF64_R_TYPE(relocation.r_info) != absolute ||
            relocation.r_offset + sizeof(uint64_t) > target.sh_size)
          return;
        changeTable<uint64_t>(file, target.sh_offset + relocation.r_offset, sizeof(uint64_t),
                              [&](uint64_t& address) { address += address ? base : 0; });
      });
}

/// The file with every address moved to where it lies in memory.
Bytes movedTo(uintptr_t base, ByteView elf) {
  Bytes file(elf.begin(), elf.end());
  auto header = ByteReader(elf).read<Elf64_Ehdr>();
  uint64_t sectionBytes = uint64_t(header.e_shnum) * sizeof(Elf64_Shdr);
  auto sections = slice(elf, header.e_shoff, sectionBytes);
  if (!sections)
    return file;
  auto section = [&](uint32_t index) {
    auto at = slice(*sections, uint64_t(index) * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr));
    return at ? ByteReader(*at).read<Elf64_Shdr>() : Elf64_Shdr{};
  };
  for (uint32_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr each = section(i);
    if (each.sh_type == SHT_SYMTAB)
      changeTable<Elf64_Sym>(file, each.sh_offset, each.sh_size, [&](Elf64_Sym& symbol) {
        if (symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE)
          symbol.st_value += base;
      });
    Elf64_Shdr target = section(each.sh_info);
    if (each.sh_type == SHT_RELA && !(target.sh_flags & SHF_ALLOC))
      moveDebugInfo(file, each, target, base);
  }
  changeTable<Elf64_Shdr>(file, header.e_shoff, sectionBytes, [&](Elf64_Shdr& each) {
    if (each.sh_flags & SHF_ALLOC)
      each.sh_addr += base;
  });
  changeTable<Elf64_Phdr>(file, header.e_phoff, uint64_t(header.e_phnum) * sizeof(Elf64_Phdr),
                          [&](Elf64_Phdr& each) { each.p_vaddr += base; });
  changeTable<Elf64_Ehdr>(file, 0, sizeof header, [&](Elf64_Ehdr& each) { each.e_entry += base; });
  return file;
}

/// A folder that lives as long as somebody wants to look at a profile.
const std::filesystem::path& profileFolder() {
  static const std::filesystem::path folder = [] {
    std::error_code error;
    std::filesystem::path base = std::filesystem::temp_directory_path(error);
    std::string pattern = (base / ("metalloid-" + std::to_string(getpid()) + "-XXXXXX")).string();
    return std::filesystem::path(mkdtemp(pattern.data()) ? pattern : "");
  }();
  return folder;
}

} // namespace

bool isProfiling() {
  const char* value = std::getenv("METALLOID_PROFILE");
  return value && *value && std::string_view(value) != "0";
}

int openImageForProfilers(ByteView elf, const std::string& kernel) {
  static std::atomic<unsigned> counter{0};
  std::string name = kernel.substr(0, 180);
  for (char& character : name)
    if (character == '/')
      character = '_';
  auto path = profileFolder() / (name + "." + std::to_string(counter++) + ".elf");
  int descriptor = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  while (descriptor >= 0 && !elf.empty()) {
    ssize_t written = write(descriptor, elf.data(), elf.size());
    if (written <= 0) {
      close(descriptor);
      return -1;
    }
    elf = elf.subspan(static_cast<size_t>(written));
  }
  return descriptor;
}

struct DebuggerEntry::Registered {
  Bytes file;
  jit_code_entry entry{};
};

DebuggerEntry::DebuggerEntry(ByteView elf, uintptr_t base)
    : registered_(new Registered{movedTo(base, elf), {}}) {
  jit_code_entry& entry = registered_->entry;
  entry.file = reinterpret_cast<const char*>(registered_->file.data());
  entry.size = registered_->file.size();
  std::lock_guard lock(registering);
  entry.next = __jit_debug_descriptor.first;
  if (entry.next)
    entry.next->previous = &entry;
  __jit_debug_descriptor.first = __jit_debug_descriptor.relevant = &entry;
  __jit_debug_descriptor.action = 1;
  __jit_debug_register_code();
}

DebuggerEntry::DebuggerEntry(DebuggerEntry&& other) noexcept
    : registered_(std::exchange(other.registered_, nullptr)) {}

DebuggerEntry::~DebuggerEntry() {
  if (!registered_)
    return;
  jit_code_entry& entry = registered_->entry;
  {
    std::lock_guard lock(registering);
    (entry.previous ? entry.previous->next : __jit_debug_descriptor.first) = entry.next;
    if (entry.next)
      entry.next->previous = entry.previous;
    __jit_debug_descriptor.relevant = &entry;
    __jit_debug_descriptor.action = 2;
    __jit_debug_register_code();
  }
  delete registered_;
}

} // namespace metalloid::runtime
