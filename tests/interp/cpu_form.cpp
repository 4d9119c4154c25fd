// SPDX-License-Identifier: Apache-2.0
#include "cpu_form.h"

#include "air/prepare.h"
#include "cpu/compile.h"
#include "runtime/cpu_memory.h"
#include "runtime/cpu_pipeline.h"
#include "runtime/grid.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;

namespace metalloid::test {
namespace {

constexpr CpuForm Forms[] = {
    {"fibers, 16 lanes", true, 16, false},
    {"regions, 4 lanes", false, 4, false},
    {"regions, 8 lanes, fixed size", false, 8, true},
    {"regions, 16 lanes", false, 16, true},
};

/// An object that ORC linked.
class LinkedImage final : public runtime::Image {
public:
  LinkedImage(std::unique_ptr<orc::LLJIT> linker, cpu::Entry entry, const cpu::Traits& traits,
              air::Reflection reflection)
      : linker_(std::move(linker)), entry_(entry), traits_(traits),
        reflection_(std::move(reflection)) {}

  cpu::Entry entry() const override { return entry_; }
  const cpu::Traits& traits() const override { return traits_; }
  const air::Reflection& reflection() const override { return reflection_; }
  /// Any address: a fault is the kernel's.
  ByteView code() const override { return {reinterpret_cast<const std::byte*>(1), SIZE_MAX - 1}; }

private:
  std::unique_ptr<orc::LLJIT> linker_;
  cpu::Entry entry_;
  cpu::Traits traits_;
  air::Reflection reflection_;
};

llvm::Expected<std::shared_ptr<runtime::Image>> link(cpu::Compiled compiled,
                                                     air::Reflection reflection) {
  auto linker = orc::LLJITBuilder().create();
  if (!linker)
    return linker.takeError();
  StringRef object(compiled.object.data(), compiled.object.size());
  if (llvm::Error error =
          (*linker)->addObjectFile(MemoryBuffer::getMemBufferCopy(object, "kernel")))
    return std::move(error);
  auto entry = (*linker)->lookup("kernel");
  if (!entry)
    return entry.takeError();
  return std::make_shared<LinkedImage>(std::move(*linker), entry->toPtr<cpu::Entry>(),
                                       compiled.traits, std::move(reflection));
}

llvm::Error asLlvm(const metalloid::Error& error) {
  return createStringError(error.message);
}

} // namespace

ArrayRef<CpuForm> cpuForms() {
  return Forms;
}

void initialiseCpuForms() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
}

struct CompiledForm::State {
  std::shared_ptr<runtime::CpuPipeline> pipeline;
  bool fellBack = false;
};

CompiledForm::CompiledForm(std::unique_ptr<State> state) : state_(std::move(state)) {}
CompiledForm::CompiledForm(CompiledForm&&) noexcept = default;
CompiledForm::~CompiledForm() = default;
bool CompiledForm::fellBack() const {
  return state_->fellBack;
}

llvm::Expected<CompiledForm> CompiledForm::make(ByteView bitcode, const std::string& kernel,
                                                const CpuForm& form,
                                                uint32_t threadsPerThreadgroup) {
  LLVMContext context;
  auto prepared = air::prepare(context, bitcode, kernel, {});
  if (!prepared)
    return prepared.takeError();
  air::Reflection reflection = prepared->reflection;
  cpu::Options options;
  options.barriers = form.fibers ? cpu::BarrierMode::Fibers : cpu::BarrierMode::Automatic;
  options.chunk = form.chunk;
  // A grid whose last threadgroup is cut short asks for other sizes too, so that a fixed size is
  // fixed only along the axes of extent 1.
  if (form.fixedSize)
    options.threads = {0, 1, 1};
  auto compiled = cpu::compile(std::move(*prepared), options);
  if (!compiled)
    return compiled.takeError();
  auto state = std::make_unique<State>();
  state->fellBack = compiled->fellBack;
  auto image = link(std::move(*compiled), reflection);
  if (!image)
    return image.takeError();
  state->pipeline = std::make_shared<runtime::CpuPipeline>(
      std::move(reflection), [image = *image](const runtime::Size3&) { return image; });
  return CompiledForm(std::move(state));
}

llvm::Error CompiledForm::run(std::span<const std::span<std::byte>> buffers, uint32_t threads,
                              uint32_t threadsPerThreadgroup) {
  runtime::Dispatch dispatch;
  dispatch.pipeline = state_->pipeline;
  dispatch.threads = {threads, 1, 1};
  dispatch.threadsPerThreadgroup = {threadsPerThreadgroup, 1, 1};
  for (std::span<std::byte> buffer : buffers)
    dispatch.buffers.push_back(
        runtime::BoundBuffer{runtime::wrapCpuMemory(buffer.data(), buffer.size(), nullptr), 0});
  if (auto ran = runtime::executeDispatch(dispatch); !ran)
    return asLlvm(ran.error());
  return llvm::Error::success();
}

} // namespace metalloid::test
