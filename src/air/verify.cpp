// SPDX-License-Identifier: Apache-2.0
#include "air/verify.h"

#include "air/error.h"
#include "air/functions.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace metalloid::air {
namespace {

/// Intrinsics whose meaning is fixed, bounded and the same on every target.
bool isAllowedIntrinsic(Intrinsic::ID id) {
  switch (id) {
  // Memory and optimiser hints.
  case Intrinsic::memcpy:
  case Intrinsic::memcpy_inline:
  case Intrinsic::memmove:
  case Intrinsic::memset:
  case Intrinsic::memset_inline:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::assume:
  case Intrinsic::expect:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::is_constant:
  case Intrinsic::objectsize:
  case Intrinsic::donothing:
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_value:
  case Intrinsic::dbg_assign:
  case Intrinsic::dbg_label:
  // Integers.
  case Intrinsic::abs:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::scmp:
  case Intrinsic::ucmp:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
  case Intrinsic::sadd_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow:
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_mul:
  case Intrinsic::vector_reduce_and:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_xor:
  case Intrinsic::vector_reduce_smin:
  case Intrinsic::vector_reduce_smax:
  case Intrinsic::vector_reduce_umin:
  case Intrinsic::vector_reduce_umax:
  // Floating point, exactly rounded or bit operations only.
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::sqrt:
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::is_fpclass:
  case Intrinsic::ldexp:
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
    return true;
  default:
    return false;
  }
}

std::string placeOf(const Instruction& instruction) {
  std::string place = "in function \"" + instruction.getFunction()->getName().str() + "\"";
  if (const DebugLoc& location = instruction.getDebugLoc())
    place += ", line " + std::to_string(location.getLine());
  return place;
}

/// Bytes of one global variable.
constexpr uint64_t MaxVariableBytes = 1 << 28;

/// Bytes a value of `type` takes, or nothing where that is more than `limit`. DataLayout alone
/// would wrap around on arrays of absurd length.
std::optional<uint64_t> boundedSize(Type& type, const DataLayout& layout, uint64_t limit) {
  if (!type.isSized() || type.isScalableTy())
    return std::nullopt;
  if (auto* array = dyn_cast<ArrayType>(&type)) {
    auto element = boundedSize(*array->getElementType(), layout, limit);
    if (!element || (*element != 0 && array->getNumElements() > limit / *element))
      return std::nullopt;
    return *element * array->getNumElements();
  }
  if (auto* structure = dyn_cast<StructType>(&type)) {
    uint64_t sum = 0;
    for (Type* member : structure->elements()) {
      auto size = boundedSize(*member, layout, limit);
      if (!size || (sum += *size) > limit)
        return std::nullopt;
    }
  }
  uint64_t size = layout.getTypeAllocSize(&type);
  return size <= limit ? std::optional(size) : std::nullopt;
}

llvm::Error checkTarget(const Module& module) {
  StringRef triple = module.getTargetTriple().str();
  if (!triple.starts_with("air64"))
    return refuse("the module is for \"" + triple + "\", not for air64");
  const DataLayout& layout = module.getDataLayout();
  if (layout.getPointerSize(0) != 8 || layout.getAllocaAddrSpace() != 0 || layout.isBigEndian())
    return refuse("the module's data layout is not that of air64");
  return llvm::Error::success();
}

llvm::Error checkSymbols(const Module& module) {
  if (!module.getModuleInlineAsm().empty())
    return refuse("the module holds assembly");
  if (!module.ifunc_empty())
    return refuse("\"" + module.ifuncs().begin()->getName() + "\" is an ifunc");
  for (const GlobalVariable& variable : module.globals()) {
    if (variable.isDeclaration())
      return refuse("variable \"" + variable.getName() + "\" is not defined");
    if (variable.isThreadLocal())
      return refuse("variable \"" + variable.getName() + "\" is thread-local");
    if (!boundedSize(*variable.getValueType(), module.getDataLayout(), MaxVariableBytes))
      return refuse("variable \"" + variable.getName() + "\" takes more than " +
                    Twine(MaxVariableBytes) + " bytes");
  }
  for (const Function& function : module) {
    if (function.hasPrefixData() || function.hasPrologueData() || function.hasPersonalityFn())
      return refuse("function \"" + function.getName() +
                    "\" has prefix data, prologue data or a personality");
    // What nobody calls may stay: reading old bitcode leaves such declarations behind.
    if (!function.isDeclaration() || function.use_empty())
      continue;
    if (isKnownFunction(function.getName())) {
      if (!hasKnownType(function.getName(), function.getFunctionType()))
        return refuse("function \"" + function.getName() + "\" is declared with a wrong type");
      continue;
    }
    if (!function.isIntrinsic())
      return refuse("function \"" + function.getName() +
                    "\" is neither defined nor a function of AIR");
    if (!isAllowedIntrinsic(function.getIntrinsicID()))
      return refuse("intrinsic \"" + function.getName() + "\" is not supported");
  }
  return llvm::Error::success();
}

llvm::Error checkCall(const CallBase& call) {
  if (call.isInlineAsm())
    return refuse("inline assembly " + placeOf(call));
  auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  if (!callee || callee->getFunctionType() != call.getFunctionType())
    return refuse("a call through a pointer " + placeOf(call));
  if (!isa<CallInst>(call))
    return refuse("exception handling " + placeOf(call));
  if (cast<CallInst>(call).isMustTailCall())
    return refuse("a forced tail call " + placeOf(call));
  return llvm::Error::success();
}

llvm::Error checkInstructions(const Function& function) {
  const DataLayout& layout = function.getDataLayout();
  uint64_t privateBytes = 0;
  for (const Instruction& instruction : instructions(function)) {
    if (auto* call = dyn_cast<CallBase>(&instruction)) {
      if (llvm::Error error = checkCall(*call))
        return error;
    } else if (auto* variable = dyn_cast<AllocaInst>(&instruction)) {
      auto* count = dyn_cast<ConstantInt>(variable->getArraySize());
      if (!count || !variable->isStaticAlloca())
        return refuse("a private variable of variable size " + placeOf(instruction));
      auto size = boundedSize(*variable->getAllocatedType(), layout, MaxPrivateBytes);
      uint64_t elements = count->getValue().getLimitedValue(MaxPrivateBytes + 1);
      if (!size || elements > MaxPrivateBytes ||
          (privateBytes += *size * elements) > MaxPrivateBytes)
        return refuse("more than " + Twine(MaxPrivateBytes) + " bytes of private variables " +
                      placeOf(instruction));
    } else if (isa<IndirectBrInst>(instruction)) {
      return refuse("a computed goto " + placeOf(instruction));
    } else if (instruction.isEHPad() || isa<ResumeInst>(instruction)) {
      return refuse("exception handling " + placeOf(instruction));
    } else if (isa<VAArgInst>(instruction)) {
      return refuse("variable arguments " + placeOf(instruction));
    }
  }
  return llvm::Error::success();
}

} // namespace

llvm::Error verify(Module& module) {
  std::string text;
  raw_string_ostream stream(text);
  bool brokenDebugInfo = false;
  if (verifyModule(module, &stream, &brokenDebugInfo))
    return refuse("the module is not valid: " + StringRef(text).split('\n').first);
  if (brokenDebugInfo)
    StripDebugInfo(module);
  if (llvm::Error error = checkTarget(module))
    return error;
  if (llvm::Error error = checkSymbols(module))
    return error;
  for (const Function& function : module)
    if (llvm::Error error = checkInstructions(function))
      return error;
  return llvm::Error::success();
}

} // namespace metalloid::air
