// SPDX-License-Identifier: Apache-2.0
#include "air/prepare.h"

#include "air/contract.h"
#include "air/diagnostics.h"
#include "air/error.h"
#include "air/extract.h"
#include "air/module_contents.h"
#include "air/primitive_attributes.h"
#include "air/specialise.h"

#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace metalloid::air {

llvm::Expected<Prepared> prepare(LLVMContext& context, ByteView bitcode, StringRef name,
                                 std::span<const ConstantValue> constants) {
  Prepared prepared;

  // Read it, and refuse what no later step could bear.
  auto module = readModule(context, bitcode);
  if (!module)
    return module.takeError();
  prepared.module = std::move(*module);

  // Say what the kernel is, from its metadata.
  auto reflection = describe(*prepared.module, name);
  if (!reflection)
    return reflection.takeError();
  prepared.reflection = std::move(*reflection);
  prepared.kernel = prepared.module->getFunction(name);

  // Give function constants their values; conditional arguments appear or disappear.
  if (llvm::Error error = specialise(*prepared.module, prepared.reflection, constants))
    return std::move(error);

  // Keep the kernel and what it uses.
  if (llvm::Error error = extract(*prepared.module, *prepared.kernel))
    return std::move(error);

  // Decide fused multiply-add; from here on floating point means what it says.
  contract(*prepared.module);

  // What is left of air.* belongs to the target.
  setPrimitiveAttributes(*prepared.module);

  if (std::string text = takeDiagnostics(context); !text.empty())
    return refuse(text);
  return prepared;
}

} // namespace metalloid::air
