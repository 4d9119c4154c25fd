// SPDX-License-Identifier: Apache-2.0
// air::Reflection as Python objects.
#include "native.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "air/reflection.h"
#include "reflection.h"

namespace metalloid::python {
namespace {

using air::Argument;
using air::ArgumentKind;

const char* kindName(const Argument& argument) {
  switch (argument.kind) {
  case ArgumentKind::Buffer:
  case ArgumentKind::IndirectBuffer:
    return "buffer";
  case ArgumentKind::ThreadgroupMemory:
    return "threadgroup";
  case ArgumentKind::Texture:
    return "texture";
  case ArgumentKind::Sampler:
    return "sampler";
  case ArgumentKind::BuiltIn:
    break;
  }
  return "built_in";
}

const char* accessName(const Argument& argument) {
  switch (argument.access) {
  case air::Access::Read:
    return "read";
  case air::Access::Write:
    return "write";
  case air::Access::ReadWrite:
    break;
  }
  return "read_write";
}

/// How many components the author took of a built-in value: 2 for "uint2".
unsigned components(const Argument& argument) {
  char last = argument.typeName.empty() ? '1' : argument.typeName.back();
  return last >= '2' && last <= '4' ? unsigned(last - '0') : 1;
}

} // namespace

air::Reflection parseReflection(const NS::Data* data) {
  ByteView bytes(static_cast<const std::byte*>(data->mutableBytes()), data->length());
  auto parsed = air::Reflection::parse(bytes);
  if (!parsed)
    throw std::runtime_error("reflection: " + parsed.error().message);
  return std::move(*parsed);
}

void bindReflection(nb::module_& module) {
  nb::class_<Argument>(module, "Argument")
      .def_ro("parameter", &Argument::parameter)
      .def_prop_ro("kind", &kindName)
      .def_ro("built_in", &Argument::builtIn)
      .def_ro("name", &Argument::name)
      .def_ro("type_name", &Argument::typeName)
      .def_ro("location", &Argument::location)
      .def_prop_ro("access", &accessName)
      .def_ro("address_space", &Argument::addressSpace)
      .def_ro("buffer_size", &Argument::bufferSize)
      .def_ro("type_size", &Argument::typeSize)
      .def_prop_ro("used", [](const Argument& a) { return !a.unused; })
      .def_ro("active", &Argument::active)
      .def_prop_ro("components", &components);

  nb::class_<air::FunctionConstant>(module, "FunctionConstant")
      .def_ro("name", &air::FunctionConstant::name)
      .def_ro("type_name", &air::FunctionConstant::typeName)
      .def_ro("index", &air::FunctionConstant::index)
      .def_ro("required", &air::FunctionConstant::required);

  nb::class_<air::Reflection>(module, "Reflection")
      .def_ro("name", &air::Reflection::name)
      .def_ro("arguments", &air::Reflection::arguments)
      .def_ro("constants", &air::Reflection::constants)
      .def_ro("max_total_threads", &air::Reflection::maxTotalThreads)
      .def_ro("static_threadgroup_bytes", &air::Reflection::staticThreadgroupBytes)
      .def_ro("fast_math", &air::Reflection::fastMath)
      .def_ro("language_version", &air::Reflection::languageVersion)
      .def_ro("air_version", &air::Reflection::airVersion);
}

} // namespace metalloid::python
