// SPDX-License-Identifier: Apache-2.0
// The .metallib container: a list of functions, each with its own AIR module as bitcode. Read with
// every offset and size checked; functions are listed without looking into their bitcode.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "support/bytes.h"
#include "support/error.h"
#include "support/sha256.h"

namespace metalloid::metallib {

/// The TYPE tag. Only kernels can be run here; the others are listed.
enum class FunctionType : uint8_t {
  Vertex = 0,
  Fragment = 1,
  Kernel = 2,
  Unqualified = 3,
  Visible = 4,
  Extern = 5,
  Intersection = 6,
};

struct Version {
  uint16_t major = 0;
  uint16_t minor = 0;
  bool operator==(const Version&) const = default;
};

/// One function of an archive. `name` and `bitcode` view the file's bytes.
struct Function {
  std::string_view name; ///< As newFunctionWithName takes it; may differ from the name in the IR.
  FunctionType type = FunctionType::Kernel;
  Sha256 hash{}; ///< SHA-256 of `bitcode`, as the archive claims: not checked, not to be trusted.
  Version air{};
  Version language{};
  ByteView bitcode{};
};

/// A parsed archive. The bytes given to parse() must outlive it.
class Archive {
public:
  /// Error InvalidArgument where `file` is not a metallib or is damaged; the message says where.
  static Expected<Archive> parse(ByteView file);

  /// In the file's order; names are distinct and not empty.
  const std::vector<Function>& functions() const { return functions_; }

  /// Null where there is no function of that name.
  const Function* find(std::string_view name) const;

private:
  std::vector<Function> functions_;
  std::unordered_map<std::string_view, size_t> byName_;
};

/// An archive in Apple's container that holds `functions` (their `hash` is computed, not taken).
/// Error InvalidArgument where a name is empty, used twice or too long.
Expected<Bytes> write(const std::vector<Function>& functions);

} // namespace metalloid::metallib
