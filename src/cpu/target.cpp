// SPDX-License-Identifier: Apache-2.0
// Instruction-set levels as LLVM target machines.
#include "cpu/target.h"

#include <mutex>

#include "cpu/llvm_error.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace llvm;

namespace metalloid::cpu {
namespace {

struct LevelTarget {
  std::string triple;
  const char* cpu; ///< Null: the host's, with exactly its features.
};

constexpr const char* X86Triple = "x86_64-unknown-linux-gnu";
constexpr const char* ArmTriple = "aarch64-unknown-linux-gnu";

LevelTarget describe(Level level) {
  switch (level) {
  case Level::X86V2:
    return {X86Triple, "x86-64-v2"};
  case Level::X86V3:
    return {X86Triple, "x86-64-v3"};
  case Level::X86V4:
    return {X86Triple, "x86-64-v4"};
  case Level::Neon:
    return {ArmTriple, "cortex-a76"};
  case Level::Native:
    break;
  }
  return {sys::getProcessTriple(), nullptr};
}

std::string hostFeatures() {
  SubtargetFeatures features;
  for (const auto& [name, present] : sys::getHostCPUFeatures())
    features.AddFeature(name, present);
  return features.getString();
}

// The pre-allocation scheduler lengthens live ranges: blocks of many independent multiply-adds
// (matrix tiles) then spill, which costs more than the order gains. LLVM offers no other switch.
void turnMachineSchedulerOff() {
  auto& options = cl::getRegisteredOptions();
  if (auto option = options.find("enable-misched"); option != options.end())
    option->second->addOccurrence(0, "enable-misched", "false");
}

void initialiseTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    turnMachineSchedulerOff();
  });
}

bool has(const TargetMachine& target, StringRef feature) {
  return target.getMCSubtargetInfo()->checkFeatures("+" + feature.str());
}

} // namespace

Expected<std::unique_ptr<TargetMachine>> createTarget(Level level) {
  initialiseTargets();
  LevelTarget wanted = describe(level);
  Triple triple(wanted.triple);
  std::string problem;
  const Target* target = TargetRegistry::lookupTarget(triple, problem);
  if (!target)
    return refuse("compile for the CPU: " + problem);
  std::string cpu = wanted.cpu ? wanted.cpu : sys::getHostCPUName().str();
  std::string features = wanted.cpu ? "" : hostFeatures();
  TargetOptions options;
  options.FunctionSections = true;
  options.DataSections = true;
  options.AllowFPOpFusion = FPOpFusion::Strict; // Fusing was decided in air, once for all targets.
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, cpu, features, options, Reloc::PIC_, CodeModel::Small, CodeGenOptLevel::Aggressive));
  if (!machine)
    return refuse("compile for the CPU: LLVM has no code generator for " + wanted.triple);
  return machine;
}

unsigned nativeLanes(const TargetMachine& target) {
  if (!target.getTargetTriple().isX86())
    return 4;
  if (has(target, "avx512f"))
    return 16;
  return has(target, "avx2") ? 8 : 4;
}

void applyTarget(Module& module, const TargetMachine& target) {
  module.setTargetTriple(target.getTargetTriple());
  module.setDataLayout(target.createDataLayout());
  bool wide = nativeLanes(target) == 16;
  for (Function& function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", target.getTargetCPU());
    function.addFnAttr("target-features", target.getTargetFeatureString());
    function.addFnAttr("frame-pointer", "all");
    if (wide) {
      function.addFnAttr("prefer-vector-width", "512");
      function.addFnAttr("min-legal-vector-width", "512");
    }
  }
}

} // namespace metalloid::cpu
