// SPDX-License-Identifier: Apache-2.0
#include "air/flatten.h"

#include "air/error.h"
#include "air/function_analyses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace metalloid::air {
namespace {

bool isDefined(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  return callee && !callee->isDeclaration();
}

/// The inliner would turn `noalias` of a parameter into facts about the memory around a barrier
/// too, which other threads' writes break; and it would copy a `byval` argument that is ours
/// already.
void relaxParameters(Module& module) {
  for (Function& function : module)
    for (llvm::Argument& parameter : function.args())
      parameter.removeAttr(Attribute::NoAlias);
}

} // namespace

llvm::Error flatten(Function& kernel) {
  Module& module = *kernel.getParent();
  relaxParameters(module);
  SmallVector<CallBase*> calls;
  for (Instruction& instruction : instructions(kernel))
    if (auto* call = dyn_cast<CallBase>(&instruction); call && isDefined(*call))
      calls.push_back(call);
  size_t size = kernel.getInstructionCount();
  while (!calls.empty()) {
    CallBase* call = calls.pop_back_val();
    Function& callee = *call->getCalledFunction();
    size += callee.getInstructionCount();
    if (size > MaxInstructions)
      return refuse("kernel \"" + kernel.getName() + "\" has more than " + Twine(MaxInstructions) +
                    " instructions once its calls are inlined");
    InlineFunctionInfo info;
    if (InlineResult result = InlineFunction(*call, info); !result.isSuccess())
      return refuse("a call of \"" + callee.getName() +
                    "\" cannot be inlined: " + result.getFailureReason());
    for (CallBase* inlined : info.InlinedCallSites)
      if (isDefined(*inlined))
        calls.push_back(inlined);
  }
  for (Function& function : make_early_inc_range(module))
    if (&function != &kernel && function.use_empty())
      function.eraseFromParent();
  return llvm::Error::success();
}

void splitPrivateVariables(Function& kernel) {
  FunctionAnalyses analyses;
  SROAPass(SROAOptions::PreserveCFG).run(kernel, analyses.manager());
}

} // namespace metalloid::air
