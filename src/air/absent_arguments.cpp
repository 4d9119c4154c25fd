// SPDX-License-Identifier: Apache-2.0
#include "air/absent_arguments.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace metalloid::air {
namespace {

constexpr unsigned ConstantAddressSpace = 2;
/// Enough for what is loaded at once from an argument whose element is smaller.
constexpr uint32_t LeastBytes = 64;

} // namespace

void replaceAbsentArguments(Function& kernel, const Reflection& reflection) {
  for (const Argument& argument : reflection.arguments) {
    if (argument.active || argument.addressSpace != ConstantAddressSpace)
      continue;
    uint32_t bytes = std::max({argument.typeSize, argument.bufferSize, LeastBytes});
    auto* type = ArrayType::get(Type::getInt8Ty(kernel.getContext()), bytes);
    auto* zeros = new GlobalVariable(*kernel.getParent(), type, /*isConstant=*/true,
                                     GlobalValue::InternalLinkage, Constant::getNullValue(type),
                                     "absent." + argument.name, nullptr,
                                     GlobalValue::NotThreadLocal, ConstantAddressSpace);
    zeros->setAlignment(Align(16));
    llvm::Argument* parameter = kernel.getArg(argument.parameter);
    if (parameter->use_empty())
      zeros->eraseFromParent();
    else
      parameter->replaceAllUsesWith(zeros);
  }
}

} // namespace metalloid::air
