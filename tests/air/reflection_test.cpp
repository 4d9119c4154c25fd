// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <gtest/gtest.h>

#include "air/reflection.h"

using namespace metalloid;
using namespace metalloid::air;

namespace {

/// A reflection in which no field has its default value.
Reflection sample() {
  Reflection reflection;
  reflection.name = "gemm";
  Argument buffer;
  buffer.parameter = 3;
  buffer.kind = ArgumentKind::ThreadgroupMemory;
  buffer.builtIn = "none";
  buffer.name = "params";
  buffer.typeName = "Params";
  buffer.location = 7;
  buffer.arrayLength = 2;
  buffer.access = Access::ReadWrite;
  buffer.addressSpace = 2;
  buffer.bufferSize = 72;
  buffer.typeSize = 73;
  buffer.typeAlign = 8;
  buffer.unused = true;
  buffer.constantName = "has_batch";
  buffer.active = false;
  buffer.members = {{.name = "inner",
                     .typeName = "Inner",
                     .offset = 4,
                     .size = 5,
                     .arrayLength = 6,
                     .members = {{.name = "x", .typeName = "float", .members = {}}}}};
  Argument position;
  position.kind = ArgumentKind::BuiltIn;
  position.builtIn = "gid";
  reflection.arguments = {buffer, position};
  reflection.constants = {
      {.name = "has_batch", .typeName = "bool", .index = 10, .required = false}};
  reflection.maxTotalThreads = 128;
  reflection.requiredThreads[0] = 1;
  reflection.requiredThreads[1] = 2;
  reflection.requiredThreads[2] = 3;
  reflection.staticThreadgroupBytes = 9472;
  reflection.fastMath = reflection.flushDenormals = reflection.hasDebugInfo = true;
  reflection.languageVersion = "3.1.0";
  reflection.airVersion = "2.6.0";
  reflection.sourceFile = "gemm.metal";
  return reflection;
}

TEST(Reflection, BytesKeepEveryField) {
  Reflection original = sample();
  auto copy = Reflection::parse(original.serialise());
  ASSERT_TRUE(copy.has_value()) << copy.error().message;
  EXPECT_EQ(copy->serialise(), original.serialise());

  const Argument& argument = copy->arguments.at(0);
  EXPECT_EQ(argument.parameter, 3u);
  EXPECT_EQ(argument.kind, ArgumentKind::ThreadgroupMemory);
  EXPECT_EQ(argument.location, 7);
  EXPECT_EQ(argument.typeAlign, 8u);
  EXPECT_EQ(argument.constantName, "has_batch");
  EXPECT_FALSE(argument.active);
  EXPECT_EQ(argument.members.at(0).members.at(0).typeName, "float");
  EXPECT_EQ(copy->arguments.at(1).builtIn, "gid");
  EXPECT_EQ(copy->constants.at(0).index, 10u);
  EXPECT_FALSE(copy->constants.at(0).required);
  EXPECT_EQ(copy->maxTotalThreads, 128u);
  EXPECT_EQ(copy->requiredThreads[2], 3u);
  EXPECT_EQ(copy->staticThreadgroupBytes, 9472u);
  EXPECT_TRUE(copy->fastMath && copy->flushDenormals && copy->hasDebugInfo);
  EXPECT_EQ(copy->sourceFile, "gemm.metal");
}

TEST(Reflection, EveryTruncationAndExtensionIsRefused) {
  Bytes bytes = sample().serialise();
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(Reflection::parse(Bytes(bytes.begin(), bytes.begin() + size)).has_value()) << size;
  bytes.push_back(std::byte(0));
  EXPECT_FALSE(Reflection::parse(bytes).has_value());
}

TEST(Reflection, DamageIsRefusedOrParsed) {
  const Bytes original = sample().serialise();
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes = original;
    for (int changes = 1 + random() % 4; changes > 0; --changes)
      bytes[random() % bytes.size()] = std::byte(random());
    refused += !Reflection::parse(bytes).has_value();
  }
  EXPECT_GT(refused, 1000);
}

} // namespace
