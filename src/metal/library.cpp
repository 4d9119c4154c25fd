// SPDX-License-Identifier: Apache-2.0
#include "metal/library.h"

#include <filesystem>

#include <Foundation/NSBundle.hpp>
#include <Foundation/NSURL.hpp>
#include <metalloid/Metalloid.hpp>

#include "metal/background.h"
#include "metal/compile_options.h"
#include "metal/errors.h"
#include "metal/foundation/array.h"
#include "metal/foundation/data.h"
#include "metal/function_constants.h"
#include "metal/function_descriptor.h"

namespace metalloid::metal {
namespace {

MTL::Library* makeLibrary(DeviceObject& device, Expected<std::unique_ptr<CodeSource>> code,
                          NS::Error** error, uint64_t maxTotalThreads = 0) {
  if (!code) {
    report(error, libraryError(code.error()));
    return nullptr;
  }
  return make<LibraryObject>(device, *std::move(code), maxTotalThreads);
}

Expected<std::unique_ptr<CodeSource>> compile(const NS::String* text,
                                              const CompileOptionsObject& options) {
  if (!text)
    return fail(Error::Kind::InvalidArgument, "newLibrary: the source is null");
  return options.source(textOf(text))
      .and_then([](const msl::Source& source) { return runtime::compileSource(source); })
      .map(codeOfSource);
}

/// The function, or the reason why there is none.
Expected<NS::SharedPtr<MTL::Function>> makeFunction(const LibraryObject& library,
                                                    std::string_view name,
                                                    const MTL::FunctionConstantValues* values) {
  auto code = library.code->find(name);
  if (!code)
    return fail(Error::Kind::InvalidArgument,
                "newFunction: the library has no function \"" + std::string(name) + "\"");
  std::vector<air::ConstantValue> constants = constantsOf(values);
  if (code->type == MTL::FunctionTypeKernel && values) {
    auto reflection = runtime::specialise(code->module, code->kernel, constants);
    if (!reflection)
      return tl::unexpected(std::move(reflection.error()));
  }
  return NS::TransferPtr(make<FunctionObject>(library.device, std::string(name), *std::move(code),
                                              std::move(constants), library.maxTotalThreads));
}

MTL::Function* give(Expected<NS::SharedPtr<MTL::Function>> function, NS::Error** error) {
  if (!function) {
    report(error, libraryError(function.error()));
    return nullptr;
  }
  MTL::Function* given = function->get();
  function->detach();
  return given;
}

} // namespace
} // namespace metalloid::metal

using namespace metalloid::metal;
using metalloid::Error;
using metalloid::fail;

namespace MTL {

Device* Library::device() const {
  return handleOf(&as<LibraryObject>(this)->device);
}

NS::Array* Library::functionNames() const {
  ObjectList names;
  for (const std::string& name : as<LibraryObject>(this)->code->names())
    names.push_back(makeString(name));
  return makeAutoreleased<ArrayObject>(std::move(names));
}

NS::String* Library::label() const {
  return as<LibraryObject>(this)->label.get();
}

void Library::setLabel(const NS::String* label) {
  as<LibraryObject>(this)->label = copied(label);
}

LibraryType Library::type() const {
  return LibraryTypeExecutable;
}

Function* Library::newFunction(const NS::String* functionName) {
  auto function =
      metalloid::metal::makeFunction(*as<LibraryObject>(this), textOf(functionName), nullptr);
  return give(std::move(function), nullptr);
}

Function* Library::newFunction(const NS::String* name, const FunctionConstantValues* constantValues,
                               NS::Error** error) {
  return give(
      metalloid::metal::makeFunction(*as<LibraryObject>(this), textOf(name), constantValues),
      error);
}

Function* Library::newFunction(const FunctionDescriptor* descriptor, NS::Error** error) {
  if (!descriptor)
    return give(fail(Error::Kind::InvalidArgument, "newFunction: the descriptor is null"), error);
  const auto& wanted = *as<FunctionDescriptorObject>(descriptor);
  constexpr FunctionOptions understood = FunctionOptionCompileToBinary;
  if (wanted.options & ~understood)
    return give(fail(Error::Kind::NotSupported, "newFunction: function options " +
                                                    std::to_string(wanted.options & ~understood) +
                                                    " are not supported"),
                error);
  auto function = metalloid::metal::makeFunction(
      *as<LibraryObject>(this), textOf(wanted.name.get()), wanted.constantValues.get());
  if (function && wanted.specializedName) {
    const auto& plain = *as<FunctionObject>(function->get());
    function = NS::TransferPtr(
        make<FunctionObject>(plain.device, std::string(textOf(wanted.specializedName.get())),
                             plain.code, plain.constants, plain.maxTotalThreads));
  }
  if (function)
    as<FunctionObject>(function->get())->options = wanted.options;
  return give(std::move(function), error);
}

void Library::makeFunction(const NS::String* name, const FunctionConstantValues* constantValues,
                           NS::Private::Callback<Function*, NS::Error*> handler) {
  inBackground(handler, [library = NS::RetainPtr(this), name = copied(name),
                         values = copied(constantValues)](NS::Error** error) {
    return library->newFunction(name.get(), values.get(), error);
  });
}

void Library::makeFunction(const FunctionDescriptor* descriptor,
                           NS::Private::Callback<Function*, NS::Error*> handler) {
  inBackground(handler,
               [library = NS::RetainPtr(this), descriptor = copied(descriptor)](NS::Error** error) {
                 return library->newFunction(descriptor.get(), error);
               });
}

Library* Device::newDefaultLibrary() {
  return newDefaultLibrary(NS::Bundle::mainBundle(), nullptr);
}

Library* Device::newDefaultLibrary(const NS::Bundle* bundle, NS::Error** error) {
  const std::filesystem::path folder(textOf(bundle->bundlePath()));
  return metalloid::metal::makeLibrary(
      *as<DeviceObject>(this),
      codeOfArchiveFile((folder / "default.metallib").string(), "newDefaultLibrary"), error);
}

Library* Device::newLibrary(const NS::String* filepath, NS::Error** error) {
  return metalloid::metal::makeLibrary(
      *as<DeviceObject>(this), codeOfArchiveFile(std::string(textOf(filepath)), "newLibrary"),
      error);
}

Library* Device::newLibrary(const NS::URL* url, NS::Error** error) {
  const char* path = url ? url->fileSystemRepresentation() : nullptr;
  if (!path)
    return metalloid::metal::makeLibrary(
        *as<DeviceObject>(this),
        fail(Error::Kind::InvalidArgument, "newLibrary: the URL is not a file's"), error);
  return newLibrary(NS::String::string(path, NS::UTF8StringEncoding), error);
}

Library* Device::newLibrary(const NS::String* source, const CompileOptions* options,
                            NS::Error** error) {
  const CompileOptionsObject defaults;
  const auto& chosen = options ? *as<CompileOptionsObject>(options) : defaults;
  return metalloid::metal::makeLibrary(*as<DeviceObject>(this), compile(source, chosen), error,
                                       chosen.maxTotalThreadsPerThreadgroup);
}

void Device::makeLibrary(const NS::String* source, const CompileOptions* options,
                         LibraryHandler handler) {
  inBackground(handler,
               [this, source = copied(source), options = copied(options)](NS::Error** error) {
                 return newLibrary(source.get(), options.get(), error);
               });
}

} // namespace MTL

MTL::Library* metalloid::newLibrary(MTL::Device* device, const NS::Data* data, NS::Error** error) {
  auto copy = std::make_shared<const std::vector<std::byte>>(as<DataObject>(data)->bytes);
  const ByteView bytes(*copy);
  return makeLibrary(*as<DeviceObject>(device), codeOfArchive(std::move(copy), bytes), error);
}
