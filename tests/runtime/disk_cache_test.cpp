// SPDX-License-Identifier: Apache-2.0
#include "runtime/disk_cache.h"

#include <fstream>
#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace metalloid::runtime {
namespace {

namespace fs = std::filesystem;

class DiskCacheTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "metalloid-cache-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    base_ = pattern;
  }
  void TearDown() override { fs::remove_all(base_); }

  static Sha256 key(std::string_view text) { return sha256(asBytes(text)); }
  static Bytes payload(size_t size, unsigned seed = 1) {
    std::mt19937 random(seed);
    Bytes bytes(size);
    for (std::byte& byte : bytes)
      byte = static_cast<std::byte>(random());
    return bytes;
  }

  std::vector<fs::path> entries() const {
    std::vector<fs::path> paths;
    for (const auto& each : fs::recursive_directory_iterator(base_))
      if (each.is_regular_file() && each.path().filename().string().size() > 40)
        paths.push_back(each.path());
    return paths;
  }

  fs::path base_;
};

TEST_F(DiskCacheTest, KeepsWhatIsStored) {
  DiskCache cache(base_ / "a" / "b");
  ASSERT_TRUE(cache.isOn());
  EXPECT_FALSE(cache.find(key("x")));
  for (size_t size : {0, 1, 100000}) {
    cache.store(key("x"), payload(size));
    EXPECT_EQ(cache.find(key("x")), payload(size));
  }
  EXPECT_EQ(DiskCache(base_ / "a" / "b").find(key("x")), payload(100000));
  EXPECT_FALSE(cache.find(key("y")));
  EXPECT_EQ(cache.usage().entries, 1u);
  cache.remove(key("x"));
  EXPECT_FALSE(cache.find(key("x")));
}

TEST_F(DiskCacheTest, IsForThisUserAlone) {
  DiskCache cache(base_ / "private");
  cache.store(key("x"), payload(10));
  for (const fs::path& path : {base_ / "private", entries()[0].parent_path()}) {
    struct stat status{};
    stat(path.c_str(), &status);
    EXPECT_EQ(status.st_mode & 0777, 0700u) << path;
  }
  fs::permissions(base_ / "private", fs::perms::all);
  EXPECT_FALSE(DiskCache(base_ / "private").isOn());
  EXPECT_FALSE(DiskCache("").isOn());
  EXPECT_FALSE(DiskCache("/proc/nowhere/metalloid").isOn());
  DiskCache off("");
  off.store(key("x"), payload(10));
  EXPECT_FALSE(off.find(key("x")));
}

TEST_F(DiskCacheTest, DamagedEntriesAreMisses) {
  DiskCache cache(base_);
  cache.store(key("x"), payload(300));
  fs::path path = entries().at(0);
  std::ifstream file(path, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  auto write = [&](std::string_view text) { std::ofstream(path, std::ios::binary) << text; };
  for (size_t length = 0; length < whole.size(); ++length) {
    write(std::string_view(whole).substr(0, length));
    ASSERT_FALSE(cache.find(key("x"))) << "cut to " << length;
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    if (at >= 12 && at < 16)
      continue; // The header's reserved bytes mean nothing.
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    write(damaged);
    ASSERT_FALSE(cache.find(key("x"))) << "changed at " << at;
  }
  write(whole + "x");
  EXPECT_FALSE(cache.find(key("x")));
  write(whole);
  EXPECT_TRUE(cache.find(key("x")));
}

TEST_F(DiskCacheTest, AnEntryUnderAnotherNameIsAMiss) {
  DiskCache cache(base_);
  cache.store(key("x"), payload(300));
  fs::path first = entries().at(0);
  cache.store(key("y"), payload(200));
  fs::path second = entries().at(0) == first ? entries().at(1) : entries().at(0);
  fs::copy_file(first, second, fs::copy_options::overwrite_existing);
  EXPECT_FALSE(cache.find(key("y")));
}

TEST_F(DiskCacheTest, LinksAreNotFollowed) {
  DiskCache cache(base_ / "cache");
  cache.store(key("x"), payload(300));
  fs::path path = entries().at(0);
  fs::rename(path, base_ / "elsewhere");
  fs::create_symlink(base_ / "elsewhere", path);
  EXPECT_FALSE(cache.find(key("x")));
}

TEST_F(DiskCacheTest, TheLongestUnusedGoFirst) {
  DiskCache cache(base_, 100000);
  auto name = [](int i) { return key(std::to_string(i)); };
  for (int i = 0; i < 9; ++i) {
    cache.store(name(i), payload(10000));
    // Entry i was used i minutes after entry 0, long ago.
    std::string hex = toHex(name(i));
    timeval times[2] = {{1000000 + i * 60, 0}, {1000000 + i * 60, 0}};
    ASSERT_EQ(utimes((base_ / hex.substr(0, 2) / hex.substr(2)).c_str(), times), 0);
  }
  EXPECT_TRUE(cache.find(name(0))); // Used now.
  cache.store(name(9), payload(10000));
  EXPECT_LE(cache.usage().bytes, 100000u);
  EXPECT_TRUE(cache.find(name(0)));
  EXPECT_TRUE(cache.find(name(9)));
  EXPECT_FALSE(cache.find(name(1)));
  EXPECT_FALSE(cache.find(name(2)));
  cache.clear();
  EXPECT_EQ(cache.usage().entries, 0u);
}

TEST_F(DiskCacheTest, ManyWritersLeaveWholeEntries) {
  DiskCache cache(base_);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 50; ++round) {
        cache.store(key("x"), payload(5000, i));
        auto found = cache.find(key("x"));
        ASSERT_TRUE(found);
        bool whole = false;
        for (unsigned writer = 0; writer < 4; ++writer)
          whole |= *found == payload(5000, writer);
        ASSERT_TRUE(whole);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(entries().size(), 1u);
}

TEST_F(DiskCacheTest, OneProcessMakesAnEntryAtATime) {
  DiskCache cache(base_);
  auto maker = std::make_unique<DiskCache::Maker>(cache, key("x"));
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    DiskCache::Maker second(cache, key("x")); // Waits for the parent's entry.
    _exit(cache.find(key("x")) ? 0 : 1);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  cache.store(key("x"), payload(10));
  maker.reset();
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

} // namespace
} // namespace metalloid::runtime
