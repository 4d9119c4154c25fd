// SPDX-License-Identifier: Apache-2.0
#include "compiler/requests.h"

#include <fmt/format.h>

#include "air/prepare.h"
#include "compiler/link_image.h"
#include "cpu/compile.h"
#include "msl/compile.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

namespace metalloid::compiler {

namespace {

Answer answer(Bytes payload) {
  return {Status::Ok, std::move(payload)};
}

Answer answer(std::string_view text) {
  ByteView bytes = asBytes(text);
  return {Status::Ok, Bytes(bytes.begin(), bytes.end())};
}

Answer refuse(std::string_view text) {
  Answer refused = answer(text);
  refused.status = Status::Refused;
  return refused;
}

Answer refuse(llvm::Error error) {
  return refuse(llvm::toString(std::move(error)));
}

Bytes bitcodeOf(const llvm::Module& module) {
  llvm::SmallVector<char, 0> buffer;
  llvm::raw_svector_ostream stream(buffer);
  llvm::WriteBitcodeToFile(module, stream);
  ByteView bytes = asBytes({buffer.data(), buffer.size()});
  return {bytes.begin(), bytes.end()};
}

std::string textOf(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

Answer compileSource(ByteView payload, Progress progress) {
  auto source = parseSource(payload);
  if (!source)
    return refuse(source.error().message);
  progress(fmt::format("compiling {}", source->name));
  llvm::LLVMContext context;
  msl::Result result = msl::compile(context, *source);
  SourceReply reply;
  reply.diagnosticText = result.text();
  if (!result.module)
    return refuse(reply.diagnosticText);
  reply.bitcode = bitcodeOf(*result.module);
  reply.kernels = air::kernelNames(*result.module);
  reply.diagnostics = std::move(result.diagnostics);
  reply.dependencies = std::move(result.dependencies);
  return answer(reply.serialise());
}

/// The kernel of a request, ready for a back end.
llvm::Expected<air::Prepared> prepare(llvm::LLVMContext& context, const KernelRequest& request,
                                      Progress progress) {
  progress(fmt::format("reading and specialising kernel '{}'", request.kernel));
  return air::prepare(context, request.bitcode, request.kernel, request.constants);
}

Answer describe(const KernelRequest& request, Progress progress) {
  progress(fmt::format("reading kernel '{}'", request.kernel));
  llvm::LLVMContext context;
  auto module = air::readModule(context, request.bitcode);
  if (!module)
    return refuse(module.takeError());
  auto reflection = air::describe(**module, request.kernel);
  if (!reflection)
    return refuse(reflection.takeError());
  return answer(reflection->serialise());
}

Answer specialise(const KernelRequest& request, Progress progress) {
  llvm::LLVMContext context;
  auto prepared = prepare(context, request, progress);
  if (!prepared)
    return refuse(prepared.takeError());
  return answer(prepared->reflection.serialise());
}

struct Target {
  cpu::Level level;
  Libcalls libcalls;
};

/// The most that the processor this runs on can do.
Libcalls nativeLibcalls() {
#if defined(__x86_64__)
  const auto features = llvm::sys::getHostCPUFeatures();
  auto has = [&](std::initializer_list<const char*> names) {
    return std::all_of(names.begin(), names.end(),
                       [&](const char* name) { return features.lookup(name); });
  };
  if (!has({"avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"}))
    return Libcalls::X86V2;
  return has({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}) ? Libcalls::X86V4
                                                                          : Libcalls::X86V3;
#else
  return Libcalls::AArch64;
#endif
}

Expected<Target> targetNamed(const std::string& name) {
  if (name == "native")
    return Target{cpu::Level::Native, nativeLibcalls()};
  if (name == "x86-64-v2")
    return Target{cpu::Level::X86V2, Libcalls::X86V2};
  if (name == "x86-64-v3")
    return Target{cpu::Level::X86V3, Libcalls::X86V3};
  if (name == "x86-64-v4")
    return Target{cpu::Level::X86V4, Libcalls::X86V4};
  if (name == "neon")
    return Target{cpu::Level::Neon, Libcalls::AArch64};
  return fail(Error::Kind::InvalidArgument,
              fmt::format("'{}' is no target; there are native, x86-64-v2, x86-64-v3, x86-64-v4 "
                          "and neon",
                          name));
}

Answer makeImage(const KernelRequest& request, Progress progress) {
  auto target = targetNamed(request.target);
  if (!target)
    return refuse(target.error().message);
  llvm::LLVMContext context;
  auto prepared = prepare(context, request, progress);
  if (!prepared)
    return refuse(prepared.takeError());
  ImageFile file;
  file.reflection = prepared->reflection.serialise();
  cpu::Options options;
  options.level = target->level;
  options.threads = request.threads;
  options.debugInfo = prepared->reflection.hasDebugInfo;
  progress(fmt::format("generating code for kernel '{}'", request.kernel));
  auto compiled = cpu::compile(std::move(*prepared), options);
  if (!compiled)
    return refuse(compiled.takeError());
  progress(fmt::format("linking kernel '{}'", request.kernel));
  auto elf = linkImage(asBytes({compiled->object.data(), compiled->object.size()}),
                       target->libcalls, options.debugInfo);
  if (!elf)
    return refuse(fmt::format("kernel '{}': {}", request.kernel, elf.error().message));
  file.traits = compiled->traits;
  file.elf = std::move(*elf);
  return answer(file.serialise());
}

Answer emitText(llvm::Expected<std::string> text) {
  if (!text)
    return refuse(text.takeError());
  return answer(*text);
}

Answer emit(const KernelRequest& request, Progress progress) {
  llvm::LLVMContext context;
  if (request.emit == "air") {
    auto module = air::readModule(context, request.bitcode);
    if (!module)
      return refuse(module.takeError());
    return answer(textOf(**module));
  }
  auto target = targetNamed(request.target);
  if (!target)
    return refuse(target.error().message);
  auto prepared = prepare(context, request, progress);
  if (!prepared)
    return refuse(prepared.takeError());
  cpu::Options options;
  options.level = target->level;
  options.threads = request.threads;
  options.debugInfo = prepared->reflection.hasDebugInfo;
  if (request.emit == "prepared")
    return answer(textOf(*prepared->module));
  if (request.emit == "asm")
    return emitText(cpu::assembly(std::move(*prepared), options));
  if (request.emit.starts_with("ir:"))
    return emitText(cpu::printAfter(std::move(*prepared), options, request.emit.substr(3)));
  return refuse(fmt::format("'{}' cannot be emitted; there are air, prepared, asm and ir:PASS",
                            request.emit));
}

} // namespace

Answer handleRequest(Operation operation, ByteView payload, Progress progress) {
  if (operation == Operation::CompileSource)
    return compileSource(payload, progress);
  auto request = KernelRequest::parse(payload);
  if (!request)
    return refuse(request.error().message);
  switch (operation) {
  case Operation::Describe:
    return describe(*request, progress);
  case Operation::Specialise:
    return specialise(*request, progress);
  case Operation::MakeImage:
    return makeImage(*request, progress);
  case Operation::Emit:
    return emit(*request, progress);
  case Operation::CompileSource:
    break;
  }
  return refuse("an unknown request");
}

} // namespace metalloid::compiler
