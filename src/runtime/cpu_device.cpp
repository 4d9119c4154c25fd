// SPDX-License-Identifier: Apache-2.0
// The CPU as a device, and the list of devices.
#include "runtime/device.h"

#include <cstring>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "runtime/cpu_memory.h"
#include "runtime/cpu_pipeline.h"
#include "runtime/event.h"
#include "runtime/grid.h"
#include "runtime/queue.h"
#include "runtime/target.h"
#include "runtime/validate.h"

namespace metalloid::runtime {

namespace {

uint64_t physicalMemory() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

/// The bytes [offset, offset + size) of a buffer.
Expected<std::byte*> bytesOf(const BoundBuffer& buffer, uint64_t size, const char* operation) {
  uint64_t length = buffer.memory->length();
  if (buffer.offset > length || size > length - buffer.offset)
    return fail(Error::Kind::InvalidArgument,
                fmt::format("{}: {} bytes at offset {} lie beyond the {} bytes of the buffer",
                            operation, size, buffer.offset, length));
  return reinterpret_cast<std::byte*>(buffer.memory->deviceAddress()) + buffer.offset;
}

Expected<void> run(const Copy& copy) {
  auto source = bytesOf(copy.source, copy.size, "copy from buffer");
  auto destination = bytesOf(copy.destination, copy.size, "copy to buffer");
  if (!source || !destination)
    return tl::unexpected(source ? destination.error() : source.error());
  std::memmove(*destination, *source, copy.size);
  return {};
}

Expected<void> run(const Fill& fill) {
  auto destination = bytesOf(fill.destination, fill.size, "fill buffer");
  if (!destination)
    return tl::unexpected(destination.error());
  std::memset(*destination, fill.value, fill.size);
  return {};
}

Expected<void> run(const Dispatch& dispatch) {
  // The grid of an indirect dispatch is known only now.
  if (auto valid = validateDispatch(dispatch); !valid)
    return valid;
  return executeDispatch(dispatch);
}

Expected<void> runCommand(const Command& command) {
  if (const auto* dispatch = std::get_if<Dispatch>(&command))
    return run(*dispatch);
  if (const auto* copy = std::get_if<Copy>(&command))
    return run(*copy);
  return run(std::get<Fill>(command));
}

class CpuDevice : public Device {
public:
  CpuDevice() : info_{.name = hostName(), .kind = "cpu", .memoryBytes = physicalMemory()} {}

  const DeviceInfo& info() const override { return info_; }

  Expected<std::shared_ptr<Memory>> allocate(uint64_t length, StorageMode mode) override {
    return allocateCpuMemory(length, mode);
  }

  Expected<std::shared_ptr<Memory>> wrap(void* pointer, uint64_t length,
                                         std::function<void()> release) override {
    if (!pointer && length)
      return fail(Error::Kind::InvalidArgument,
                  fmt::format("newBuffer: a null pointer with a length of {} bytes", length));
    return wrapCpuMemory(pointer, length, std::move(release));
  }

  Expected<std::shared_ptr<Pipeline>>
  makePipeline(const Module& module, const std::string& kernel,
               std::vector<air::ConstantValue> constants) override {
    auto reflection = specialise(module, kernel, constants);
    if (!reflection)
      return tl::unexpected(reflection.error());
    auto source = [request = ImageRequest{module, kernel, std::move(constants)}](
                      const Size3& threads) mutable {
      request.threads = threads;
      return loadImage(request);
    };
    return std::make_shared<CpuPipeline>(std::move(*reflection), std::move(source));
  }

  Expected<void> validate(const Dispatch& dispatch) override {
    if (auto valid = validateDispatch(dispatch); !valid)
      return valid;
    return static_cast<CpuPipeline&>(*dispatch.pipeline).makeImages(dispatch);
  }

  std::shared_ptr<Queue> makeQueue() override { return makeInOrderQueue(runCommand); }
  std::shared_ptr<Event> makeEvent() override { return makeHostEvent(); }

private:
  DeviceInfo info_;
};

} // namespace

const std::vector<std::shared_ptr<Device>>& devices() {
  // Never destroyed: queues may outlive the statics of the program.
  static const auto* all = new std::vector<std::shared_ptr<Device>>{std::make_shared<CpuDevice>()};
  return *all;
}

} // namespace metalloid::runtime
