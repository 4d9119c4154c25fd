// SPDX-License-Identifier: Apache-2.0
#include "air/prepare.h"

#include "air/absent_arguments.h"
#include "air/contract.h"
#include "air/define_integer_results.h"
#include "air/denormals.h"
#include "air/diagnostics.h"
#include "air/error.h"
#include "air/extract.h"
#include "air/flatten.h"
#include "air/library/library.h"
#include "air/library_calls.h"
#include "air/primitive_attributes.h"
#include "air/primitives.h"
#include "air/private_bounds.h"
#include "air/specialise.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace metalloid::air {
namespace {

/// Every function without a body must be a target primitive or an intrinsic; declarations that
/// nobody uses go.
llvm::Error checkUndefined(Module& module) {
  for (Function& function : make_early_inc_range(module)) {
    if (!function.isDeclaration())
      continue;
    if (function.use_empty())
      function.eraseFromParent();
    else if (!function.isIntrinsic() && !parsePrimitive(function.getName()))
      return refuse("air function \"" + function.getName() + "\" is not implemented");
  }
  return llvm::Error::success();
}

/// The steps in order. Those under `lower` spell out in the IR what the numeric contract says, so
/// that no back end can differ; without them the same is left to the reader.
llvm::Expected<Prepared> run(LLVMContext& context, ByteView bitcode, StringRef name,
                             std::span<const ConstantValue> constants, bool lower) {
  Prepared prepared;

  // Read the module, and refuse what no later step could bear.
  auto read = readModule(context, bitcode);
  if (!read)
    return read.takeError();
  prepared.module = std::move(*read);
  Module& module = *prepared.module;

  // Say what the kernel is, from its metadata.
  auto reflection = describe(module, name);
  if (!reflection)
    return reflection.takeError();
  prepared.reflection = std::move(*reflection);
  prepared.kernel = module.getFunction(name);
  Function& kernel = *prepared.kernel;

  // Give function constants their values; conditional arguments appear or disappear.
  if (llvm::Error error = specialise(module, prepared.reflection, constants))
    return std::move(error);

  // Arguments that disappeared may still be read, ahead of the test that skips what is read.
  replaceAbsentArguments(kernel, prepared.reflection);

  // Keep the kernel and what it uses.
  if (llvm::Error error = extract(module, kernel))
    return std::move(error);

  // Decide fused multiply-add; from here on floating point means what it says.
  contract(module);

  if (lower) {
    // What machines do differently is the library's: saturation, bfloat, half multiply-add.
    callLibrary(module);

    // Division by zero, wide shifts and the like get results, before LLVM folds them to none.
    defineIntegerResults(module);
  }

  // Bring in the air functions; what is left undefined belongs to the target.
  if (llvm::Error error = linkLibrary(module))
    return std::move(error);
  if (llvm::Error error = checkUndefined(module))
    return std::move(error);
  setPrimitiveAttributes(module);

  // Folding constants must flush denormals where running does.
  setDenormalMode(module, prepared.reflection.flushDenormals);

  if (lower) {
    // One function.
    if (llvm::Error error = flatten(kernel))
      return std::move(error);

    // Private variables keep to their bounds: first where LLVM would take a miss for impossible,
    // then, once it is plain which variable an address belongs to, everywhere.
    dropFixedAccessesOutOfBounds(kernel);
    splitPrivateVariables(kernel);
    boundPrivateAccesses(kernel);
  }

  if (std::string text = takeDiagnostics(context); !text.empty())
    return refuse(text);
  return prepared;
}

} // namespace

llvm::Expected<Prepared> prepareUnlowered(LLVMContext& context, ByteView bitcode, StringRef name,
                                          std::span<const ConstantValue> constants) {
  return run(context, bitcode, name, constants, /*lower=*/false);
}

llvm::Expected<Prepared> prepare(LLVMContext& context, ByteView bitcode, StringRef name,
                                 std::span<const ConstantValue> constants) {
  return run(context, bitcode, name, constants, /*lower=*/true);
}

} // namespace metalloid::air
