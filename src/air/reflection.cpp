// SPDX-License-Identifier: Apache-2.0
// Reflection as bytes and back: how it crosses from the compiler process and lies in the cache.
#include "air/reflection.h"

namespace metalloid::air {
namespace {

/// Bumped with every change of the layout below; other versions are refused.
constexpr uint32_t SerialVersion = 1;

/// A nested struct deeper than this was not written by serialise().
constexpr int MaxStructDepth = 32;

void write(ByteWriter& out, const std::vector<StructMember>& members) {
  out.write(static_cast<uint32_t>(members.size()));
  for (const StructMember& member : members) {
    out.string(member.name);
    out.string(member.typeName);
    out.write(member.offset);
    out.write(member.size);
    out.write(member.arrayLength);
    write(out, member.members);
  }
}

void write(ByteWriter& out, const Argument& argument) {
  out.write(argument.parameter);
  out.write(argument.kind);
  out.string(argument.builtIn);
  out.string(argument.name);
  out.string(argument.typeName);
  out.write(argument.location);
  out.write(argument.arrayLength);
  out.write(argument.access);
  out.write(argument.addressSpace);
  out.write(argument.bufferSize);
  out.write(argument.typeSize);
  out.write(argument.typeAlign);
  out.write<uint8_t>(argument.unused);
  out.string(argument.constantName);
  out.write<uint8_t>(argument.active);
  write(out, argument.members);
}

/// Reads what write() wrote. A count is followed by that many elements of at least a byte each, so
/// a count beyond the bytes left is damage: ok() turns false before anything is allocated.
class Reader : public ByteReader {
public:
  using ByteReader::ByteReader;

  uint32_t count() {
    auto n = read<uint32_t>();
    if (n > remaining())
      take(UINT64_MAX);
    return ok() ? n : 0;
  }

  /// An enumerator no greater than `last`.
  template <typename Enum> Enum enumerator(Enum last) {
    auto value = read<Enum>();
    if (value > last)
      take(UINT64_MAX);
    return value;
  }

  std::vector<StructMember> members(int depth = 0) {
    std::vector<StructMember> result;
    if (depth > MaxStructDepth)
      take(UINT64_MAX);
    for (uint32_t n = count(); n > 0 && ok(); --n) {
      StructMember& member = result.emplace_back();
      member.name = string();
      member.typeName = string();
      member.offset = read<uint32_t>();
      member.size = read<uint32_t>();
      member.arrayLength = read<uint32_t>();
      member.members = members(depth + 1);
    }
    return result;
  }

  Argument argument() {
    Argument result;
    result.parameter = read<uint32_t>();
    result.kind = enumerator(ArgumentKind::BuiltIn);
    result.builtIn = string();
    result.name = string();
    result.typeName = string();
    result.location = read<int32_t>();
    result.arrayLength = read<uint32_t>();
    result.access = enumerator(Access::ReadWrite);
    result.addressSpace = read<uint8_t>();
    result.bufferSize = read<uint32_t>();
    result.typeSize = read<uint32_t>();
    result.typeAlign = read<uint32_t>();
    result.unused = read<uint8_t>() != 0;
    result.constantName = string();
    result.active = read<uint8_t>() != 0;
    result.members = members();
    return result;
  }

  FunctionConstant constant() {
    FunctionConstant result;
    result.name = string();
    result.typeName = string();
    result.index = read<uint32_t>();
    result.required = read<uint8_t>() != 0;
    return result;
  }
};

} // namespace

Bytes Reflection::serialise() const {
  ByteWriter out;
  out.write(SerialVersion);
  out.string(name);
  out.write(static_cast<uint32_t>(arguments.size()));
  for (const Argument& argument : arguments)
    write(out, argument);
  out.write(static_cast<uint32_t>(constants.size()));
  for (const FunctionConstant& constant : constants) {
    out.string(constant.name);
    out.string(constant.typeName);
    out.write(constant.index);
    out.write<uint8_t>(constant.required);
  }
  out.write(maxTotalThreads);
  out.write(requiredThreads);
  out.write(staticThreadgroupBytes);
  out.write<uint8_t>(fastMath);
  out.write<uint8_t>(flushDenormals);
  out.write<uint8_t>(hasDebugInfo);
  out.string(languageVersion);
  out.string(airVersion);
  out.string(sourceFile);
  return out.take();
}

Expected<Reflection> Reflection::parse(ByteView bytes) {
  Reader in(bytes);
  Reflection result;
  if (in.read<uint32_t>() != SerialVersion)
    return fail(Error::Kind::InvalidArgument,
                "reflection: these bytes are of another version of metalloid");
  result.name = in.string();
  for (uint32_t n = in.count(); n > 0 && in.ok(); --n)
    result.arguments.push_back(in.argument());
  for (uint32_t n = in.count(); n > 0 && in.ok(); --n)
    result.constants.push_back(in.constant());
  result.maxTotalThreads = in.read<uint32_t>();
  for (uint32_t& threads : result.requiredThreads)
    threads = in.read<uint32_t>();
  result.staticThreadgroupBytes = in.read<uint32_t>();
  result.fastMath = in.read<uint8_t>() != 0;
  result.flushDenormals = in.read<uint8_t>() != 0;
  result.hasDebugInfo = in.read<uint8_t>() != 0;
  result.languageVersion = in.string();
  result.airVersion = in.string();
  result.sourceFile = in.string();
  if (!in.ok() || !in.atEnd())
    return fail(Error::Kind::InvalidArgument, "reflection: the bytes are damaged");
  return result;
}

} // namespace metalloid::air
