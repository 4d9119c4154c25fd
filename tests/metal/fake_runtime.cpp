// SPDX-License-Identifier: Apache-2.0
#include "fake_runtime.h"

#include <atomic>
#include <cstring>

#include "runtime/compiler_client.h"
#include "runtime/event.h"
#include "runtime/queue.h"

namespace metalloid::fake {
namespace {

std::atomic<int> memories = 0;

class HostMemory final : public runtime::Memory {
public:
  HostMemory(void* pointer, uint64_t length, std::function<void()> release)
      : pointer_(pointer), length_(length), release_(std::move(release)) {
    ++memories;
  }
  ~HostMemory() override {
    if (release_)
      release_();
    --memories;
  }
  void* contents() const override { return pointer_; }
  uint64_t length() const override { return length_; }
  uint64_t deviceAddress() const override { return reinterpret_cast<uint64_t>(pointer_); }

private:
  void* const pointer_;
  const uint64_t length_;
  const std::function<void()> release_;
};

class FakePipeline final : public runtime::Pipeline {
public:
  explicit FakePipeline(const Kernel& kernel) : kernel(kernel) {}
  const air::Reflection& reflection() const override { return kernel.reflection; }
  uint32_t maxTotalThreads() const override { return kernel.reflection.maxTotalThreads; }
  uint32_t staticThreadgroupBytes() const override {
    return kernel.reflection.staticThreadgroupBytes;
  }

  const Kernel kernel;
};

Expected<void> run(const runtime::Command& command) {
  if (auto* dispatch = std::get_if<runtime::Dispatch>(&command))
    return static_cast<FakePipeline&>(*dispatch->pipeline).kernel.run(*dispatch);
  auto address = [](const runtime::BoundBuffer& buffer) {
    return reinterpret_cast<char*>(buffer.memory->deviceAddress() + buffer.offset);
  };
  if (auto* copy = std::get_if<runtime::Copy>(&command))
    std::memmove(address(copy->destination), address(copy->source), copy->size);
  if (auto* fill = std::get_if<runtime::Fill>(&command))
    std::memset(address(fill->destination), fill->value, fill->size);
  return {};
}

class FakeDevice final : public runtime::Device {
public:
  const runtime::DeviceInfo& info() const override { return info_; }

  Expected<std::shared_ptr<runtime::Memory>> allocate(uint64_t length,
                                                      runtime::StorageMode) override {
    if (length > info_.memoryBytes)
      return fail(Error::Kind::OutOfMemory, "allocate: too much");
    void* pointer = std::calloc(length ? length : 1, 1);
    return std::make_shared<HostMemory>(pointer, length, [pointer] { std::free(pointer); });
  }

  Expected<std::shared_ptr<runtime::Memory>> wrap(void* pointer, uint64_t length,
                                                  std::function<void()> release) override {
    return std::make_shared<HostMemory>(pointer, length, std::move(release));
  }

  Expected<std::shared_ptr<runtime::Pipeline>>
  makePipeline(const runtime::Module&, const std::string& kernel,
               std::vector<air::ConstantValue>) override {
    return std::make_shared<FakePipeline>(kernels().at(kernel));
  }

  Expected<void> validate(const runtime::Dispatch& dispatch) override {
    for (const air::Argument& argument : dispatch.pipeline->reflection().arguments)
      if (std::holds_alternative<std::monostate>(dispatch.buffers[argument.location]))
        return fail(Error::Kind::InvalidArgument,
                    "dispatchThreads: kernel \"" + dispatch.pipeline->reflection().name +
                        "\" reads buffer " + std::to_string(argument.location) +
                        ", which is not bound");
    return {};
  }

  std::shared_ptr<runtime::Queue> makeQueue() override { return runtime::makeInOrderQueue(run); }
  std::shared_ptr<runtime::Event> makeEvent() override { return runtime::makeHostEvent(); }

private:
  const runtime::DeviceInfo info_ = {"Fake CPU", "cpu", 1u << 30, 32768, 1024};
};

} // namespace

std::map<std::string, Kernel>& kernels() {
  static std::map<std::string, Kernel> all;
  return all;
}

Kernel kernel(std::string name, int buffers,
              std::function<Expected<void>(const runtime::Dispatch&)> run) {
  Kernel kernel;
  kernel.reflection.name = std::move(name);
  for (int i = 0; i < buffers; ++i) {
    air::Argument argument;
    argument.parameter = uint32_t(i);
    argument.name = std::string(1, char('a' + i));
    argument.typeName = "float";
    argument.location = i;
    argument.access = air::Access::ReadWrite;
    argument.addressSpace = 1;
    argument.typeSize = argument.typeAlign = 4;
    kernel.reflection.arguments.push_back(argument);
  }
  kernel.run = std::move(run);
  return kernel;
}

int liveMemories() {
  return memories;
}

} // namespace metalloid::fake

namespace metalloid::runtime {

const std::vector<std::shared_ptr<Device>>& devices() {
  static const std::vector<std::shared_ptr<Device>> all = {std::make_shared<fake::FakeDevice>()};
  return all;
}

Expected<CompiledSource> compileSource(const msl::Source& source) {
  if (source.text.find("#error") != std::string::npos)
    return fail(Error::Kind::CompileFailed, "program_source:1:2: error: refused");
  CompiledSource compiled;
  for (const auto& [name, kernel] : fake::kernels())
    if (source.text.find(name) != std::string::npos)
      compiled.kernels.push_back(name);
  return compiled;
}

Expected<air::Reflection> describe(const Module&, const std::string& kernel) {
  return fake::kernels().at(kernel).reflection;
}

Expected<air::Reflection> specialise(const Module&, const std::string& kernel,
                                     std::span<const air::ConstantValue> constants) {
  const air::Reflection& reflection = fake::kernels().at(kernel).reflection;
  for (const air::ConstantValue& value : constants)
    for (const air::FunctionConstant& constant : reflection.constants)
      if (int32_t(constant.index) == value.index && constant.typeName != value.typeName)
        return fail(Error::Kind::InvalidArgument, "newFunction: function constant \"" +
                                                      constant.name + "\" is " + constant.typeName +
                                                      ", not " + value.typeName);
  return reflection;
}

} // namespace metalloid::runtime
