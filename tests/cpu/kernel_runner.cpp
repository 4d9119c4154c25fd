// SPDX-License-Identifier: Apache-2.0
#include "kernel_runner.h"

#include <stdexcept>

#include "llvm/AsmParser/Parser.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

namespace metalloid::cpu::test {

namespace {

using ThreadFunction = void (*)(const Launch*, Worker*, uint32_t, void*, uint32_t, uint32_t,
                                uint32_t, void*, void*, uint32_t);
using SimdFunction = void (*)(const Launch*, Worker*, uint32_t, void*, uint32_t, uint32_t, uint32_t,
                              void*, void*, uint32_t, uint32_t live);

const char* const declarations = R"(
declare i32 @cpu.lane() #0
declare i32 @cpu.thread.index() #0
declare i32 @cpu.thread.x() #0
declare i32 @cpu.thread.y() #0
declare i32 @cpu.thread.z() #0
declare i32 @cpu.group.x() #0
declare i32 @cpu.group.y() #0
declare i32 @cpu.group.z() #0
declare i32 @cpu.grid.x() #0
declare i32 @cpu.grid.y() #0
declare i32 @cpu.grid.z() #0
declare void @cpu.barrier(i32) convergent nounwind
attributes #0 = { nounwind willreturn memory(none) }
)";

[[noreturn]] void giveUp(const std::string& what) {
  throw std::runtime_error(what);
}

std::unique_ptr<Module> parse(const Kernel& kernel, LLVMContext& context) {
  std::string text = declarations + kernel.globals +
                     "\ndefine void @k(ptr %launch, ptr %worker, i32 %simdgroup, ptr %memory, "
                     "i32 %gx, i32 %gy, i32 %gz, ptr %in, ptr %out, i32 %n) {\n" +
                     kernel.body + "\n}\n";
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseAssemblyString(text, problem, context);
  if (!module) {
    std::string message;
    raw_string_ostream stream(message);
    problem.print("test kernel", stream);
    giveUp(message);
  }
  return module;
}

void check(Module& module) {
  std::string message;
  raw_string_ostream stream(message);
  if (verifyModule(module, &stream))
    giveUp(message);
}

void runPasses(Module& module, TargetMachine* machine, StringRef pipeline) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager passes;
  cantFail(builder.parsePassPipeline(passes, pipeline));
  passes.run(module, modules);
}

/// Enough to make use of what the code promises (poison, flags, dead code) in little time.
void optimise(Module& module, TargetMachine* machine) {
  runPasses(
      module, machine,
      "function(sroa,early-cse,instcombine<no-verify-fixpoint>,simplifycfg,gvn,loop-mssa(licm),"
      "instcombine<no-verify-fixpoint>,adce)");
}

Function* toSimdForm(const Kernel& kernel, const Way& way, Module& module) {
  Function* thread = module.getFunction("k");
  if (*way.cpu)
    thread->addFnAttr("target-cpu", way.cpu);
  lowerPrimitives(*thread);
  runPasses(module, nullptr, "function(scalarizer<load-store>,adce)");
  layoutPrivateArrays(*thread);
  check(module);
  structurise(*thread, kernel.shape);
  check(module);
  VectoriseOptions options{kernel.shape, way.chunk,
                           kernel.shape.isFixed() && kernel.shape.total() % 32 == 0};
  Expected<Function*> simd = vectorise(*thread, options);
  if (!simd)
    giveUp(toString(simd.takeError()));
  (*simd)->setLinkage(GlobalValue::ExternalLinkage);
  (*simd)->setName("simd");
  check(module);
  return *simd;
}

/// A module compiled into this process.
class Compiled {
public:
  Compiled(std::unique_ptr<Module> module, std::unique_ptr<LLVMContext> context) {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    auto machine = cantFail(orc::JITTargetMachineBuilder::detectHost());
    auto target = cantFail(machine.createTargetMachine());
    jit = cantFail(orc::LLJITBuilder().setJITTargetMachineBuilder(machine).create());
    module->setDataLayout(jit->getDataLayout());
    optimise(*module, target.get());
    check(*module);
    cantFail(jit->addIRModule(orc::ThreadSafeModule(std::move(module), std::move(context))));
  }
  template <typename T> T symbol(StringRef name) { return cantFail(jit->lookup(name)).toPtr<T>(); }

private:
  std::unique_ptr<orc::LLJIT> jit;
};

Calls calls;
const Services services = {
    [](Worker*, uint32_t) { ++calls.barriers; },
    [](Worker*) { return false; },
    [](Worker*, uint32_t) { ++calls.divergent; },
};

std::array<uint32_t, 3> sizes(const Kernel& kernel) {
  std::array<uint32_t, 3> threads = kernel.threads;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (kernel.shape.threads[axis])
      threads[axis] = kernel.shape.threads[axis];
  return threads;
}

Launch launchOf(const Kernel& kernel) {
  Launch launch{};
  for (unsigned axis = 0; axis < 3; ++axis)
    launch.threadsPerThreadgroup[axis] = launch.dispatchThreadsPerThreadgroup[axis] =
        sizes(kernel)[axis];
  return launch;
}

/// Gives every id function of the module a body that loads what the runner stored for the thread.
void defineIds(Module& module) {
  for (Function& function : module) {
    if (!function.isDeclaration() || !function.getName().starts_with("cpu."))
      continue;
    IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
    if (function.getReturnType()->isVoidTy()) {
      builder.CreateRetVoid();
      continue;
    }
    auto* value =
        new GlobalVariable(module, builder.getInt32Ty(), false, GlobalValue::ExternalLinkage,
                           builder.getInt32(0), "value." + function.getName());
    builder.CreateRet(builder.CreateLoad(builder.getInt32Ty(), value));
    function.setMemoryEffects(MemoryEffects::readOnly());
    function.setLinkage(GlobalValue::InternalLinkage);
  }
}

} // namespace

Calls lastCalls() {
  return calls;
}

const std::vector<Way>& ways() {
  static const std::vector<Way> list = [] {
    StringMap<bool> features = sys::getHostCPUFeatures();
    std::vector<Way> found = {{4, "x86-64-v2"}};
    if (features.lookup("avx2"))
      found.push_back({8, "x86-64-v3"});
    if (features.lookup("avx512vl") && features.lookup("avx512bw"))
      found.insert(found.end(), {{16, "x86-64-v4"}, {32, "x86-64-v4"}});
    return found;
  }();
  return list;
}

Memory runThreads(const Kernel& kernel, Memory memory) {
  auto context = std::make_unique<LLVMContext>();
  auto module = parse(kernel, *context);
  defineIds(*module);
  std::vector<std::string> ids;
  for (GlobalVariable& global : module->globals())
    if (global.getName().starts_with("value."))
      ids.push_back(global.getName().str());
  Compiled compiled(std::move(module), std::move(context));
  auto thread = compiled.symbol<ThreadFunction>("k");
  auto set = [&](const std::string& name, uint32_t value) {
    *compiled.symbol<uint32_t*>("value." + name) = value;
  };
  Launch launch = launchOf(kernel);
  Worker worker{&services, nullptr, nullptr, 0, 0};
  auto [x, y, z] = sizes(kernel);
  for (uint32_t index = 0; index < x * y * z; ++index) {
    std::array<uint32_t, 3> at = {index % x, index / x % y, index / (x * y)};
    set("cpu.lane", index % 32);
    set("cpu.thread.index", index);
    for (unsigned axis = 0; axis < 3; ++axis) {
      std::string name(1, "xyz"[axis]);
      set("cpu.thread." + name, at[axis]);
      set("cpu.group." + name, kernel.group[axis]);
      set("cpu.grid." + name, kernel.group[axis] * sizes(kernel)[axis] + at[axis]);
    }
    thread(&launch, &worker, index / 32, nullptr, kernel.group[0], kernel.group[1], kernel.group[2],
           memory.in.data(), memory.out.data(), memory.n);
  }
  return memory;
}

Memory runVectorised(const Kernel& kernel, const Way& way, Memory memory) {
  return runVectorised(kernel, way, std::vector<Memory>{std::move(memory)})[0];
}

std::vector<Memory> runVectorised(const Kernel& kernel, const Way& way,
                                  std::vector<Memory> memories) {
  auto context = std::make_unique<LLVMContext>();
  auto module = parse(kernel, *context);
  toSimdForm(kernel, way, *module);
  Compiled compiled(std::move(module), std::move(context));
  auto simd = compiled.symbol<SimdFunction>("simd");
  Launch launch = launchOf(kernel);
  Worker worker{&services, nullptr, nullptr, 0, 0};
  auto [x, y, z] = sizes(kernel);
  calls = {};
  for (Memory& memory : memories)
    for (uint32_t first = 0; first < x * y * z; first += 32) {
      uint32_t left = x * y * z - first;
      uint32_t live = left >= 32 ? ~0u : (1u << left) - 1;
      simd(&launch, &worker, first / 32, nullptr, kernel.group[0], kernel.group[1], kernel.group[2],
           memory.in.data(), memory.out.data(), memory.n, live);
    }
  return memories;
}

std::string vectorisedText(const Kernel& kernel, const Way& way) {
  LLVMContext context;
  auto module = parse(kernel, context);
  std::string text;
  try {
    raw_string_ostream(text) << *toSimdForm(kernel, way, *module);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return text;
}

std::string compileForNeon(const Kernel& kernel) {
  LLVMInitializeAArch64TargetInfo();
  LLVMInitializeAArch64Target();
  LLVMInitializeAArch64TargetMC();
  LLVMInitializeAArch64AsmPrinter();
  LLVMContext context;
  auto module = parse(kernel, context);
  Triple triple("aarch64-unknown-linux-gnu");
  std::string problem;
  const Target* target = TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return problem;
  std::unique_ptr<TargetMachine> machine(
      target->createTargetMachine(triple, "generic", "+neon", TargetOptions(), Reloc::PIC_));
  module->setTargetTriple(triple);
  module->setDataLayout(machine->createDataLayout());
  try {
    toSimdForm(kernel, {4, ""}, *module);
    optimise(*module, machine.get());
    check(*module);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  SmallVector<char, 0> object;
  raw_svector_ostream stream(object);
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile))
    return "no object files for this target";
  passes.run(*module);
  return object.empty() ? "an empty object" : "";
}

} // namespace metalloid::cpu::test
