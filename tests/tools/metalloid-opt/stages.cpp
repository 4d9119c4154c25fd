// SPDX-License-Identifier: Apache-2.0
#include "stages.h"

#include "air/prepare.h"
#include "reflection_json.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace metalloid::test {
namespace {

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

struct Stage {
  StringRef name;
  llvm::Error (*run)(ByteView, const StageOptions&, raw_ostream&);
};

/// A back end adds its stages here.
constexpr Stage Stages[] = {
    {"verify", printVerified},
    {"describe", printDescription},
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
