// SPDX-License-Identifier: Apache-2.0
#include "runtime/validate.h"

#include <gtest/gtest.h>

#include "native_kernel.h"

namespace metalloid::runtime {
namespace {

class Validate : public testing::Test {
protected:
  /// The error of `dispatch`, empty where it is accepted.
  static std::string errorOf(const Dispatch& dispatch) {
    auto valid = validateDispatch(dispatch);
    return valid ? "" : valid.error().message;
  }

  Dispatch make(air::Reflection reflection) {
    reflection.name = "blur";
    auto source = [](const Size3&) -> Expected<std::shared_ptr<const Image>> {
      return fail(Error::Kind::NotSupported, "not run here");
    };
    auto pipeline = std::make_shared<CpuPipeline>(std::move(reflection), source);
    return dispatchOf(std::move(pipeline), {64, 1, 1}, {32, 1, 1}, {memory_, memory_});
  }

  air::Reflection twoBuffers() {
    air::Reflection reflection;
    reflection.arguments = {bufferArgument(0, "input"), bufferArgument(1, "output")};
    return reflection;
  }

  std::vector<uint32_t> values_ = std::vector<uint32_t>(64);
  std::shared_ptr<Memory> memory_ = memoryOf(values_);
};

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(Validate, AcceptsWhatIsRight) {
  EXPECT_EQ(errorOf(make(twoBuffers())), "");
}

TEST_F(Validate, NamesAnUnboundBuffer) {
  Dispatch dispatch = make(twoBuffers());
  dispatch.buffers[1] = std::monostate();
  std::string error = errorOf(dispatch);
  EXPECT_HAS(error, "kernel 'blur'");
  EXPECT_HAS(error, "'output' [[buffer(1)]]");
  EXPECT_HAS(error, "setBuffer");
  dispatch.buffers.resize(1); // Never mentioned at all.
  EXPECT_HAS(errorOf(dispatch), "'output'");
}

TEST_F(Validate, AsksNothingOfArgumentsThatAreNotThere) {
  air::Reflection reflection = twoBuffers();
  reflection.arguments[0].active = false;
  reflection.arguments[1].unused = true;
  Dispatch dispatch = make(reflection);
  dispatch.buffers.clear();
  EXPECT_EQ(errorOf(dispatch), "");
}

TEST_F(Validate, ReferencesNeedTheirBytes) {
  air::Reflection reflection = twoBuffers();
  reflection.arguments[0].bufferSize = 48;
  Dispatch dispatch = make(reflection);
  std::get<BoundBuffer>(dispatch.buffers[0]).offset = 256 - 48;
  EXPECT_EQ(errorOf(dispatch), "");
  std::get<BoundBuffer>(dispatch.buffers[0]).offset += 4;
  std::string error = errorOf(dispatch);
  EXPECT_HAS(error, "48 bytes");
  EXPECT_HAS(error, "44 of 256");
  dispatch.buffers[0] = BoundBytes{std::make_shared<Bytes>(47)};
  EXPECT_HAS(errorOf(dispatch), "47 of 47");
}

TEST_F(Validate, OffsetsLieInsideAndAreAligned) {
  Dispatch dispatch = make(twoBuffers());
  std::get<BoundBuffer>(dispatch.buffers[0]).offset = 256;
  EXPECT_EQ(errorOf(dispatch), "");
  std::get<BoundBuffer>(dispatch.buffers[0]).offset = 260;
  EXPECT_HAS(errorOf(dispatch), "offset 260 lies beyond the 256 bytes");
  std::get<BoundBuffer>(dispatch.buffers[0]).offset = 2;
  EXPECT_HAS(errorOf(dispatch), "aligned to 4 bytes");
}

TEST_F(Validate, ThreadgroupSizes) {
  Dispatch dispatch = make(twoBuffers());
  dispatch.threadsPerThreadgroup = {33, 32, 1};
  EXPECT_HAS(errorOf(dispatch), "33 x 32 x 1 threads is over the pipeline's limit of 1024");
  dispatch.threadsPerThreadgroup = {0xffffffff, 0xffffffff, 0xffffffff};
  EXPECT_HAS(errorOf(dispatch), "over the pipeline's limit");
  dispatch.threadsPerThreadgroup = {32, 0, 1};
  EXPECT_HAS(errorOf(dispatch), "hold a 0");
  air::Reflection required = twoBuffers();
  required.requiredThreads[0] = 64;
  dispatch = make(required);
  EXPECT_HAS(errorOf(dispatch), "required_threads_per_threadgroup(64");
}

TEST_F(Validate, GridAxesAre32Bit) {
  Dispatch dispatch = make(twoBuffers());
  dispatch.threads = {1ull << 32, 1, 1};
  EXPECT_HAS(errorOf(dispatch), "4294967295");
}

TEST_F(Validate, ThreadgroupMemory) {
  air::Reflection reflection = twoBuffers();
  reflection.staticThreadgroupBytes = 16000;
  air::Argument shared;
  shared.parameter = 2;
  shared.kind = air::ArgumentKind::ThreadgroupMemory;
  shared.name = "tile";
  shared.location = 0;
  reflection.arguments.push_back(shared);
  Dispatch dispatch = make(reflection);
  EXPECT_HAS(errorOf(dispatch), "'tile' [[threadgroup(0)]] has no length");
  dispatch.threadgroupLengths = {16768};
  EXPECT_EQ(errorOf(dispatch), "");
  dispatch.threadgroupLengths = {16769};
  EXPECT_HAS(errorOf(dispatch), "over the limit of 32768");
  dispatch.threadgroupLengths = {~0ull, 16};
  EXPECT_HAS(errorOf(dispatch), "over the limit of 32768");
}

TEST_F(Validate, TexturesAreRefusedByName) {
  air::Reflection reflection = twoBuffers();
  reflection.arguments[0].kind = air::ArgumentKind::Texture;
  EXPECT_HAS(errorOf(make(reflection)), "'input' is a texture");
}

} // namespace
} // namespace metalloid::runtime
