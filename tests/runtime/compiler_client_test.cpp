// SPDX-License-Identifier: Apache-2.0
// The way from source to an image, through the real compiler and the cache.
#include "runtime/compiler_client.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/cpu_pipeline.h"
#include "runtime/disk_cache.h"
#include "runtime/grid.h"

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
  auto reflection = describe(compiled->module, "saxpy", {});
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
    EXPECT_TRUE(describe(compiled->module, "saxpy", {}));
  });
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
