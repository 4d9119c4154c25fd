// SPDX-License-Identifier: Apache-2.0
// Devices and their memory.
#include "native.h"

#include <sstream>
#include <stdexcept>

#include <metalloid/Tools.hpp>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace metalloid::python {
namespace {

std::vector<std::string> deviceNames() {
  Pool pool;
  auto devices = NS::TransferPtr(MTL::CopyAllDevices());
  std::vector<std::string> names;
  for (NS::UInteger i = 0; i < devices->count(); ++i)
    names.push_back(fromString(devices->object<MTL::Device>(i)->name()));
  return names;
}

Device openDevice(size_t index) {
  Pool pool;
  auto devices = NS::TransferPtr(MTL::CopyAllDevices());
  if (index >= devices->count())
    throw std::runtime_error("Device: index " + std::to_string(index) + " of " +
                             std::to_string(devices->count()) + " devices");
  return {NS::RetainPtr(devices->object<MTL::Device>(index))};
}

/// Metal keeps the storage mode in bits 4 to 7 of the resource options.
MTL::ResourceOptions options(int storage) {
  return MTL::ResourceOptions(storage) << 4;
}

Buffer newBuffer(Device& device, uint64_t length, int storage) {
  Pool pool;
  MTL::Buffer* buffer = device.mtl->newBuffer(length, options(storage));
  if (!buffer)
    throw std::runtime_error("Failed to allocate Metal buffer: " + std::to_string(length) +
                             " bytes");
  return {NS::TransferPtr(buffer)};
}

/// The memory at `address` used in place; `owner` lives until the last user is gone.
Buffer wrap(Device& device, uint64_t address, uint64_t length, nb::object owner) {
  Pool pool;
  PyObject* held = owner.release().ptr();
  auto drop = [held](void*, NS::UInteger) {
    nb::gil_scoped_acquire gil;
    Py_DECREF(held);
  };
  MTL::Buffer* buffer = device.mtl->newBuffer(reinterpret_cast<void*>(address), length,
                                              MTL::ResourceStorageModeShared, drop);
  if (!buffer)
    throw std::runtime_error("Failed to wrap " + std::to_string(length) + " bytes of memory");
  return {NS::TransferPtr(buffer)};
}

int getBuffer(PyObject* self, Py_buffer* view, int flags) {
  MTL::Buffer* buffer = nb::inst_ptr<Buffer>(nb::handle(self))->mtl.get();
  void* contents = buffer->contents();
  if (!contents && buffer->length()) {
    PyErr_SetString(PyExc_BufferError, "private memory cannot be read by the host");
    return -1;
  }
  return PyBuffer_FillInfo(view, self, contents, static_cast<Py_ssize_t>(buffer->length()),
                           /*readonly=*/0, flags);
}

PyType_Slot bufferSlots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(getBuffer)}, {0, nullptr}};

std::vector<std::pair<std::string, std::string>> environmentPairs() {
  Pool pool;
  std::istringstream lines(fromString(metalloid::environment()));
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::string line; std::getline(lines, line);) {
    size_t colon = line.find(": ");
    if (colon != std::string::npos)
      pairs.emplace_back(line.substr(0, colon), line.substr(colon + 2));
  }
  return pairs;
}

std::tuple<std::string, uint64_t, uint64_t, uint64_t> cacheNumbers() {
  Pool pool;
  CacheInfo info = metalloid::cacheInfo();
  return {fromString(info.folder), info.entries, info.size, info.limit};
}

} // namespace

void bindDevice(nb::module_& module) {
  nb::class_<Buffer>(module, "Buffer", nb::type_slots(bufferSlots))
      .def_prop_ro("length", [](Buffer& b) { return b.mtl->length(); })
      .def_prop_ro("data_ptr", [](Buffer& b) { return uintptr_t(b.mtl->contents()); })
      .def_prop_ro("mtl_ptr", [](Buffer& b) { return uintptr_t(b.mtl.get()); })
      .def_prop_ro("storage", [](Buffer& b) { return int(b.mtl->storageMode()); });

  nb::class_<Device>(module, "Device")
      .def("__init__", [](Device* self, size_t index) { new (self) Device(openDevice(index)); })
      .def_prop_ro("name",
                   [](Device& d) {
                     Pool pool;
                     return fromString(d.mtl->name());
                   })
      .def_prop_ro("mtl_ptr", [](Device& d) { return uintptr_t(d.mtl.get()); })
      .def_prop_ro("max_threads_per_threadgroup",
                   [](Device& d) { return d.mtl->maxThreadsPerThreadgroup().width; })
      .def_prop_ro("max_threadgroup_memory",
                   [](Device& d) { return d.mtl->maxThreadgroupMemoryLength(); })
      .def("buffer", &newBuffer, nb::arg("length"), nb::arg("storage"))
      .def("wrap", &wrap, nb::arg("address"), nb::arg("length"), nb::arg("owner"))
      .def("queue", [](Device& d) {
        Pool pool;
        return Queue{NS::TransferPtr(d.mtl->newCommandQueue())};
      });

  module.def("device_names", &deviceNames);
  module.def("environment", &environmentPairs);
  module.def("cache_info", &cacheNumbers);
  module.def("clear_cache", [] { return metalloid::clearCache(); });
}

} // namespace metalloid::python
