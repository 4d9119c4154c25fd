// SPDX-License-Identifier: Apache-2.0
// What gdb and perf find of a kernel that runs. Uses the real compiler.
#include "runtime/debuggers.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <elf.h>
#include <gtest/gtest.h>

#include "runtime/compiler_client.h"

extern "C" {
struct jit_code_entry {
  jit_code_entry* next;
  jit_code_entry* previous;
  const char* file;
  uint64_t size;
};
struct jit_descriptor {
  uint32_t version;
  uint32_t action;
  jit_code_entry* relevant;
  jit_code_entry* first;
};
extern jit_descriptor __jit_debug_descriptor;
}

namespace metalloid::runtime {
namespace {

namespace fs = std::filesystem;

constexpr const char* Rotate = R"(
#include <metal_stdlib>
using namespace metal;

kernel void rotate(device float* x [[buffer(0)]], threadgroup float* tile [[threadgroup(0)]],
                   uint i [[thread_position_in_threadgroup]],
                   uint n [[threads_per_threadgroup]]) {
  tile[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = tile[(i + 1) % n];
}
)";

class Debuggers : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "metalloid-debuggers-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    setenv("TMPDIR", folder_.c_str(), 1);
    setenv("METALLOID_CACHE_PATH", "", 1);
  }
  void TearDown() override {
    unsetenv("METALLOID_PROFILE");
    unsetenv("TMPDIR");
    fs::remove_all(folder_);
  }

  std::shared_ptr<const Image> load() {
    msl::Source source;
    source.name = "rotate.metal";
    source.text = Rotate;
    source.debugInfo = true;
    auto compiled = compileSource(source);
    EXPECT_TRUE(compiled) << compiled.error().message;
    if (!compiled)
      return nullptr;
    auto image = loadImage({compiled->module, "rotate", {}, {64, 1, 1}});
    EXPECT_TRUE(image) << image.error().message;
    return image ? *image : nullptr;
  }

  unsigned files() const {
    unsigned count = 0;
    for (const auto& each : fs::recursive_directory_iterator(folder_))
      count += each.path().extension() == ".elf";
    return count;
  }

  fs::path folder_;
};

/// Whether a section of this name is in the file.
bool hasSection(std::string_view file, std::string_view name) {
  std::string delimited = std::string(1, 0) + std::string(name) + std::string(1, 0);
  return file.find(delimited) != std::string_view::npos;
}

TEST_F(Debuggers, SeeNothingUnlessAsked) {
  auto image = load();
  ASSERT_NE(image, nullptr);
  EXPECT_EQ(__jit_debug_descriptor.first, nullptr);
  EXPECT_EQ(files(), 0u);
}

TEST_F(Debuggers, FindCodeLinesAndAFile) {
  setenv("METALLOID_PROFILE", "1", 1);
  auto image = load();
  ASSERT_NE(image, nullptr);
  jit_code_entry* entry = __jit_debug_descriptor.first;
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(__jit_debug_descriptor.action, 1u);
  std::string_view file{entry->file, entry->size};
  Elf64_Ehdr header;
  ASSERT_GE(file.size(), sizeof header);
  std::memcpy(&header, file.data(), sizeof header);
  EXPECT_EQ(header.e_entry, reinterpret_cast<uint64_t>(image->entry()));
  EXPECT_TRUE(hasSection(file, ".debug_line"));
  EXPECT_NE(file.find("rotate.metal"), std::string_view::npos);
  EXPECT_EQ(files(), 1u);

  image.reset();
  EXPECT_EQ(__jit_debug_descriptor.first, nullptr);
  EXPECT_EQ(__jit_debug_descriptor.action, 2u);
}

} // namespace
} // namespace metalloid::runtime
