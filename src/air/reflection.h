// SPDX-License-Identifier: Apache-2.0
// What a kernel says of itself: arguments, built-in values, function constants, limits. Plain data
// without LLVM, made by air/describe.cpp in the compiler process and carried to the user's process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/bytes.h"
#include "support/error.h"

namespace metalloid::air {

enum class ArgumentKind : uint8_t {
  Buffer,            ///< air.buffer: a pointer or reference to device or constant memory.
  IndirectBuffer,    ///< air.indirect_buffer: an argument buffer.
  ThreadgroupMemory, ///< a buffer in address space 3, sized by the encoder.
  Texture,
  Sampler,
  BuiltIn, ///< a value such as thread_position_in_grid; see `builtIn`.
};

enum class Access : uint8_t { Read, Write, ReadWrite };

struct StructMember {
  std::string name;
  std::string typeName;              ///< MSL spelling: "float", "uint3".
  uint32_t offset = 0;               ///< Bytes from the start of the struct.
  uint32_t size = 0;                 ///< Bytes of one element.
  uint32_t arrayLength = 0;          ///< 0: not an array.
  std::vector<StructMember> members; ///< Of a nested struct.
};

struct Argument {
  uint32_t parameter = 0; ///< Index among the kernel function's IR parameters.
  ArgumentKind kind = ArgumentKind::Buffer;
  std::string builtIn;   ///< BuiltIn: Metal's name without "air.": "thread_position_in_grid".
  std::string name;      ///< The name in the source; empty where the archive has none.
  std::string typeName;  ///< MSL spelling: of a buffer, the element's.
  int32_t location = -1; ///< [[buffer(n)]], [[texture(n)]], [[threadgroup(n)]].
  uint32_t arrayLength = 1;
  Access access = Access::Read;
  uint8_t addressSpace = 0; ///< 1 device, 2 constant, 3 threadgroup.
  uint32_t bufferSize = 0;  ///< References only: bytes that must be bound; 0 for pointers.
  uint32_t typeSize = 0;    ///< air.arg_type_size, bytes.
  uint32_t typeAlign = 0;   ///< air.arg_type_align_size, bytes.
  bool unused = false;      ///< air.arg_unused.
  std::string constantName; ///< [[function_constant(name)]]: the predicate; empty: none.
  bool active = true;       ///< False once specialisation made that predicate false.
  std::vector<StructMember> members;
};

struct FunctionConstant {
  std::string name;
  std::string typeName; ///< MSL spelling: "bool", "int", "float", "uint3".
  uint32_t index = 0;
  bool required = true;
};

struct Reflection {
  std::string name;
  std::vector<Argument> arguments; ///< In parameter order.
  std::vector<FunctionConstant> constants;
  uint32_t maxTotalThreads = 1024;         ///< [[max_total_threads_per_threadgroup]] or 1024.
  uint32_t requiredThreads[3] = {0, 0, 0}; ///< [[required_threads_per_threadgroup]]; 0: not given.
  uint32_t staticThreadgroupBytes = 0;     ///< Threadgroup variables of the kernel, bytes.
  bool fastMath = false;                   ///< air.compile.fast_math_enable.
  bool flushDenormals = false;             ///< air.compile.denorms_disable (float only).
  bool hasDebugInfo = false;
  std::string languageVersion; ///< "3.2.0"
  std::string airVersion;      ///< "2.7.0"
  std::string sourceFile;

  Bytes serialise() const;
  static Expected<Reflection> parse(ByteView bytes);
};

/// The value of one function constant, by index or (index < 0) by name. Integers and bool in
/// `bits` sign- or zero-extended, float and half as their own bit pattern; vectors element by
/// element.
struct ConstantValue {
  int32_t index = -1;
  std::string name;
  std::string typeName; ///< As the caller gave it; checked against the kernel's.
  std::vector<uint64_t> bits;
};

} // namespace metalloid::air
