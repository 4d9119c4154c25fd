// SPDX-License-Identifier: Apache-2.0
#include "air_kernel.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include "air/prepare.h"
#include "metallib/archive.h"
#include "runtime/cpu_memory.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

namespace metalloid::cpu::test {
namespace {

Bytes toBytes(llvm::ArrayRef<char> data) {
  auto* first = reinterpret_cast<const std::byte*>(data.data());
  return Bytes(first, first + data.size());
}

/// A kernel object linked into a shared object of its own.
class LoadedObject final : public runtime::Image {
public:
  LoadedObject(void* library, const Compiled& compiled, air::Reflection reflection)
      : library_(library), traits_(compiled.traits), reflection_(std::move(reflection)),
        entry_(reinterpret_cast<Entry>(dlsym(library, "kernel"))) {}
  ~LoadedObject() override { dlclose(library_); }

  Entry entry() const override { return entry_; }
  const Traits& traits() const override { return traits_; }
  const air::Reflection& reflection() const override { return reflection_; }
  ByteView code() const override { return {reinterpret_cast<const std::byte*>(1), SIZE_MAX - 1}; }

private:
  void* library_;
  Traits traits_;
  air::Reflection reflection_;
  Entry entry_;
};

Expected<std::shared_ptr<const runtime::Image>> load(const Compiled& compiled,
                                                     const air::Reflection& reflection) {
  static int number = 0;
  std::string base =
      fmt::format("{}/metalloid-test-{}-{}", std::filesystem::temp_directory_path().string(),
                  getpid(), number++);
  std::ofstream(base + ".o", std::ios::binary)
      .write(compiled.object.data(), compiled.object.size());
  std::string command =
      fmt::format("{} -shared -nostartfiles -o {}.so {}.o -lm", METALLOID_TEST_LINKER, base, base);
  int status = std::system(command.c_str());
  void* library = status == 0 ? dlopen((base + ".so").c_str(), RTLD_NOW) : nullptr;
  std::filesystem::remove(base + ".o");
  std::filesystem::remove(base + ".so");
  if (!library)
    return fail(Error::Kind::Io,
                fmt::format("load kernel object: {}: {}", command, status ? "failed" : dlerror()));
  return std::make_shared<LoadedObject>(library, compiled, reflection);
}

Expected<std::shared_ptr<const runtime::Image>> compileImage(const KernelSource& source,
                                                             const Options& options) {
  llvm::LLVMContext context;
  auto prepared = air::prepare(context, source.bitcode, source.name, source.constants);
  if (!prepared)
    return fail(Error::Kind::CompileFailed, llvm::toString(prepared.takeError()));
  air::Reflection reflection = prepared->reflection;
  auto compiled = cpu::compile(std::move(*prepared), options);
  if (!compiled)
    return fail(Error::Kind::CompileFailed, llvm::toString(compiled.takeError()));
  return load(*compiled, reflection);
}

} // namespace

Expected<KernelSource> readKernelText(const std::string& path, const std::string& kernel) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyFile(path, problem, context);
  if (!module)
    return fail(Error::Kind::InvalidArgument,
                fmt::format("{}: {}", path, problem.getMessage().str()));
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*module, stream);
  return KernelSource{toBytes(bitcode), kernel, {}};
}

Expected<KernelSource> readArchiveKernel(const std::string& path, const std::string& name,
                                         std::vector<air::ConstantValue> constants) {
  std::ifstream file(path, std::ios::binary);
  static std::string text; // One archive, read once: it is large.
  static std::string held;
  if (held != path) {
    text.assign(std::istreambuf_iterator<char>(file), {});
    held = path;
  }
  auto archive = metallib::Archive::parse(asBytes(text));
  if (!archive)
    return tl::unexpected(archive.error());
  const metallib::Function* function = archive->find(name);
  if (!function)
    return fail(Error::Kind::InvalidArgument, "no kernel " + name + " in " + path);
  return KernelSource{Bytes(function->bitcode.begin(), function->bitcode.end()), name,
                      std::move(constants)};
}

air::ConstantValue constant(int32_t index, const std::string& type, uint64_t value) {
  return {index, "", type, {value}};
}

Expected<RunnableKernel> RunnableKernel::compile(const KernelSource& source,
                                                 const Options& options) {
  auto first = compileImage(source, options);
  if (!first)
    return tl::unexpected(first.error());
  RunnableKernel kernel;
  kernel.traits_ = (*first)->traits();
  bool anySize = options.threads == std::array<uint32_t, 3>{0, 0, 0};
  kernel.pipeline_ = std::make_shared<runtime::CpuPipeline>(
      (*first)->reflection(),
      [source, options, anySize, first = *first](
          const runtime::Size3& threads) -> Expected<std::shared_ptr<const runtime::Image>> {
        if (anySize || threads == options.threads)
          return first;
        Options other = options;
        other.threads = threads;
        return compileImage(source, other);
      });
  return kernel;
}

Expected<void> RunnableKernel::run(std::span<const std::span<std::byte>> buffers,
                                   runtime::Extent threads, runtime::Size3 threadgroup,
                                   std::vector<uint64_t> threadgroupBytes) const {
  runtime::Dispatch dispatch;
  dispatch.pipeline = pipeline_;
  dispatch.threads = threads;
  dispatch.threadsPerThreadgroup = threadgroup;
  dispatch.threadgroupLengths = std::move(threadgroupBytes);
  for (std::span<std::byte> buffer : buffers)
    if (buffer.data())
      dispatch.buffers.push_back(
          runtime::BoundBuffer{runtime::wrapCpuMemory(buffer.data(), buffer.size(), nullptr), 0});
    else
      dispatch.buffers.push_back(std::monostate());
  return runtime::executeDispatch(dispatch);
}

} // namespace metalloid::cpu::test
