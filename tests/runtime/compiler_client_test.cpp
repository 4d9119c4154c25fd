// SPDX-License-Identifier: Apache-2.0
// The way from source to an image, through the real compiler and the cache.
#include "runtime/compiler_client.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/cpu_memory.h"
#include "runtime/cpu_pipeline.h"
#include "runtime/disk_cache.h"
#include "runtime/grid.h"
#include "runtime/target.h"

namespace metalloid::runtime {
namespace {

namespace fs = std::filesystem;

constexpr const char* Saxpy = R"(
#include <metal_stdlib>
using namespace metal;

kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = a * x[i] + y[i];
}
)";

fs::path makeFolder(const std::string& name) {
  std::string pattern = testing::TempDir() + name + "-XXXXXX";
  if (!mkdtemp(pattern.data()))
    std::abort();
  return pattern;
}

/// The shared cache is chosen once for the process: in a folder of its own here.
class Environment : public testing::Environment {
public:
  void SetUp() override {
    folder_ = makeFolder("metalloid-client");
    setenv("METALLOID_CACHE_PATH", folder_.c_str(), 1);
  }
  void TearDown() override { fs::remove_all(folder_); }

private:
  fs::path folder_;
};
[[maybe_unused]] const auto* environment = testing::AddGlobalTestEnvironment(new Environment);

msl::Source sourceOf(std::string text) {
  msl::Source source;
  source.text = std::move(text);
  source.math = msl::MathMode::Safe;
  return source;
}

/// Runs `body`, which must find all it asks for in the cache.
template <typename Body> void fromCacheAlone(Body body) {
  auto before = DiskCache::shared().usage();
  body();
  EXPECT_EQ(DiskCache::shared().usage().entries, before.entries) << "something was compiled anew";
}

TEST(CompilerClient, CompilesAndDescribes) {
  auto compiled = compileSource(sourceOf(Saxpy));
  ASSERT_TRUE(compiled) << compiled.error().message;
  EXPECT_EQ(compiled->kernels, std::vector<std::string>{"saxpy"});
  EXPECT_FALSE(compiled->module.bitcode.empty());
  EXPECT_EQ(compiled->module.hash, sha256(compiled->module.bitcode));
  auto reflection = specialise(compiled->module, "saxpy", {});
  ASSERT_TRUE(reflection) << reflection.error().message;
  ASSERT_EQ(reflection->arguments.size(), 4u);
  EXPECT_EQ(reflection->arguments[0].name, "x");
  EXPECT_EQ(reflection->arguments[2].bufferSize, 4u);
}

TEST(CompilerClient, RefusalsAreDiagnostics) {
  auto compiled = compileSource(sourceOf("kernel void broken() { nonsense; }"));
  ASSERT_FALSE(compiled);
  EXPECT_EQ(compiled.error().kind, Error::Kind::CompileFailed);
  EXPECT_NE(compiled.error().message.find("program_source:1:24: error:"), std::string::npos)
      << compiled.error().message;
}

TEST(CompilerClient, SecondTimeComesFromTheCache) {
  ASSERT_TRUE(compileSource(sourceOf(Saxpy)));
  fromCacheAlone([] {
    auto compiled = compileSource(sourceOf(Saxpy));
    ASSERT_TRUE(compiled);
    EXPECT_TRUE(specialise(compiled->module, "saxpy", {}));
  });
}

/// A kernel of `text` on the CPU device.
std::shared_ptr<Pipeline> pipelineOf(const std::string& text, const std::string& kernel) {
  auto compiled = compileSource(sourceOf(text));
  EXPECT_TRUE(compiled) << compiled.error().message;
  if (!compiled)
    return nullptr;
  auto pipeline = devices().front()->makePipeline(compiled->module, kernel, {});
  EXPECT_TRUE(pipeline) << pipeline.error().message;
  return pipeline ? *pipeline : nullptr;
}

BoundArgument bytesOf(float value) {
  ByteView view{reinterpret_cast<const std::byte*>(&value), sizeof value};
  return BoundBytes{std::make_shared<Bytes>(view.begin(), view.end())};
}

void expectSaxpy(const std::shared_ptr<Pipeline>& pipeline, uint64_t threads, Size3 threadgroup) {
  ASSERT_NE(pipeline, nullptr);
  std::vector<float> x(threads), y(threads);
  for (uint64_t i = 0; i < threads; ++i) {
    x[i] = static_cast<float>(i);
    y[i] = 1;
  }
  auto wrap = [](std::vector<float>& values) {
    return BoundBuffer{wrapCpuMemory(values.data(), values.size() * 4, nullptr), 0};
  };
  Dispatch dispatch;
  dispatch.pipeline = pipeline;
  dispatch.buffers = {wrap(x), wrap(y), bytesOf(0.5f)};
  dispatch.threads = {threads, 1, 1};
  dispatch.threadsPerThreadgroup = threadgroup;
  auto valid = devices().front()->validate(dispatch);
  ASSERT_TRUE(valid) << valid.error().message;
  auto ran = executeDispatch(dispatch);
  ASSERT_TRUE(ran) << ran.error().message;
  for (uint64_t i = 0; i < threads; ++i)
    ASSERT_EQ(y[i], 0.5f * static_cast<float>(i) + 1) << i << " of " << threads;
}

TEST(CompilerClient, KernelsRun) {
  auto pipeline = pipelineOf(Saxpy, "saxpy");
  expectSaxpy(pipeline, 100000, {256, 1, 1});
  expectSaxpy(pipeline, 1000, {100, 1, 1});
  expectSaxpy(pipeline, 7, {1, 1, 1});
}

std::string faultOf(const char* text, const char* kernel, std::vector<BoundArgument> buffers) {
  Dispatch dispatch;
  dispatch.pipeline = pipelineOf(text, kernel);
  dispatch.buffers = std::move(buffers);
  dispatch.threads = {64, 1, 1};
  dispatch.threadsPerThreadgroup = {64, 1, 1};
  auto ran = executeDispatch(dispatch);
  EXPECT_FALSE(ran);
  return ran ? "" : ran.error().message;
}

TEST(CompilerClient, WildStoresAreFaultsOfTheKernel) {
  std::vector<float> values(64);
  std::string fault = faultOf(R"(
kernel void wild(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[ulong(i) << 40] = 1;
})",
                              "wild", {BoundBuffer{wrapCpuMemory(values.data(), 256, nullptr), 0}});
  EXPECT_NE(fault.find("kernel 'wild': touched unmapped memory at address 0x"), std::string::npos)
      << fault;
}

TEST(CompilerClient, EndlessKernelsMeetTheTimeLimit) {
  std::vector<uint32_t> flag(1);
  setKernelTimeLimit(0.1);
  std::string fault = faultOf(R"(
#include <metal_stdlib>
using namespace metal;
kernel void wait(device atomic_uint* flag [[buffer(0)]]) {
  while (atomic_load_explicit(flag, memory_order_relaxed) == 0)
    ;
})",
                              "wait", {BoundBuffer{wrapCpuMemory(flag.data(), 4, nullptr), 0}});
  setKernelTimeLimit(0);
  EXPECT_NE(fault.find("kernel 'wait': stopped after the time limit of 0.1 s"), std::string::npos)
      << fault;
}

TEST(CompilerClient, LevelsAreChosenByName) {
  for (const char* level : {"x86-64-v2", "x86-64-v3", "x86-64-v4"}) {
    setenv("METALLOID_CPU", level, 1);
    if (targetName())
      expectSaxpy(pipelineOf(Saxpy, "saxpy"), 1000, {128, 1, 1});
  }
  setenv("METALLOID_CPU", "z80", 1);
  auto target = targetName();
  unsetenv("METALLOID_CPU");
  ASSERT_FALSE(target);
  EXPECT_NE(target.error().message.find("METALLOID_CPU=z80"), std::string::npos);
}

TEST(CompilerClient, EqualRequestsShareOneImage) {
  auto compiled = compileSource(sourceOf(Saxpy));
  ASSERT_TRUE(compiled);
  ImageRequest request{compiled->module, "saxpy", {}, {64, 1, 1}};
  std::vector<std::shared_ptr<const Image>> images(6);
  std::vector<std::thread> threads;
  for (auto& image : images)
    threads.emplace_back([&] { image = loadImage(request).value(); });
  for (std::thread& thread : threads)
    thread.join();
  for (const auto& image : images)
    EXPECT_EQ(image, images.front());
}

TEST(CompilerClient, FunctionConstantsAreAskedForWhereTheyAreNeeded) {
  auto compiled = compileSource(sourceOf(R"(
constant float factor [[function_constant(3)]];
kernel void scale(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] *= factor;
}
kernel void twice(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] *= 2;
})"));
  ASSERT_TRUE(compiled) << compiled.error().message;
  auto plain = describe(compiled->module, "scale");
  ASSERT_TRUE(plain) << plain.error().message;
  ASSERT_EQ(plain->constants.size(), 1u);
  Device& device = *devices().front();
  auto without = device.makePipeline(compiled->module, "scale", {});
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().message.find("\"factor\" (index 3, float)"), std::string::npos)
      << without.error().message;
  EXPECT_TRUE(device.makePipeline(compiled->module, "twice", {})) << "it uses no constant";
  air::ConstantValue value;
  value.index = 3;
  value.typeName = "float";
  value.bits = {0x40000000}; // 2.0
  auto pipeline = device.makePipeline(compiled->module, "scale", {value});
  ASSERT_TRUE(pipeline) << pipeline.error().message;
  std::vector<float> x = {1, 2, 3};
  Dispatch dispatch;
  dispatch.pipeline = *pipeline;
  dispatch.buffers = {BoundBuffer{wrapCpuMemory(x.data(), 12, nullptr), 0}};
  dispatch.threads = {3, 1, 1};
  dispatch.threadsPerThreadgroup = {3, 1, 1};
  ASSERT_TRUE(executeDispatch(dispatch));
  EXPECT_EQ(x, (std::vector<float>{2, 4, 6}));
}

TEST(CompilerClient, UnknownKernelsAreNamed) {
  auto compiled = compileSource(sourceOf(Saxpy));
  ASSERT_TRUE(compiled);
  auto reflection = specialise(compiled->module, "saxpi", {});
  ASSERT_FALSE(reflection);
  EXPECT_NE(reflection.error().message.find("saxpi"), std::string::npos);
}

TEST(CompilerClient, DamagedModulesAreErrors) {
  auto compiled = compileSource(sourceOf(Saxpy));
  ASSERT_TRUE(compiled);
  Bytes bitcode(compiled->module.bitcode.begin(), compiled->module.bitcode.end());
  int crashes = 0;
  for (size_t i = 0; i < 60; ++i) {
    Bytes damaged = bitcode;
    for (size_t at = i * 7; at < damaged.size(); at += damaged.size() / 3)
      damaged[at] ^= std::byte(1 << i % 8);
    Module module{nullptr, damaged, sha256(damaged)};
    auto reflection = specialise(module, "saxpy", {});
    if (!reflection)
      crashes += reflection.error().kind == Error::Kind::CompilerCrashed;
  }
  RecordProperty("crashes", crashes);
  EXPECT_TRUE(specialise(compiled->module, "saxpy", {}));
}

TEST(CompilerClient, EmitsText) {
  auto compiled = compileSource(sourceOf(Saxpy));
  ASSERT_TRUE(compiled);
  ImageRequest request{compiled->module, "saxpy", {}, {0, 1, 1}};
  for (auto [what, part] : {std::pair("air", "@saxpy"), std::pair("prepared", "@saxpy"),
                            std::pair("asm", "kernel"), std::pair("ir:", "define")}) {
    auto text = emit(request, what);
    ASSERT_TRUE(text) << what << ": " << text.error().message;
    EXPECT_NE(text->find(part), std::string::npos) << what;
  }
  auto nonsense = emit(request, "poetry");
  ASSERT_FALSE(nonsense);
  EXPECT_NE(nonsense.error().message.find("'poetry' cannot be emitted"), std::string::npos);
}

TEST(CompilerClient, IncludedFilesAreWatched) {
  fs::path folder = makeFolder("metalloid-include");
  auto write = [&](const char* name, const char* text) { std::ofstream(folder / name) << text; };
  fs::create_directory(folder / "first");
  fs::create_directory(folder / "second");
  write("second/value.h", "constant float value = 1;\n");
  msl::Source source =
      sourceOf("#include \"value.h\"\n"
               "kernel void fill(device float* out [[buffer(0)]]) { *out = value; }");
  source.includeFolders = {folder / "first", folder / "second"};
  auto hash = [&] {
    auto compiled = compileSource(source);
    EXPECT_TRUE(compiled) << compiled.error().message;
    return compiled ? compiled->module.hash : Sha256{};
  };
  Sha256 one = hash();
  EXPECT_EQ(hash(), one);
  write("second/value.h", "constant float value = 2;\n");
  Sha256 two = hash();
  EXPECT_NE(two, one);
  // A file that would have been found first.
  write("first/value.h", "constant float value = 3;\n");
  EXPECT_NE(hash(), two);
  fs::remove(folder / "first/value.h");
  EXPECT_EQ(hash(), two);
  fs::remove_all(folder);
}

} // namespace
} // namespace metalloid::runtime
