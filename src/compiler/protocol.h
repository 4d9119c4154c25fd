// SPDX-License-Identifier: Apache-2.0
// What the user's process and the program metalloid-compiler say to each other over a socket pair:
// a header and a payload each way, one request at a time. Requests are complete in themselves; the
// compiler keeps nothing between them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "air/reflection.h"
#include "cpu/launch.h"
#include "msl/compile.h"
#include "support/bytes.h"
#include "support/error.h"

namespace metalloid::compiler {

/// Goes up with every change of a header or a payload: both sides refuse another's.
inline constexpr uint32_t ProtocolVersion = 1;
inline constexpr uint32_t RequestMagic = 0x714c544d; // "MTLq"
inline constexpr uint32_t ReplyMagic = 0x614c544d;   // "MTLa"
/// Larger messages are refused before memory is taken for them.
inline constexpr uint64_t MaxMessageBytes = 1ull << 30;

enum class Operation : uint32_t {
  CompileSource, ///< SourceRequest -> SourceReply
  Describe,      ///< KernelRequest -> air::Reflection, before specialisation
  Specialise,    ///< KernelRequest -> air::Reflection, of the specialised and checked kernel
  MakeImage,     ///< KernelRequest -> ImageFile
  Emit,          ///< KernelRequest -> text
};

struct RequestHeader {
  uint32_t magic = RequestMagic;
  uint32_t version = ProtocolVersion;
  Operation operation = Operation::Describe;
  uint32_t timeLimitMilliseconds = 0; ///< 0: none.
  uint64_t memoryLimitBytes = 0;      ///< Address space of the compiler; 0: none.
  uint64_t payloadBytes = 0;
};

enum class Status : uint32_t {
  /// Text: what the compiler is at now. Any number of these come before the reply, the first at
  /// once; the last says where a crash happened.
  Progress,
  Ok,
  Refused,     ///< Text: diagnostics or the reason.
  OutOfMemory, ///< Text. The compiler ends after it.
  TimeLimit,   ///< Text. The compiler ends after it.
  Fatal,       ///< Text: LLVM gave up. The compiler ends after it.
};

struct ReplyHeader {
  uint32_t magic = ReplyMagic;
  uint32_t version = ProtocolVersion;
  Status status = Status::Ok;
  uint32_t reserved = 0;
  uint64_t payloadBytes = 0;
};

/// What the front end made of a source.
struct SourceReply {
  Bytes bitcode; ///< Empty after an error.
  std::vector<std::string> kernels;
  std::vector<msl::Diagnostic> diagnostics;
  std::string diagnosticText;
  std::vector<msl::Dependency> dependencies;

  Bytes serialise() const;
  static Expected<SourceReply> parse(ByteView bytes);
};

struct KernelRequest {
  ByteView bitcode; ///< Not owned.
  std::string kernel;
  std::vector<air::ConstantValue> constants;
  std::array<uint32_t, 3> threads = {0, 0, 0};
  std::string target; ///< "native", "x86-64-v2", "x86-64-v3", "x86-64-v4" or "neon".
  std::string emit;   ///< Emit: "air", "prepared", "asm" or "ir:PASS".

  Bytes serialise() const;
  /// The result's bitcode points into `bytes`.
  static Expected<KernelRequest> parse(ByteView bytes);
};

/// A kernel ready to be mapped: what a cache entry holds.
struct ImageFile {
  cpu::Traits traits;
  Bytes reflection; ///< air::Reflection, serialised.
  Bytes elf;        ///< Position-independent, linked, relative relocations only.

  Bytes serialise() const;
  static Expected<ImageFile> parse(ByteView bytes);
};

Bytes serialise(const msl::Source& source);
Expected<msl::Source> parseSource(ByteView bytes);

} // namespace metalloid::compiler
