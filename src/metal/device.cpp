// SPDX-License-Identifier: Apache-2.0
#include "metal/device.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include "metal/command_queue.h"
#include "metal/event.h"
#include "metal/foundation/array.h"
#include "metal/foundation/string.h"
#include "runtime/queue.h"

namespace metalloid::metal {
namespace {

class ArchitectureObject final : public ImmutableObject {
public:
  using Handle = MTL::Architecture;

  explicit ArchitectureObject(std::string_view name) : name(makeString(name)) {}
  std::string description() const override { return std::string(textOf(name.get())); }

  const NS::SharedPtr<NS::String> name;
};

/// Programs take a generation and a class of GPU from the end of the name.
constexpr const char* architectureName = "metalloid_g15s";

/// The devices of this machine, the default one first.
const std::vector<DeviceObject*>& allDevices() {
  static const auto& all = *new std::vector<DeviceObject*>([] {
    std::vector<DeviceObject*> objects;
    for (const std::shared_ptr<runtime::Device>& device : runtime::devices())
      objects.push_back(new DeviceObject(device));
    return objects;
  }());
  return all;
}

/// The device that METALLOID_DEVICE names, else the first. Null, and a message, where it names
/// none.
DeviceObject* defaultDevice() {
  const std::vector<DeviceObject*>& all = allDevices();
  const char* wanted = std::getenv("METALLOID_DEVICE");
  if (!wanted || !*wanted)
    return all.empty() ? nullptr : all.front();
  auto isWanted = [&](DeviceObject* device) { return device->runtime.info().kind == wanted; };
  auto found = std::find_if(all.begin(), all.end(), isWanted);
  if (found != all.end())
    return *found;
  std::string kinds;
  for (DeviceObject* device : all)
    kinds += " " + device->runtime.info().kind;
  std::fprintf(stderr, "metalloid: METALLOID_DEVICE is \"%s\"; the devices are:%s\n", wanted,
               kinds.c_str());
  return nullptr;
}

} // namespace

DeviceObject::DeviceObject(std::shared_ptr<runtime::Device> device)
    : runtime(*device), name(makeString(device->info().name)),
      architecture(NS::TransferPtr(make<ArchitectureObject>(architectureName))),
      owner_(std::move(device)) {}

} // namespace metalloid::metal

using namespace metalloid::metal;

namespace MTL {

Device* CreateSystemDefaultDevice() {
  DeviceObject* device = defaultDevice();
  return device ? handleOf(device)->retain() : nullptr;
}

NS::Array* CopyAllDevices() {
  ObjectList devices;
  for (DeviceObject* device : allDevices())
    devices.push_back(NS::RetainPtr<NS::Object>(handleOf(device)));
  return make<ArrayObject>(std::move(devices));
}

NS::String* Architecture::name() const {
  return as<ArchitectureObject>(this)->name.get();
}

Architecture* Device::architecture() const {
  return as<DeviceObject>(this)->architecture.get();
}

NS::UInteger Device::currentAllocatedSize() const {
  return as<DeviceObject>(this)->allocatedBytes;
}

bool Device::hasUnifiedMemory() const {
  return as<DeviceObject>(this)->runtime.info().kind == "cpu";
}

bool Device::isHeadless() const {
  return true;
}

bool Device::isLowPower() const {
  return false;
}

bool Device::isRemovable() const {
  return false;
}

DeviceLocation Device::location() const {
  return hasUnifiedMemory() ? DeviceLocationBuiltIn : DeviceLocationSlot;
}

NS::UInteger Device::locationNumber() const {
  return 0;
}

NS::UInteger Device::maxBufferLength() const {
  return as<DeviceObject>(this)->runtime.info().memoryBytes;
}

NS::UInteger Device::maxThreadgroupMemoryLength() const {
  return as<DeviceObject>(this)->runtime.info().maxThreadgroupMemory;
}

Size Device::maxThreadsPerThreadgroup() const {
  const NS::UInteger most = as<DeviceObject>(this)->runtime.info().maxThreadsPerThreadgroup;
  return Size(most, most, most);
}

NS::UInteger Device::maximumConcurrentCompilationTaskCount() const {
  return std::max(1u, std::thread::hardware_concurrency());
}

NS::String* Device::name() const {
  return as<DeviceObject>(this)->name.get();
}

uint64_t Device::recommendedMaxWorkingSetSize() const {
  return maxBufferLength() / 4 * 3;
}

uint64_t Device::registryID() const {
  const metalloid::runtime::DeviceInfo& info = as<DeviceObject>(this)->runtime.info();
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a
  for (char c : info.kind + "\n" + info.name)
    hash = (hash ^ uint8_t(c)) * 0x100000001b3;
  return hash;
}

void Device::sampleTimestamps(Timestamp* cpuTimestamp, Timestamp* gpuTimestamp) {
  *cpuTimestamp = *gpuTimestamp = Timestamp(metalloid::runtime::now() * 1e9);
}

bool Device::supportsFamily(GPUFamily gpuFamily) {
  // Apple7 brought the last of the SIMD-group functions; Metal3 stands for residency sets too.
  return (gpuFamily >= GPUFamilyApple1 && gpuFamily <= GPUFamilyApple7) ||
         (gpuFamily >= GPUFamilyCommon1 && gpuFamily <= GPUFamilyCommon3) ||
         gpuFamily == GPUFamilyMac1 || gpuFamily == GPUFamilyMac2;
}

CommandQueue* Device::newCommandQueue() {
  return make<CommandQueueObject>(*as<DeviceObject>(this));
}

CommandQueue* Device::newCommandQueue(NS::UInteger) {
  return newCommandQueue();
}

CommandQueue* Device::newCommandQueue(const CommandQueueDescriptor*) {
  return newCommandQueue();
}

Event* Device::newEvent() {
  return make<EventObject>(*as<DeviceObject>(this));
}

SharedEvent* Device::newSharedEvent() {
  return make<SharedEventObject>(*as<DeviceObject>(this));
}

SharedEvent* Device::newSharedEvent(const SharedEventHandle* sharedEventHandle) {
  return sharedEventHandle ? eventOfHandle(sharedEventHandle)->retain() : nullptr;
}

Fence* Device::newFence() {
  return make<FenceObject>(*as<DeviceObject>(this));
}

} // namespace MTL
