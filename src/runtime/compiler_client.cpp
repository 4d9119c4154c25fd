// SPDX-License-Identifier: Apache-2.0
#include "runtime/compiler_client.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>

#include <pthread.h>

#include "compiler/protocol.h"
#include "runtime/compiler_process.h"
#include "runtime/compiler_program.h"
#include "runtime/disk_cache.h"
#include "runtime/image.h"
#include "runtime/single_flight.h"
#include "runtime/target.h"

namespace metalloid::runtime {

namespace {

using compiler::KernelRequest;
using compiler::Operation;
using compiler::SourceReply;

/// The key of an answer: all that it depends on.
class Key {
public:
  Key(Operation operation, const CompilerProgram& program) {
    out_.write(operation);
    out_.write(compiler::ProtocolVersion);
    out_.write(cpu::LaunchVersion);
    out_.string(program.build);
  }
  Key& add(const Sha256& hash) {
    out_.write(hash);
    return *this;
  }
  Key& add(ByteView bytes) {
    out_.append(bytes);
    return *this;
  }
  Key& add(std::string_view text) {
    out_.string(text);
    return *this;
  }
  Sha256 hash() const { return sha256(out_.bytes()); }

private:
  ByteWriter out_;
};

/// What is being made, and which images are mapped.
struct Tables {
  SingleFlight<std::shared_ptr<const Bytes>> sources, reflections;
  SingleFlight<std::shared_ptr<const Image>> images;
  std::mutex mutex;
  std::map<Sha256, std::weak_ptr<const Image>> mapped;

  static Tables& shared() {
    static auto* tables = new Tables; // Never destroyed: queues may outlive statics.
    return *tables;
  }

  Tables() {
    pthread_atfork(
        [] {
          shared().sources.beforeFork();
          shared().reflections.beforeFork();
          shared().images.beforeFork();
          shared().mutex.lock();
        },
        [] {
          shared().mutex.unlock();
          shared().images.afterForkInParent();
          shared().reflections.afterForkInParent();
          shared().sources.afterForkInParent();
        },
        [] {
          shared().mutex.unlock();
          shared().images.afterForkInChild();
          shared().reflections.afterForkInChild();
          shared().sources.afterForkInChild();
        });
  }

  std::shared_ptr<const Image> find(const Sha256& key) {
    std::lock_guard lock(mutex);
    auto found = mapped.find(key);
    return found == mapped.end() ? nullptr : found->second.lock();
  }

  void keep(const Sha256& key, const std::shared_ptr<const Image>& image) {
    std::lock_guard lock(mutex);
    std::erase_if(mapped, [](const auto& each) { return each.second.expired(); });
    mapped[key] = image;
  }
};

/// Whether an included file is as it was when the source was compiled.
bool isUnchanged(const msl::Dependency& dependency) {
  std::ifstream file(dependency.path, std::ios::binary);
  if (!dependency.exists)
    return !file;
  if (!file)
    return false;
  std::string text{std::istreambuf_iterator<char>(file), {}};
  return toHex(sha256(asBytes(text))) == dependency.contentHash;
}

bool isFresh(const Bytes& reply) {
  auto parsed = SourceReply::parse(reply);
  if (!parsed)
    return false;
  for (const msl::Dependency& dependency : parsed->dependencies)
    if (!isUnchanged(dependency))
      return false;
  return true;
}

/// From the disk cache where `accept`s, else from the compiler, which is then kept.
template <typename Accept>
Expected<std::shared_ptr<const Bytes>> answerFor(const Sha256& key, Operation operation,
                                                 ByteView payload, Accept accept) {
  DiskCache& cache = DiskCache::shared();
  auto cached = [&]() -> std::shared_ptr<const Bytes> {
    auto found = cache.find(key);
    return found && accept(*found) ? std::make_shared<const Bytes>(std::move(*found)) : nullptr;
  };
  if (auto found = cached())
    return found;
  DiskCache::Maker maker(cache, key);
  if (auto found = cached()) // Another process has made it meanwhile.
    return found;
  auto answer = askCompiler(operation, payload);
  if (!answer)
    return tl::unexpected(answer.error());
  cache.store(key, *answer);
  return std::make_shared<const Bytes>(std::move(*answer));
}

KernelRequest toWire(const Module& module, const std::string& kernel,
                     std::span<const air::ConstantValue> constants) {
  KernelRequest request;
  request.bitcode = module.bitcode;
  request.kernel = kernel;
  request.constants = {constants.begin(), constants.end()};
  return request;
}

/// What a kernel request asks for, but for the module, which its hash stands for.
Bytes withoutModule(KernelRequest request) {
  request.bitcode = {};
  return request.serialise();
}

msl::Source withAbsoluteFolders(msl::Source source) {
  for (std::string& folder : source.includeFolders) {
    std::error_code error; // The compiler's working folder may be another.
    if (auto absolute = std::filesystem::absolute(folder, error); !error)
      folder = absolute.string();
  }
  return source;
}

Expected<CompiledSource> unpack(const Bytes& bytes) {
  auto reply = SourceReply::parse(bytes);
  if (!reply)
    return tl::unexpected(reply.error());
  auto bitcode = std::make_shared<const Bytes>(std::move(reply->bitcode));
  CompiledSource compiled;
  compiled.module = {bitcode, *bitcode, sha256(*bitcode)};
  compiled.kernels = std::move(reply->kernels);
  compiled.diagnostics = std::move(reply->diagnostics);
  compiled.diagnosticText = std::move(reply->diagnosticText);
  return compiled;
}

} // namespace

Expected<CompiledSource> compileSource(const msl::Source& given) {
  auto program = findCompiler();
  if (!program)
    return tl::unexpected(program.error());
  Bytes payload = compiler::serialise(withAbsoluteFolders(given));
  Sha256 key = Key(Operation::CompileSource, *program).add(ByteView(payload)).hash();
  auto reply = Tables::shared().sources.get(
      key, [&] { return answerFor(key, Operation::CompileSource, payload, isFresh); });
  if (!reply)
    return tl::unexpected(reply.error());
  return unpack(**reply);
}

namespace {

Expected<air::Reflection> reflection(Operation operation, const Module& module,
                                     const std::string& kernel,
                                     std::span<const air::ConstantValue> constants) {
  auto program = findCompiler();
  if (!program)
    return tl::unexpected(program.error());
  KernelRequest request = toWire(module, kernel, constants);
  Sha256 key =
      Key(operation, *program).add(module.hash).add(ByteView(withoutModule(request))).hash();
  auto accept = [](const Bytes& bytes) { return air::Reflection::parse(bytes).has_value(); };
  auto reply = Tables::shared().reflections.get(
      key, [&] { return answerFor(key, operation, request.serialise(), accept); });
  if (!reply)
    return tl::unexpected(reply.error());
  return air::Reflection::parse(**reply);
}

} // namespace

Expected<air::Reflection> describe(const Module& module, const std::string& kernel) {
  return reflection(Operation::Describe, module, kernel, {});
}

Expected<air::Reflection> specialise(const Module& module, const std::string& kernel,
                                     std::span<const air::ConstantValue> constants) {
  return reflection(Operation::Specialise, module, kernel, constants);
}

Expected<std::shared_ptr<const Image>> loadImage(const ImageRequest& asked) {
  auto program = findCompiler();
  auto target = targetName();
  if (!program || !target)
    return tl::unexpected(program ? target.error() : program.error());
  KernelRequest request = toWire(asked.module, asked.kernel, asked.constants);
  request.threads = asked.threads;
  request.target = *target;
  Sha256 key = Key(Operation::MakeImage, *program)
                   .add(asked.module.hash)
                   .add(ByteView(withoutModule(request)))
                   .add(*target == "native" ? hostIdentity() : *target)
                   .hash();
  Tables& tables = Tables::shared();
  if (auto image = tables.find(key))
    return image;
  return tables.images.get(key, [&]() -> Expected<std::shared_ptr<const Image>> {
    auto accept = [](const Bytes& bytes) { return compiler::ImageFile::parse(bytes).has_value(); };
    auto file = answerFor(key, Operation::MakeImage, request.serialise(), accept);
    if (!file)
      return tl::unexpected(file.error());
    auto image = mapImage(**file, asked.kernel);
    if (image)
      tables.keep(key, *image);
    return image;
  });
}

Expected<std::string> emit(const ImageRequest& asked, const std::string& what) {
  auto target = targetName();
  if (!target)
    return tl::unexpected(target.error());
  KernelRequest request = toWire(asked.module, asked.kernel, asked.constants);
  request.threads = asked.threads;
  request.target = *target;
  request.emit = what;
  auto text = askCompiler(Operation::Emit, request.serialise());
  if (!text)
    return tl::unexpected(text.error());
  return std::string(asText(*text));
}

} // namespace metalloid::runtime
