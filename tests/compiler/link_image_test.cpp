// SPDX-License-Identifier: Apache-2.0
// Linking in the compiler and loading in the user's process, one against the other.
#include "compiler/link_image.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include <gtest/gtest.h>

#include "runtime/elf_loader.h"

namespace metalloid {
namespace {

Bytes readObject(const std::string& name) {
  std::ifstream file(METALLOID_TEST_OBJECTS "/" + name + ".o", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_FALSE(text.empty()) << name;
  ByteView bytes = asBytes(text);
  return {bytes.begin(), bytes.end()};
}

Bytes linkKernel() {
  auto image = compiler::linkImage(readObject("kernel"), compiler::Libcalls::X86V2);
  EXPECT_TRUE(image) << image.error().message;
  return image.value_or(Bytes());
}

TEST(LinkImage, RunsWhereverItIsMapped) {
  Bytes image = linkKernel();
  auto first = runtime::MappedElf::map(image, "test");
  auto second = runtime::MappedElf::map(image, "test");
  ASSERT_TRUE(first && second);
  EXPECT_NE(first->entry(), second->entry());
  for (const auto* mapped : {&*first, &*second}) {
    auto* kernel =
        reinterpret_cast<void (*)(const void*, void*, uint64_t, uint64_t)>(mapped->entry());
    uint64_t a = 1234567, b = 89;
    uint64_t out[4] = {};
    uint64_t* arguments[] = {out, &a, &b};
    uint64_t** launch = arguments;
    const uint64_t expected[3] = {
        a + b, a * b,
        static_cast<uint64_t>(((static_cast<unsigned __int128>(a) << 64) | b) /
                              ((static_cast<unsigned __int128>(b) << 3) | 5))};
    const uint64_t table[] = {17, 4, 99, 1000, 31, 7, 0};
    for (uint64_t which = 0; which < 7; ++which) {
      out[3] = 0;
      kernel(&launch, nullptr, which, 8);
      EXPECT_EQ(out[0], expected[which % 3]);
      EXPECT_EQ(out[1], table[which]);
      EXPECT_EQ(out[2], which % 2 ? uint64_t('s') << 8 | 'e' : uint64_t('f') << 8 | 'i');
      EXPECT_EQ(out[3], a);
    }
  }
}

TEST(LinkImage, GivesEqualBytesAndStaysUsableAfterErrors) {
  Bytes first = linkKernel();
  for (int i = 0; i < 5; ++i)
    EXPECT_FALSE(compiler::linkImage(readObject("undefined"), compiler::Libcalls::X86V2));
  EXPECT_EQ(linkKernel(), first);
}

TEST(LinkImage, RefusesWhatAnImageMustNotHold) {
  const std::pair<const char*, const char*> cases[] = {
      {"constructor", "image: "},       {"ifunc", "dynamic relocations"},
      {"mutable_data", "mutable data"}, {"thread_local", "thread-local storage"},
      {"undefined", "elsewhere"},       {"weak_undefined", "undefined symbol elsewhere"}};
  for (auto [name, reason] : cases) {
    auto image = compiler::linkImage(readObject(name), compiler::Libcalls::X86V2);
    ASSERT_FALSE(image) << name;
    EXPECT_NE(image.error().message.find(reason), std::string::npos)
        << name << ": " << image.error().message;
  }
}

TEST(LinkImage, RefusesWhatIsNoObject) {
  for (std::string_view text : {"", "INPUT(/etc/passwd)", "\177ELF\2\1\1"}) {
    auto image = compiler::linkImage(asBytes(text), compiler::Libcalls::X86V2);
    EXPECT_FALSE(image);
  }
}

TEST(ElfLoader, DamagedImagesAreErrors) {
  const Bytes image = linkKernel();
  std::mt19937_64 random(1);
  int accepted = 0;
  constexpr int count = 40000;
  for (int i = 0; i < count; ++i) {
    Bytes damaged = image;
    for (uint64_t changes = 1 + random() % 4; changes != 0; --changes) {
      // Mostly the headers and the dynamic section, which say where things are.
      uint64_t at = random() % 4 ? random() % 1024 : random() % damaged.size();
      if (random() % 2) {
        damaged[at] = static_cast<std::byte>(random());
      } else {
        uint64_t word = random() >> random() % 64;
        at = std::min<uint64_t>(at & ~7ull, damaged.size() - 8);
        std::memcpy(damaged.data() + at, &word, sizeof word);
      }
    }
    if (random() % 10 == 0)
      damaged.resize(random() % damaged.size());
    accepted += runtime::MappedElf::map(damaged, "test").has_value();
  }
  EXPECT_LT(accepted, count);
  RecordProperty("accepted", accepted);
}

TEST(ElfLoader, ErrorsNameTheKernel) {
  auto mapped = runtime::MappedElf::map(asBytes("nonsense"), "saxpy");
  ASSERT_FALSE(mapped);
  EXPECT_NE(mapped.error().message.find("'saxpy'"), std::string::npos);
}

} // namespace
} // namespace metalloid
