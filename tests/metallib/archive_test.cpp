// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "metallib/archive.h"
#include "support/fetched.h"

using namespace metalloid;
using namespace metalloid::metallib;

namespace {

Bytes sampleArchive() {
  std::vector<Function> functions;
  functions.push_back(
      {.name = "add", .air = {2, 6}, .language = {3, 1}, .bitcode = asBytes("one")});
  functions.push_back({.name = "vertex_main",
                       .type = FunctionType::Vertex,
                       .air = {2, 7},
                       .language = {3, 2},
                       .bitcode = asBytes("a module of twenty-six")});
  return write(functions).value();
}

TEST(Metallib, RoundTripKeepsEveryField) {
  Bytes file = sampleArchive();
  auto archive = Archive::parse(file);
  ASSERT_TRUE(archive.has_value()) << archive.error().message;
  ASSERT_EQ(archive->functions().size(), 2u);

  const Function* add = archive->find("add");
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(add->type, FunctionType::Kernel);
  EXPECT_EQ(add->air, (Version{2, 6}));
  EXPECT_EQ(add->language, (Version{3, 1}));
  EXPECT_EQ(asText(add->bitcode), "one");
  EXPECT_EQ(add->hash, sha256(asBytes("one")));

  const Function& second = archive->functions()[1];
  EXPECT_EQ(second.name, "vertex_main");
  EXPECT_EQ(second.type, FunctionType::Vertex);
  EXPECT_EQ(asText(second.bitcode), "a module of twenty-six");
  EXPECT_EQ(archive->find("absent"), nullptr);
}

TEST(Metallib, AnEmptyArchiveHasNoFunctions) {
  Bytes file = write({}).value();
  auto archive = Archive::parse(file);
  ASSERT_TRUE(archive.has_value()) << archive.error().message;
  EXPECT_TRUE(archive->functions().empty());
}

TEST(Metallib, WriterRefusesNamesThatCannotBeFound) {
  EXPECT_FALSE(write({Function{.name = ""}}).has_value());
  EXPECT_FALSE(write({Function{.name = "twice"}, Function{.name = "twice"}}).has_value());
  std::string long_name(70000, 'x');
  EXPECT_FALSE(write({Function{.name = long_name}}).has_value());
}

TEST(Metallib, EveryTruncationIsRefused) {
  const Bytes file = sampleArchive();
  for (size_t size = 0; size < file.size(); ++size) {
    Bytes part(file.begin(), file.begin() + size); // a copy, so that a read past it is seen
    EXPECT_FALSE(Archive::parse(part).has_value()) << size;
    // And where the header's size field agrees with the cut.
    if (uint64_t claimed = size; size >= 24)
      std::memcpy(part.data() + 16, &claimed, sizeof claimed);
    auto archive = Archive::parse(part);
    ASSERT_FALSE(archive.has_value()) << size;
    EXPECT_TRUE(archive.error().message.starts_with("metallib: ")) << archive.error().message;
  }
}

/// Whatever a mutated file claims, what parse() returns lies inside the file.
void expectInside(const Archive& archive, ByteView file) {
  for (const Function& function : archive.functions()) {
    EXPECT_GE(function.bitcode.data(), file.data());
    EXPECT_LE(function.bitcode.data() + function.bitcode.size(), file.data() + file.size());
    EXPECT_FALSE(function.name.empty());
  }
}

TEST(Metallib, MutationsAreRefusedOrStayInside) {
  const Bytes original = sampleArchive();
  std::mt19937 random(1);
  for (size_t position = 0; position < original.size(); ++position) {
    for (int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      Bytes file = original;
      file[position] = std::byte(value);
      if (auto archive = Archive::parse(file))
        expectInside(*archive, file);
    }
  }
  for (int round = 0; round < 20000; ++round) {
    Bytes file = original;
    for (int changes = 1 + random() % 8; changes > 0; --changes)
      file[random() % file.size()] = std::byte(random());
    if (auto archive = Archive::parse(file))
      expectInside(*archive, file);
  }
}

TEST(Metallib, NamesWhatItIsNot) {
  auto text = Archive::parse(asBytes("kernel void k() {}"));
  ASSERT_FALSE(text.has_value());
  EXPECT_NE(text.error().message.find("MTLB"), std::string::npos);
  auto universal = Archive::parse(asBytes("\xcb\xfe\xba\xbe and more"));
  ASSERT_FALSE(universal.has_value());
  EXPECT_EQ(universal.error().kind, Error::Kind::NotSupported);
}

TEST(Metallib, ListsAppleCompiledKernels) {
  METALLOID_FETCHED_FILE(file, "mlx.metallib");
  auto archive = Archive::parse(file);
  ASSERT_TRUE(archive.has_value()) << archive.error().message;
  EXPECT_EQ(archive->functions().size(), 17248u);
  EXPECT_TRUE(std::ranges::all_of(archive->functions(), [](const Function& function) {
    return function.type == FunctionType::Kernel && function.air == Version{2, 6};
  }));
  const Function* softmax = archive->find("block_softmax_float32");
  ASSERT_NE(softmax, nullptr);
  EXPECT_EQ(softmax->hash, sha256(softmax->bitcode));
}

} // namespace
