// SPDX-License-Identifier: Apache-2.0
#include "compiler/protocol.h"

namespace metalloid::compiler {

namespace {

// A list is a u32 count and its elements; `one` writes or reads an element. Counts are not trusted:
// reading stops at the end of the bytes.

template <typename T, typename WriteOne>
void writeList(ByteWriter& out, const std::vector<T>& list, WriteOne one) {
  out.write(static_cast<uint32_t>(list.size()));
  for (const T& element : list)
    one(element);
}

template <typename T, typename ReadOne> std::vector<T> readList(ByteReader& in, ReadOne one) {
  std::vector<T> list;
  for (auto count = in.read<uint32_t>(); count != 0 && in.ok(); --count)
    list.push_back(one());
  return list;
}

void writeBytes(ByteWriter& out, ByteView bytes) {
  out.write(static_cast<uint64_t>(bytes.size()));
  out.append(bytes);
}

ByteView readBytes(ByteReader& in) {
  return in.take(in.read<uint64_t>());
}

Bytes copy(ByteView bytes) {
  return {bytes.begin(), bytes.end()};
}

template <typename T> Expected<T> finish(const ByteReader& in, T value, const char* what) {
  if (!in.ok() || !in.atEnd())
    return fail(Error::Kind::Io, std::string("compiler: a damaged ") + what);
  return value;
}

} // namespace

Bytes serialise(const msl::Source& source) {
  ByteWriter out;
  out.string(source.name);
  out.string(source.text);
  writeList(out, source.defines, [&](const auto& define) {
    out.string(define.first);
    out.string(define.second);
  });
  writeList(out, source.includeFolders, [&](const std::string& folder) { out.string(folder); });
  out.write(source.languageVersion);
  out.write(source.math);
  out.write(static_cast<uint8_t>(source.debugInfo));
  return out.take();
}

Expected<msl::Source> parseSource(ByteView bytes) {
  ByteReader in(bytes);
  msl::Source source;
  source.name = in.string();
  source.text = in.string();
  source.defines = readList<std::pair<std::string, std::string>>(in, [&] {
    std::string name = in.string();
    return std::pair(std::move(name), in.string());
  });
  source.includeFolders = readList<std::string>(in, [&] { return in.string(); });
  source.languageVersion = in.read<uint32_t>();
  source.math = in.read<msl::MathMode>();
  source.debugInfo = in.read<uint8_t>() != 0;
  return finish(in, std::move(source), "source request");
}

Bytes SourceReply::serialise() const {
  ByteWriter out;
  writeBytes(out, bitcode);
  writeList(out, kernels, [&](const std::string& name) { out.string(name); });
  writeList(out, diagnostics, [&](const msl::Diagnostic& diagnostic) {
    out.write(diagnostic.severity);
    out.string(diagnostic.file);
    out.write(diagnostic.line);
    out.write(diagnostic.column);
    out.string(diagnostic.message);
    out.string(diagnostic.sourceLine);
  });
  out.string(diagnosticText);
  writeList(out, dependencies, [&](const msl::Dependency& dependency) {
    out.string(dependency.path);
    out.write(static_cast<uint8_t>(dependency.exists));
    out.string(dependency.contentHash);
  });
  return out.take();
}

Expected<SourceReply> SourceReply::parse(ByteView bytes) {
  ByteReader in(bytes);
  SourceReply reply;
  reply.bitcode = copy(readBytes(in));
  reply.kernels = readList<std::string>(in, [&] { return in.string(); });
  reply.diagnostics = readList<msl::Diagnostic>(in, [&] {
    msl::Diagnostic diagnostic;
    diagnostic.severity = in.read<msl::Diagnostic::Severity>();
    diagnostic.file = in.string();
    diagnostic.line = in.read<uint32_t>();
    diagnostic.column = in.read<uint32_t>();
    diagnostic.message = in.string();
    diagnostic.sourceLine = in.string();
    return diagnostic;
  });
  reply.diagnosticText = in.string();
  reply.dependencies = readList<msl::Dependency>(in, [&] {
    msl::Dependency dependency;
    dependency.path = in.string();
    dependency.exists = in.read<uint8_t>() != 0;
    dependency.contentHash = in.string();
    return dependency;
  });
  return finish(in, std::move(reply), "reply to a source");
}

Bytes KernelRequest::serialise() const {
  ByteWriter out;
  writeBytes(out, bitcode);
  out.string(kernel);
  writeList(out, constants, [&](const air::ConstantValue& value) {
    out.write(value.index);
    out.string(value.name);
    out.string(value.typeName);
    writeList(out, value.bits, [&](uint64_t bits) { out.write(bits); });
  });
  out.write(threads);
  out.string(target);
  out.string(emit);
  return out.take();
}

Expected<KernelRequest> KernelRequest::parse(ByteView bytes) {
  ByteReader in(bytes);
  KernelRequest request;
  request.bitcode = readBytes(in);
  request.kernel = in.string();
  request.constants = readList<air::ConstantValue>(in, [&] {
    air::ConstantValue value;
    value.index = in.read<int32_t>();
    value.name = in.string();
    value.typeName = in.string();
    value.bits = readList<uint64_t>(in, [&] { return in.read<uint64_t>(); });
    return value;
  });
  request.threads = in.read<std::array<uint32_t, 3>>();
  request.target = in.string();
  request.emit = in.string();
  return finish(in, std::move(request), "kernel request");
}

Bytes ImageFile::serialise() const {
  ByteWriter out;
  out.write(cpu::LaunchVersion);
  out.write(traits);
  writeBytes(out, reflection);
  writeBytes(out, elf);
  return out.take();
}

Expected<ImageFile> ImageFile::parse(ByteView bytes) {
  ByteReader in(bytes);
  ImageFile file;
  bool current = in.read<uint32_t>() == cpu::LaunchVersion;
  file.traits = in.read<cpu::Traits>();
  file.reflection = copy(readBytes(in));
  file.elf = copy(readBytes(in));
  if (!current)
    return fail(Error::Kind::Io, "compiler: an image of another version");
  return finish(in, std::move(file), "image");
}

} // namespace metalloid::compiler
