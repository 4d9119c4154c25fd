// SPDX-License-Identifier: Apache-2.0
// Kernels written in C++ against cpu/launch.h, so that the run time is tested without a compiler.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/cpu_memory.h"
#include "runtime/cpu_pipeline.h"
#include "runtime/grid.h"

namespace metalloid::runtime {

class NativeImage : public Image {
public:
  NativeImage(cpu::Entry entry, cpu::Traits traits) : entry_(entry), traits_(traits) {}
  cpu::Entry entry() const override { return entry_; }
  const cpu::Traits& traits() const override { return traits_; }
  const air::Reflection& reflection() const override { return reflection_; }
  /// Everything: the tests' kernels lie somewhere in the test program.
  ByteView code() const override { return {reinterpret_cast<const std::byte*>(1), SIZE_MAX - 1}; }

private:
  cpu::Entry entry_;
  cpu::Traits traits_;
  air::Reflection reflection_;
};

inline air::Argument bufferArgument(uint32_t parameter, std::string name) {
  air::Argument argument;
  argument.parameter = parameter;
  argument.name = std::move(name);
  argument.location = static_cast<int32_t>(parameter);
  argument.typeName = "uint";
  argument.typeSize = argument.typeAlign = 4;
  return argument;
}

/// A pipeline of `entry` with `buffers` buffer arguments.
inline std::shared_ptr<CpuPipeline> nativePipeline(cpu::Entry entry, unsigned buffers,
                                                   cpu::Traits traits = {}) {
  air::Reflection reflection;
  reflection.name = "native";
  for (unsigned i = 0; i < buffers; ++i)
    reflection.arguments.push_back(bufferArgument(i, "buffer" + std::to_string(i)));
  return std::make_shared<CpuPipeline>(
      std::move(reflection), [=](const Size3& threads) -> Expected<std::shared_ptr<const Image>> {
        cpu::Traits own = traits;
        std::copy(threads.begin(), threads.end(), own.fixedThreads);
        return std::make_shared<NativeImage>(entry, own);
      });
}

inline std::shared_ptr<Memory> memoryOf(std::vector<uint32_t>& values) {
  return wrapCpuMemory(values.data(), values.size() * sizeof(uint32_t), nullptr);
}

inline Dispatch dispatchOf(std::shared_ptr<Pipeline> pipeline, Extent threads, Size3 threadgroup,
                           std::vector<std::shared_ptr<Memory>> buffers = {}) {
  Dispatch dispatch;
  dispatch.pipeline = std::move(pipeline);
  dispatch.threads = threads;
  dispatch.threadsPerThreadgroup = threadgroup;
  for (auto& memory : buffers)
    dispatch.buffers.push_back(BoundBuffer{std::move(memory), 0});
  return dispatch;
}

/// Calls body(x, y, z) for each thread of threadgroup `index` of the box.
template <typename Body>
void forEachThread(const cpu::Launch* launch, uint64_t index, const Body& body) {
  uint64_t columns = launch->boxThreadgroups[0], rows = launch->boxThreadgroups[1];
  uint64_t group[3] = {index % columns, index / columns % rows, index / columns / rows};
  uint32_t origin[3];
  for (int axis = 0; axis < 3; ++axis)
    origin[axis] = static_cast<uint32_t>(launch->firstThreadgroup[axis] + group[axis]) *
                   launch->dispatchThreadsPerThreadgroup[axis];
  for (uint32_t z = 0; z < launch->threadsPerThreadgroup[2]; ++z)
    for (uint32_t y = 0; y < launch->threadsPerThreadgroup[1]; ++y)
      for (uint32_t x = 0; x < launch->threadsPerThreadgroup[0]; ++x)
        body(origin[0] + x, origin[1] + y, origin[2] + z);
}

} // namespace metalloid::runtime
