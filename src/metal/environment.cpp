// SPDX-License-Identifier: Apache-2.0
// The calls of <metalloid/Tools.hpp> about the run time that the program found.
#include <metalloid/Tools.hpp>

#include <string>

#include "metal/foundation/string.h"
#include "runtime/compiler_program.h"
#include "runtime/disk_cache.h"
#include "runtime/target.h"
#include "runtime/thread_pool.h"

namespace metalloid {
namespace {

std::string orMessage(const Expected<std::string>& value) {
  return value ? *value : value.error().message;
}

} // namespace

NS::String* environment() {
  const auto compiler = runtime::findCompiler();
  const runtime::DiskCache& cache = runtime::DiskCache::shared();
  std::string lines;
  auto add = [&](const char* key, const std::string& value) {
    lines += std::string(key) + ": " + value + "\n";
  };
  add("compiler", compiler ? compiler->path : compiler.error().message);
  add("compiler build", compiler ? compiler->build : "none");
  add("processor", runtime::hostName());
  add("target", orMessage(runtime::targetName()));
  add("threads", std::to_string(runtime::poolThreads()));
  add("cache", cache.isOn() ? cache.folder().string() : "off");
  return metal::makeAutoreleased<metal::StringObject>(lines);
}

CacheInfo cacheInfo() {
  const runtime::DiskCache& cache = runtime::DiskCache::shared();
  const runtime::DiskCache::Usage usage = cache.usage();
  const std::string folder = cache.isOn() ? cache.folder().string() : "";
  return {metal::makeAutoreleased<metal::StringObject>(folder), usage.entries, usage.bytes,
          runtime::DiskCache::DefaultMaxBytes};
}

NS::UInteger clearCache() {
  runtime::DiskCache& cache = runtime::DiskCache::shared();
  const uint64_t entries = cache.usage().entries;
  cache.clear();
  return entries;
}

} // namespace metalloid
