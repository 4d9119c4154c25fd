// SPDX-License-Identifier: Apache-2.0
// Libraries, function constants and pipelines.
#include "native.h"

#include <bit>
#include <cstring>
#include <stdexcept>

#include <metalloid/Metalloid.hpp>
#include <metalloid/Tools.hpp>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "pipeline.h"
#include "reflection.h"

namespace metalloid::python {
namespace {

using Constants = std::vector<std::pair<nb::object, nb::object>>;
using Threads = std::array<uint64_t, 3>;

NS::SharedPtr<MTL::CompileOptions>
compileOptions(int math, uint64_t version,
               const std::vector<std::pair<std::string, std::string>>& macros) {
  auto options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
  options->setMathMode(MTL::MathMode(math));
  options->setLanguageVersion(MTL::LanguageVersion(version));
  std::vector<const NS::Object*> names, values;
  for (const auto& [name, value] : macros) {
    names.push_back(toString(name));
    values.push_back(toString(value));
  }
  options->setPreprocessorMacros(
      NS::Dictionary::dictionary(values.data(), names.data(), names.size()));
  return options;
}

Library compile(Device& device, const std::string& source, int math, uint64_t version,
                const std::vector<std::pair<std::string, std::string>>& macros,
                const std::vector<std::string>& folders) {
  nb::gil_scoped_release release;
  Pool pool;
  auto options = compileOptions(math, version, macros);
  std::vector<const NS::Object*> paths;
  for (const std::string& folder : folders)
    paths.push_back(toString(folder));
  NS::Error* error = nullptr;
  MTL::Library* library =
      metalloid::newLibrary(device.mtl.get(), toString(source), options.get(),
                            NS::Array::array(paths.data(), paths.size()), &error);
  if (!library)
    raise(error);
  return {NS::TransferPtr(library), device.mtl};
}

Library load(Device& device, const std::string& path) {
  nb::gil_scoped_release release;
  Pool pool;
  NS::Error* error = nullptr;
  MTL::Library* library = device.mtl->newLibrary(toString(path), &error);
  if (!library)
    throw CompileFailed{describe(error)};
  return {NS::TransferPtr(library), device.mtl};
}

std::vector<std::string> names(Library& library) {
  Pool pool;
  NS::Array* array = library.mtl->functionNames();
  std::vector<std::string> result;
  result.reserve(array->count());
  for (NS::UInteger i = 0; i < array->count(); ++i)
    result.push_back(fromString(array->object<NS::String>(i)));
  return result;
}

/// Calls `set` with the value as the bytes of MSL type `typeName`; the caller's number must fit.
template <typename Set>
void withTyped(const std::string& typeName, nb::handle value, const Set& set) {
  auto integer = [&]<typename T>(T, MTL::DataType type) {
    T typed = nb::cast<T>(value);
    set(&typed, type);
  };
  if (typeName == "bool") {
    bool typed = nb::cast<bool>(nb::bool_(value));
    set(&typed, MTL::DataTypeBool);
  } else if (typeName == "float") {
    float typed = nb::cast<float>(nb::float_(value));
    set(&typed, MTL::DataTypeFloat);
  } else if (typeName == "half") {
    nb::module_ numpy = nb::module_::import_("numpy");
    auto bits = nb::cast<uint16_t>(
        numpy.attr("float16")(value).attr("view")(numpy.attr("uint16")).attr("item")());
    set(&bits, MTL::DataTypeHalf);
  } else if (typeName == "char") {
    integer(int8_t{}, MTL::DataTypeChar);
  } else if (typeName == "uchar") {
    integer(uint8_t{}, MTL::DataTypeUChar);
  } else if (typeName == "short") {
    integer(int16_t{}, MTL::DataTypeShort);
  } else if (typeName == "ushort") {
    integer(uint16_t{}, MTL::DataTypeUShort);
  } else if (typeName == "int") {
    integer(int32_t{}, MTL::DataTypeInt);
  } else if (typeName == "uint") {
    integer(uint32_t{}, MTL::DataTypeUInt);
  } else if (typeName == "long") {
    integer(int64_t{}, MTL::DataTypeLong);
  } else if (typeName == "ulong") {
    integer(uint64_t{}, MTL::DataTypeULong);
  } else {
    throw std::invalid_argument("function constants of type " + typeName +
                                " are not supported from Python");
  }
}

air::Reflection reflect(Library& library, const std::string& name,
                        const MTL::FunctionConstantValues* constants) {
  NS::Error* error = nullptr;
  NS::Data* data = metalloid::reflection(library.mtl.get(), toString(name), constants, &error);
  if (!data)
    throw CompileFailed{describe(error)};
  return parseReflection(data);
}

const air::FunctionConstant& findConstant(const air::Reflection& reflection, nb::handle key) {
  bool byIndex = nb::isinstance<nb::int_>(key);
  std::string known;
  for (const air::FunctionConstant& constant : reflection.constants) {
    if (byIndex ? constant.index == nb::cast<uint32_t>(key)
                : constant.name == nb::cast<std::string>(nb::str(key)))
      return constant;
    known +=
        (known.empty() ? "" : ", ") + constant.name + " (" + std::to_string(constant.index) + ")";
  }
  throw std::invalid_argument(reflection.name + ": no function constant " +
                              nb::cast<std::string>(nb::str(key)) +
                              "; it has: " + (known.empty() ? "none" : known));
}

/// Values by name or index, converted to the types that the kernel's constants have.
NS::SharedPtr<MTL::FunctionConstantValues> constantValues(Library& library, const std::string& name,
                                                          const Constants& constants) {
  if (constants.empty())
    return {};
  air::Reflection reflection = reflect(library, name, nullptr);
  auto values = NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
  for (const auto& [key, value] : constants) {
    const air::FunctionConstant& constant = findConstant(reflection, key);
    withTyped(constant.typeName, value, [&](const void* bytes, MTL::DataType type) {
      values->setConstantValue(bytes, type, NS::UInteger(constant.index));
    });
  }
  return values;
}

MTL::Function* newFunction(Library& library, const std::string& name,
                           const MTL::FunctionConstantValues* constants) {
  NS::Error* error = nullptr;
  MTL::Function* function = constants ? library.mtl->newFunction(toString(name), constants, &error)
                                      : library.mtl->newFunction(toString(name));
  if (!function)
    throw CompileFailed{error ? describe(error) : "no function named " + name};
  return function;
}

Pipeline pipeline(Library& library, const std::string& name, const Constants& constants) {
  Pool pool;
  auto values = constantValues(library, name, constants);
  nb::gil_scoped_release release;
  auto function = NS::TransferPtr(newFunction(library, name, values.get()));
  NS::Error* error = nullptr;
  MTL::ComputePipelineState* state =
      library.device->newComputePipelineState(function.get(), &error);
  if (!state)
    throw CompileFailed{describe(error)};
  return {NS::TransferPtr(state), reflect(library, name, values.get())};
}

std::string emit(Library& library, const std::string& name, const std::string& stage,
                 Threads threads, const Constants& constants) {
  Pool pool;
  auto values = constantValues(library, name, constants);
  nb::gil_scoped_release release;
  NS::Error* error = nullptr;
  NS::String* text = metalloid::text(library.mtl.get(), toString(name), values.get(), stage.c_str(),
                                     MTL::Size(threads[0], threads[1], threads[2]), &error);
  if (!text)
    throw CompileFailed{describe(error)};
  return fromString(text);
}

/// (needs fibers, error text or ""): every function constant is zero or false.
std::pair<bool, std::string> tryCompile(Library& library, const std::string& name,
                                        uint64_t threads) {
  nb::gil_scoped_release release;
  Pool pool;
  bool fibers = false;
  NS::Error* error = nullptr;
  bool ok = metalloid::tryCompile(library.mtl.get(), toString(name), nullptr,
                                  MTL::Size(threads, 1, 1), &fibers, &error);
  return {fibers, ok ? "" : describe(error)};
}

nb::bytes writeArchive(const std::vector<std::pair<Library*, std::string>>& kernels) {
  Pool pool;
  std::vector<NS::SharedPtr<MTL::Function>> owned;
  std::vector<const NS::Object*> functions;
  for (const auto& [library, name] : kernels) {
    owned.push_back(NS::TransferPtr(newFunction(*library, name, nullptr)));
    functions.push_back(owned.back().get());
  }
  NS::Error* error = nullptr;
  NS::Data* data = metalloid::archive(NS::Array::array(functions.data(), functions.size()), &error);
  if (!data)
    raise(error);
  return nb::bytes(data->mutableBytes(), data->length());
}

} // namespace

void bindLibrary(nb::module_& module) {
  nb::class_<Pipeline>(module, "Pipeline")
      .def_ro("reflection", &Pipeline::reflection)
      .def_prop_ro("max_threads",
                   [](Pipeline& p) { return p.mtl->maxTotalThreadsPerThreadgroup(); })
      .def_prop_ro("execution_width", [](Pipeline& p) { return p.mtl->threadExecutionWidth(); })
      .def_prop_ro("static_threadgroup_bytes",
                   [](Pipeline& p) { return p.mtl->staticThreadgroupMemoryLength(); });

  nb::class_<Library>(module, "Library")
      .def_prop_ro("names", &names)
      .def("reflection",
           [](Library& library, const std::string& name) {
             Pool pool;
             return reflect(library, name, nullptr);
           })
      .def("pipeline", &pipeline, nb::arg("name"), nb::arg("constants"))
      .def("emit", &emit, nb::arg("name"), nb::arg("stage"), nb::arg("threads"),
           nb::arg("constants"));

  auto device = nb::borrow<nb::object>(module.attr("Device"));
  device.attr("compile") =
      nb::cpp_function(&compile, nb::name("compile"), nb::is_method(), nb::scope(device));
  device.attr("load") =
      nb::cpp_function(&load, nb::name("load"), nb::is_method(), nb::scope(device));
  module.def("try_compile", &tryCompile, nb::arg("library"), nb::arg("name"), nb::arg("threads"));
  module.def("write_archive", &writeArchive, nb::arg("kernels"));
}

} // namespace metalloid::python
