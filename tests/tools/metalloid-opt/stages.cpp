// SPDX-License-Identifier: Apache-2.0
#include "stages.h"

#include "air/contract.h"
#include "air/define_integer_results.h"
#include "air/extract.h"
#include "air/library_calls.h"
#include "air/prepare.h"
#include "air/private_bounds.h"
#include "air/specialise.h"
#include "reflection_json.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;

namespace metalloid::test {
namespace {

std::string kernelName(const Module& module, const StageOptions& options) {
  auto names = air::kernelNames(module);
  return options.kernel.empty() && !names.empty() ? names.front() : options.kernel;
}

llvm::Error printVerified(ByteView bitcode, const StageOptions&, raw_ostream& out) {
  LLVMContext context;
  auto module = air::readModule(context, bitcode);
  if (!module)
    return module.takeError();
  out << **module;
  return llvm::Error::success();
}

/// One line of JSON a kernel.
llvm::Error printDescription(ByteView bitcode, const StageOptions& options, raw_ostream& out) {
  LLVMContext context;
  auto module = air::readModule(context, bitcode);
  if (!module)
    return module.takeError();
  for (const std::string& name : air::kernelNames(**module)) {
    if (!options.kernel.empty() && name != options.kernel)
      continue;
    auto reflection = air::describe(**module, name);
    if (!reflection)
      return reflection.takeError();
    out << toJson(*reflection) << "\n";
  }
  return llvm::Error::success();
}

/// Finds the kernel that the options name, and lets `change` loose on its module.
llvm::Error printChanged(ByteView bitcode, const StageOptions& options, raw_ostream& out,
                         function_ref<llvm::Error(Module&, air::Reflection&)> change) {
  LLVMContext context;
  auto module = air::readModule(context, bitcode);
  if (!module)
    return module.takeError();
  auto reflection = air::describe(**module, kernelName(**module, options));
  if (!reflection)
    return reflection.takeError();
  if (llvm::Error error = change(**module, *reflection))
    return error;
  out << **module;
  return llvm::Error::success();
}

llvm::Error printSpecialised(ByteView bitcode, const StageOptions& options, raw_ostream& out) {
  return printChanged(bitcode, options, out, [&](Module& module, air::Reflection& reflection) {
    return air::specialise(module, reflection, options.constants);
  });
}

llvm::Error printExtracted(ByteView bitcode, const StageOptions& options, raw_ostream& out) {
  return printChanged(bitcode, options, out, [&](Module& module, air::Reflection& reflection) {
    return air::extract(module, *module.getFunction(reflection.name));
  });
}

/// A step that takes the whole module, or each of its functions.
llvm::Error printStep(ByteView bitcode, raw_ostream& out, function_ref<void(Module&)> step) {
  LLVMContext context;
  auto module = air::readModule(context, bitcode);
  if (!module)
    return module.takeError();
  step(**module);
  out << **module;
  return llvm::Error::success();
}

llvm::Error printContracted(ByteView bitcode, const StageOptions&, raw_ostream& out) {
  return printStep(bitcode, out, air::contract);
}

llvm::Error printLibraryCalls(ByteView bitcode, const StageOptions&, raw_ostream& out) {
  return printStep(bitcode, out, air::callLibrary);
}

llvm::Error printDefined(ByteView bitcode, const StageOptions&, raw_ostream& out) {
  return printStep(bitcode, out, air::defineIntegerResults);
}

llvm::Error printBounded(ByteView bitcode, const StageOptions&, raw_ostream& out) {
  return printStep(bitcode, out, [](Module& module) {
    for (Function& function : module)
      if (!function.isDeclaration()) {
        air::dropFixedAccessesOutOfBounds(function);
        air::boundPrivateAccesses(function);
      }
  });
}

/// The whole way; the reflection first, as a comment.
llvm::Error printPrepared(ByteView bitcode, const StageOptions& options, raw_ostream& out) {
  std::string name = options.kernel;
  LLVMContext context;
  if (name.empty()) {
    auto module = air::readModule(context, bitcode);
    if (!module)
      return module.takeError();
    name = kernelName(**module, options);
  }
  auto prepared = air::prepare(context, bitcode, name, options.constants);
  if (!prepared)
    return prepared.takeError();
  if (verifyModule(*prepared->module, &errs()))
    return createStringError("the prepared module is not valid");
  out << "; " << toJson(prepared->reflection) << "\n" << *prepared->module;
  return llvm::Error::success();
}

struct Stage {
  StringRef name;
  llvm::Error (*run)(ByteView, const StageOptions&, raw_ostream&);
};

/// A back end adds its stages here.
constexpr Stage Stages[] = {
    {"verify", printVerified},   {"describe", printDescription}, {"specialise", printSpecialised},
    {"extract", printExtracted}, {"contract", printContracted},  {"integers", printDefined},
    {"bounds", printBounded},    {"prepare", printPrepared},     {"library", printLibraryCalls},
};

} // namespace

llvm::Error runStage(ByteView bitcode, const StageOptions& options, raw_ostream& out) {
  for (const Stage& stage : Stages)
    if (stage.name == options.stage)
      return stage.run(bitcode, options, out);
  std::string names;
  for (const Stage& stage : Stages)
    names += " " + stage.name.str();
  return createStringError("there is no stage \"" + options.stage + "\"; there are:" + names);
}

llvm::Expected<air::ConstantValue> parseConstant(StringRef text) {
  auto [key, value] = text.split('=');
  air::ConstantValue result;
  if (key.getAsInteger(10, result.index)) {
    result.index = -1;
    result.name = key.str();
  }
  int64_t integer = 0;
  double number = 0;
  if (value == "true" || value == "false")
    result.bits.push_back(value == "true");
  else if (!value.getAsInteger(0, integer))
    result.bits.push_back(static_cast<uint64_t>(integer));
  else if (!value.getAsDouble(number))
    result.bits.push_back(APFloat(static_cast<float>(number)).bitcastToAPInt().getZExtValue());
  else
    return createStringError("the constant \"" + text + "\" is not KEY=VALUE");
  return result;
}

} // namespace metalloid::test
