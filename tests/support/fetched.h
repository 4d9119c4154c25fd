// SPDX-License-Identifier: Apache-2.0
// Files that tests use and the repository does not hold: tools/fetch.py puts them into the folder
// METALLOID_FETCHED (by default .cache/fetched). A test without its file skips, saying so.
#pragma once

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>

#include "support/bytes.h"

namespace metalloid::test {

inline std::string fetchedPath(const std::string& name) {
  const char* folder = std::getenv("METALLOID_FETCHED");
  return std::string(folder ? folder : METALLOID_SOURCE_ROOT "/.cache/fetched") + "/" + name;
}

/// The bytes of a file, or nothing where it cannot be read.
inline std::optional<Bytes> readFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream)
    return std::nullopt;
  Bytes bytes(static_cast<size_t>(stream.tellg()));
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

} // namespace metalloid::test

/// Use inside a test body: declares `variable`, the file's bytes, or skips the test loudly.
#define METALLOID_FETCHED_FILE(variable, name)                                                     \
  auto variable##Read = metalloid::test::readFile(metalloid::test::fetchedPath(name));             \
  if (!variable##Read)                                                                             \
    GTEST_SKIP() << "SKIPPED: no file " << metalloid::test::fetchedPath(name)                      \
                 << "; run tools/fetch.py or set METALLOID_FETCHED";                               \
  metalloid::Bytes& variable = *variable##Read
