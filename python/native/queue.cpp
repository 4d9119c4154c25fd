// SPDX-License-Identifier: Apache-2.0
// Running pipelines: one command buffer a call.
#include "native.h"

#include <array>
#include <stdexcept>

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "pipeline.h"

namespace metalloid::python {
namespace {

using Extent = std::array<uint64_t, 3>;
using Times = std::pair<double, double>;

MTL::Size toSize(const Extent& extent) {
  return MTL::Size(extent[0], extent[1], extent[2]);
}

/// Binds None (nothing), Buffer, (Buffer, offset) or bytes to [[buffer(index)]].
void bind(MTL::ComputeCommandEncoder* encoder, nb::handle value, NS::UInteger index) {
  if (value.is_none())
    return;
  if (nb::isinstance<Buffer>(value)) {
    encoder->setBuffer(nb::cast<Buffer&>(value).mtl.get(), 0, index);
  } else if (nb::isinstance<nb::bytes>(value)) {
    auto bytes = nb::cast<nb::bytes>(value);
    encoder->setBytes(bytes.c_str(), bytes.size(), index);
  } else if (nb::isinstance<nb::tuple>(value)) {
    auto pair = nb::cast<nb::tuple>(value);
    encoder->setBuffer(nb::cast<Buffer&>(pair[0]).mtl.get(), nb::cast<uint64_t>(pair[1]), index);
  } else {
    throw nb::type_error("buffers: each is None, a Buffer, (Buffer, offset) or bytes");
  }
}

/// Commits; waits where asked to, without the GIL; a device error becomes an exception.
Times finish(MTL::CommandBuffer* commands, bool wait) {
  nb::gil_scoped_release release;
  commands->commit();
  if (!wait)
    return {0, 0};
  commands->waitUntilCompleted();
  if (commands->status() == MTL::CommandBufferStatusError)
    throw std::runtime_error(describe(commands->error()));
  return {commands->GPUStartTime(), commands->GPUEndTime()};
}

Times run(Queue& queue, Pipeline& pipeline, nb::list buffers,
          const std::vector<uint64_t>& threadgroupLengths, const Extent& threads,
          const Extent& threadgroup, bool wait) {
  Pool pool;
  MTL::CommandBuffer* commands = queue.mtl->commandBuffer();
  MTL::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
  encoder->setComputePipelineState(pipeline.mtl.get());
  NS::UInteger index = 0;
  for (nb::handle value : buffers)
    bind(encoder, value, index++);
  for (NS::UInteger i = 0; i < threadgroupLengths.size(); ++i)
    if (threadgroupLengths[i])
      encoder->setThreadgroupMemoryLength(threadgroupLengths[i], i);
  {
    nb::gil_scoped_release release; // may compile for this threadgroup size
    encoder->dispatchThreads(toSize(threads), toSize(threadgroup));
  }
  encoder->endEncoding();
  return finish(commands, wait);
}

void copy(Queue& queue, Buffer& source, uint64_t sourceOffset, Buffer& destination,
          uint64_t destinationOffset, uint64_t size, bool wait) {
  if (size == 0)
    return;
  Pool pool;
  MTL::CommandBuffer* commands = queue.mtl->commandBuffer();
  MTL::BlitCommandEncoder* encoder = commands->blitCommandEncoder();
  encoder->copyFromBuffer(source.mtl.get(), sourceOffset, destination.mtl.get(), destinationOffset,
                          size);
  encoder->endEncoding();
  finish(commands, wait);
}

} // namespace

void bindQueue(nb::module_& module) {
  nb::class_<Queue>(module, "Queue")
      .def("run", &run, nb::arg("pipeline"), nb::arg("buffers"), nb::arg("threadgroup_lengths"),
           nb::arg("threads"), nb::arg("threadgroup"), nb::arg("wait"))
      .def("copy", &copy, nb::arg("source"), nb::arg("source_offset"), nb::arg("destination"),
           nb::arg("destination_offset"), nb::arg("size"), nb::arg("wait"));
}

} // namespace metalloid::python
