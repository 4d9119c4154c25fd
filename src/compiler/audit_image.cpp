// SPDX-License-Identifier: Apache-2.0
#include "compiler/audit_image.h"

#include <elf.h>

namespace metalloid::compiler {

namespace {

class Auditor {
public:
  explicit Auditor(ByteView elf) : elf_(elf) {}

  Expected<void> audit() {
    header_ = ByteReader(elf_).read<Elf64_Ehdr>();
    if (header_.e_entry == 0)
      return refuse("no function \"kernel\" to enter at");
    Elf64_Shdr names = section(header_.e_shstrndx);
    for (unsigned i = 1; i < header_.e_shnum; ++i) {
      Elf64_Shdr each = section(i);
      if (auto refused = auditSection(each, text(names, each.sh_name)); !refused)
        return refused;
    }
    return {};
  }

private:
  Elf64_Shdr section(unsigned index) const {
    uint64_t offset = header_.e_shoff + uint64_t(index) * sizeof(Elf64_Shdr);
    auto bytes = slice(elf_, offset, sizeof(Elf64_Shdr));
    return bytes ? ByteReader(*bytes).read<Elf64_Shdr>() : Elf64_Shdr{};
  }

  std::string text(const Elf64_Shdr& strings, uint64_t offset) const {
    auto table = slice(elf_, strings.sh_offset, strings.sh_size);
    if (!table || offset >= table->size())
      return {};
    std::string_view rest = asText(*table).substr(offset);
    return std::string(rest.substr(0, rest.find('\0')));
  }

  static tl::unexpected<Error> refuse(const std::string& what) {
    return fail(Error::Kind::CompileFailed, "image: " + what);
  }

  Expected<void> auditSection(const Elf64_Shdr& header, const std::string& name) const {
    if (header.sh_type == SHT_SYMTAB)
      return auditSymbols(header);
    if (!(header.sh_flags & SHF_ALLOC) || header.sh_size == 0)
      return {};
    if (header.sh_flags & SHF_TLS)
      return refuse("thread-local storage in " + name);
    // Relative relocations are packed into RELR; what is left in these would be of another kind.
    if (header.sh_type == SHT_RELA || header.sh_type == SHT_REL)
      return refuse("dynamic relocations in " + name);
    if (header.sh_type == SHT_INIT_ARRAY || header.sh_type == SHT_PREINIT_ARRAY ||
        header.sh_type == SHT_FINI_ARRAY)
      return refuse("constructors or destructors in " + name);
    bool onlyRelocated = name.starts_with(".data.rel.ro") || name == ".got";
    if ((header.sh_flags & SHF_WRITE) && !onlyRelocated)
      return refuse("mutable data in " + name);
    return {};
  }

  Expected<void> auditSymbols(const Elf64_Shdr& header) const {
    auto table = slice(elf_, header.sh_offset, header.sh_size);
    if (!table)
      return refuse("a damaged symbol table");
    ByteReader symbols(*table);
    symbols.read<Elf64_Sym>(); // The first entry is empty.
    while (symbols.remaining() >= sizeof(Elf64_Sym)) {
      auto symbol = symbols.read<Elf64_Sym>();
      std::string name = text(section(header.sh_link), symbol.st_name);
      if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
        return refuse("ifunc " + name);
      if (symbol.st_shndx == SHN_UNDEF)
        return refuse("undefined symbol " + name);
    }
    return {};
  }

  ByteView elf_;
  Elf64_Ehdr header_{};
};

} // namespace

Expected<void> auditImage(ByteView elf) {
  return Auditor(elf).audit();
}

} // namespace metalloid::compiler
