// SPDX-License-Identifier: Apache-2.0
#include "cpu/target_hooks.h"

#include <algorithm>

#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace llvm;

namespace metalloid::cpu {

TargetHooks TargetHooks::of(const Function& function) {
  TargetHooks hooks;
  if (!function.getParent()->getTargetTriple().isX86())
    return hooks;
  StringSet<> features;
  SmallVector<StringRef, 64> ofCpu;
  StringRef cpu = function.getFnAttribute("target-cpu").getValueAsString();
  if (!cpu.empty() && X86::parseArchX86(cpu) != X86::CK_None)
    X86::getFeaturesForCPU(cpu, ofCpu);
  for (StringRef feature : ofCpu)
    features.insert(feature);
  SmallVector<StringRef, 64> given;
  function.getFnAttribute("target-features").getValueAsString().split(given, ',');
  for (StringRef feature : given) {
    if (feature.consume_front("+"))
      features.insert(feature);
    else if (feature.consume_front("-"))
      features.erase(feature);
  }
  bool avx512 = features.contains("avx512f") && features.contains("avx512vl");
  hooks.gathers = features.contains("avx2");
  hooks.scatters = avx512;
  if (features.contains("avx2"))
    hooks.maskedBits = avx512 && features.contains("avx512bw") ? 8 : 32;
  hooks.permutesPairs = avx512;
  return hooks;
}

Value* permutePair(IRBuilderBase& builder, Value* low, Value* high, Value* indices) {
  return builder.CreateIntrinsic(indices->getType(), Intrinsic::x86_avx512_vpermi2var_d_512,
                                 {low, indices, high});
}

void allowVectorWidth(Function& function, unsigned chunk) {
  if (!function.getParent()->getTargetTriple().isX86())
    return;
  std::string bits = std::to_string(std::clamp(chunk * 32, 128u, 512u));
  function.addFnAttr("prefer-vector-width", bits);
  function.addFnAttr("min-legal-vector-width", bits);
}

} // namespace metalloid::cpu
