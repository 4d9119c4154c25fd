// SPDX-License-Identifier: Apache-2.0
// The calls of <metalloid/Tools.hpp> about libraries and functions.
#include <metalloid/Tools.hpp>

#include <charconv>

#include "metal/compile_options.h"
#include "metal/data_type.h"
#include "metal/errors.h"
#include "metal/foundation/array.h"
#include "metal/foundation/data.h"
#include "metal/function_constants.h"
#include "metal/library.h"
#include "metallib/archive.h"
#include "runtime/compiler_client.h"

namespace metalloid {
namespace {

using namespace metal;

std::nullptr_t refuse(NS::Error** out, const Error& error) {
  report(out, libraryError(error));
  return nullptr;
}

Expected<runtime::ImageRequest> requestFor(MTL::Library* library, const NS::String* function,
                                           const MTL::FunctionConstantValues* constants,
                                           MTL::Size threads = MTL::Size(0, 0, 0)) {
  const std::string_view name = textOf(function);
  auto code = as<LibraryObject>(library)->code->find(name);
  if (!code)
    return fail(Error::Kind::InvalidArgument,
                "the library has no function \"" + std::string(name) + "\"");
  return runtime::ImageRequest{
      code->module,
      code->kernel,
      constantsOf(constants),
      {uint32_t(threads.width), uint32_t(threads.height), uint32_t(threads.depth)}};
}

/// Zero or false for every constant of the kernel.
Expected<std::vector<air::ConstantValue>> zeroConstants(const runtime::ImageRequest& request) {
  return runtime::describe(request.module, request.kernel)
      .map([](const air::Reflection& reflection) {
        std::vector<air::ConstantValue> values;
        for (const air::FunctionConstant& constant : reflection.constants) {
          const auto layout = layoutOf(dataTypeOf(constant.typeName));
          values.push_back({int32_t(constant.index), constant.name, constant.typeName,
                            std::vector<uint64_t>(layout ? layout->elements : 1)});
        }
        return values;
      });
}

/// "3.2.0" as archives have it.
metallib::Version versionOf(std::string_view text) {
  metallib::Version version;
  const char* end = text.data() + text.size();
  auto major = std::from_chars(text.data(), end, version.major);
  if (major.ptr != end)
    std::from_chars(major.ptr + 1, end, version.minor);
  return version;
}

} // namespace

MTL::Library* newLibrary(MTL::Device* device, const NS::String* source,
                         const MTL::CompileOptions* options, const NS::Array* includeFolders,
                         NS::Error** error) {
  const CompileOptionsObject defaults;
  const auto& chosen = options ? *as<CompileOptionsObject>(options) : defaults;
  auto compiled = chosen.source(textOf(source)).and_then([&](msl::Source text) {
    for (NS::UInteger i = 0; includeFolders && i < includeFolders->count(); ++i)
      text.includeFolders.emplace_back(textOf(includeFolders->object<NS::String>(i)));
    return runtime::compileSource(text);
  });
  if (!compiled)
    return refuse(error, compiled.error());
  return make<LibraryObject>(*as<DeviceObject>(device), codeOfSource(*std::move(compiled)),
                             chosen.maxTotalThreadsPerThreadgroup);
}

NS::Data* reflection(MTL::Library* library, const NS::String* function,
                     const MTL::FunctionConstantValues* constants, NS::Error** error) {
  auto reflection =
      requestFor(library, function, constants).and_then([&](const runtime::ImageRequest& request) {
        return constants ? runtime::specialise(request.module, request.kernel, request.constants)
                         : runtime::describe(request.module, request.kernel);
      });
  if (!reflection)
    return refuse(error, reflection.error());
  const Bytes bytes = reflection->serialise();
  return makeAutoreleased<DataObject>(bytes.data(), bytes.size());
}

NS::String* text(MTL::Library* library, const NS::String* function,
                 const MTL::FunctionConstantValues* constants, const char* stage, MTL::Size threads,
                 NS::Error** error) {
  auto text = requestFor(library, function, constants, threads)
                  .and_then([&](const runtime::ImageRequest& request) {
                    return runtime::emit(request, stage);
                  });
  if (!text)
    return refuse(error, text.error());
  return makeAutoreleased<StringObject>(*std::move(text));
}

bool tryCompile(MTL::Library* library, const NS::String* function,
                const MTL::FunctionConstantValues* constants, MTL::Size threads, bool* fibers,
                NS::Error** error) {
  auto compile = [&](runtime::ImageRequest request) {
    if (constants)
      return runtime::loadImage(request);
    return zeroConstants(request).and_then([&](std::vector<air::ConstantValue> zeros) {
      request.constants = std::move(zeros);
      return runtime::loadImage(request);
    });
  };
  auto image = requestFor(library, function, constants, threads).and_then(compile);
  if (!image) {
    refuse(error, image.error());
    return false;
  }
  if (fibers)
    *fibers = (*image)->traits().fibers != 0;
  return true;
}

NS::Data* archive(const NS::Array* functions, NS::Error** error) {
  std::vector<metallib::Function> entries;
  for (const auto& object : as<ArrayObject>(functions)->objects) {
    auto* function = as<FunctionObject>(static_cast<MTL::Function*>(object.get()));
    const Expected<air::Reflection>& reflection = function->reflection();
    if (!reflection)
      return refuse(error, reflection.error());
    metallib::Function entry;
    entry.name = function->code.kernel;
    entry.air = versionOf(reflection->airVersion);
    entry.language = versionOf(reflection->languageVersion);
    entry.bitcode = function->code.module.bitcode;
    entries.push_back(entry);
  }
  auto bytes = metallib::write(entries);
  if (!bytes)
    return refuse(error, bytes.error());
  return makeAutoreleased<DataObject>(bytes->data(), bytes->size());
}

} // namespace metalloid
