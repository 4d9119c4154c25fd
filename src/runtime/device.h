// SPDX-License-Identifier: Apache-2.0
// What a device must offer so that the Metal API can stand on it. The CPU implements it in
// cpu_device.cpp; a GPU implements the same without the API above knowing which it is.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "air/reflection.h"
#include "runtime/compiler_client.h"
#include "support/error.h"

namespace metalloid::runtime {

using Extent = std::array<uint64_t, 3>;

/// Memory of a device. Shared memory is readable and writable at contents() while nothing on the
/// device writes it; private memory has no contents().
class Memory {
public:
  virtual ~Memory() = default;
  virtual void* contents() const = 0;
  virtual uint64_t length() const = 0;
  virtual uint64_t deviceAddress() const = 0;
};

enum class StorageMode : uint8_t { Shared, Managed, Private };

/// A kernel with its constants given. Images for particular threadgroup sizes are made on demand.
class Pipeline {
public:
  virtual ~Pipeline() = default;
  virtual const air::Reflection& reflection() const = 0;
  virtual uint32_t maxTotalThreads() const = 0;
  virtual uint32_t staticThreadgroupBytes() const = 0;
};

/// What one argument slot of a dispatch holds.
struct BoundBuffer {
  std::shared_ptr<Memory> memory;
  uint64_t offset = 0;
};
struct BoundBytes {
  std::shared_ptr<const Bytes> bytes; ///< setBytes: a copy, aligned to 16.
};
using BoundArgument = std::variant<std::monostate, BoundBuffer, BoundBytes>;

struct Dispatch {
  std::shared_ptr<Pipeline> pipeline;
  std::vector<BoundArgument> buffers;       ///< By [[buffer(n)]].
  std::vector<uint64_t> threadgroupLengths; ///< By [[threadgroup(n)]], bytes.
  Extent threads = {0, 0, 0};               ///< Threads in the whole grid.
  /// Where given, the grid is three uint32_t, threadgroups, read when the dispatch runs.
  std::optional<BoundBuffer> indirectThreadgroups;
  std::array<uint32_t, 3> threadsPerThreadgroup = {1, 1, 1};
};
struct Copy {
  BoundBuffer source, destination;
  uint64_t size = 0;
};
struct Fill {
  BoundBuffer destination;
  uint64_t size = 0;
  uint8_t value = 0;
};
/// 64-bit counter of MTL::Event and MTL::SharedEvent.
class Event {
public:
  virtual ~Event() = default;
  virtual uint64_t value() const = 0;
  virtual void signal(uint64_t value) = 0;
  /// False after `timeoutMilliseconds` (UINT64_MAX: wait for ever).
  virtual bool wait(uint64_t value, uint64_t timeoutMilliseconds) = 0;
};
struct WaitEvent {
  std::shared_ptr<Event> event;
  uint64_t value = 0;
};
struct SignalEvent {
  std::shared_ptr<Event> event;
  uint64_t value = 0;
};
/// Everything encoded before is finished before anything encoded after begins.
struct Barrier {};

using Command = std::variant<Dispatch, Copy, Fill, WaitEvent, SignalEvent, Barrier>;

/// A command buffer's work, in encoding order, with what it keeps alive.
struct CommandList {
  std::vector<Command> commands;
  std::vector<std::shared_ptr<void>> retained;
};

/// How a command list ended.
struct Completion {
  bool failed = false;
  Error error;          ///< Where failed.
  double startTime = 0; ///< Seconds, the clock of MTL::CommandBuffer::GPUStartTime.
  double endTime = 0;
};

/// An in-order queue with a life of its own: submit returns at once; lists of one queue run in
/// order, queues run side by side; `completed` is called in order, on the thread that ran the list
/// (not inside submit, unless no thread can be had), with no lock held, and must not wait for the
/// queue. A failed list does not stop later ones.
class Queue {
public:
  virtual ~Queue() = default;
  virtual void submit(std::unique_ptr<CommandList> list,
                      std::function<void(const Completion&)> completed) = 0;
  /// Hint that the caller is about to wait: an idle CPU queue runs the work on this thread.
  virtual void help() = 0;
};

struct DeviceInfo {
  std::string name; ///< "AMD EPYC … (AVX-512)"
  std::string kind; ///< "cpu", later "cuda:0"
  uint64_t memoryBytes = 0;
  uint32_t maxThreadgroupMemory = 32768;
  uint32_t maxThreadsPerThreadgroup = 1024;
};

class Device {
public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  /// Zeroed memory, aligned to 64 bytes (pages where larger). Length 0 is valid.
  virtual Expected<std::shared_ptr<Memory>> allocate(uint64_t length, StorageMode mode) = 0;
  /// The caller's memory, not copied; `release` is called when the last user is gone.
  virtual Expected<std::shared_ptr<Memory>> wrap(void* pointer, uint64_t length,
                                                 std::function<void()> release) = 0;
  virtual Expected<std::shared_ptr<Pipeline>>
  makePipeline(const Module& module, const std::string& kernel,
               std::vector<air::ConstantValue> constants) = 0;
  /// Checks a dispatch against reflection and limits (unbound or short buffers, sizes, memory) and
  /// makes its images ready; the encoder calls it, so that the error names the call.
  virtual Expected<void> validate(const Dispatch& dispatch) = 0;
  virtual std::shared_ptr<Queue> makeQueue() = 0;
  virtual std::shared_ptr<Event> makeEvent() = 0;
};

/// Devices of this machine in the order of MTL::CopyAllDevices; the first is the default.
const std::vector<std::shared_ptr<Device>>& devices();

} // namespace metalloid::runtime
