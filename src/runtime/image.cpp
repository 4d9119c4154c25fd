// SPDX-License-Identifier: Apache-2.0
#include "runtime/image.h"

#include "compiler/protocol.h"
#include "runtime/elf_loader.h"

namespace metalloid::runtime {

namespace {

class MappedImage : public Image {
public:
  MappedImage(MappedElf elf, cpu::Traits traits, air::Reflection reflection)
      : elf_(std::move(elf)), traits_(traits), reflection_(std::move(reflection)) {}

  cpu::Entry entry() const override { return reinterpret_cast<cpu::Entry>(elf_.entry()); }
  const cpu::Traits& traits() const override { return traits_; }
  const air::Reflection& reflection() const override { return reflection_; }
  ByteView code() const override { return elf_.memory(); }

private:
  MappedElf elf_;
  cpu::Traits traits_;
  air::Reflection reflection_;
};

} // namespace

Expected<std::shared_ptr<const Image>> mapImage(ByteView bytes, const std::string& kernel) {
  auto file = compiler::ImageFile::parse(bytes);
  if (!file)
    return tl::unexpected(file.error());
  auto reflection = air::Reflection::parse(file->reflection);
  if (!reflection)
    return tl::unexpected(reflection.error());
  auto elf = MappedElf::map(file->elf, kernel);
  if (!elf)
    return tl::unexpected(elf.error());
  return std::make_shared<MappedImage>(std::move(*elf), file->traits, std::move(*reflection));
}

} // namespace metalloid::runtime
