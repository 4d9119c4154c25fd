// SPDX-License-Identifier: Apache-2.0
#include "air/contract.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace metalloid::air {
namespace {

void replace(Instruction& old, Value* replacement) {
  replacement->takeName(&old);
  old.replaceAllUsesWith(replacement);
  old.eraseFromParent();
}

void fuseMultiplyAddIntrinsic(IntrinsicInst& call) {
  IRBuilder<> builder(&call);
  replace(call, builder.CreateIntrinsic(
                    Intrinsic::fma, {call.getType()},
                    {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2)}));
}

/// `value` as a product that may fuse into `sum`, or null.
BinaryOperator* fusableProduct(Value* value, const BinaryOperator& sum) {
  auto* product = dyn_cast<BinaryOperator>(value);
  if (!product || product->getOpcode() != Instruction::FMul || !product->hasAllowContract() ||
      !product->hasOneUse() || product->getParent() != sum.getParent())
    return nullptr;
  return product;
}

/// a*b + c, c + a*b, a*b - c and c - a*b.
void fuseSum(BinaryOperator& sum) {
  BinaryOperator* product = fusableProduct(sum.getOperand(0), sum);
  bool isLeft = product != nullptr;
  if (!isLeft)
    product = fusableProduct(sum.getOperand(1), sum);
  if (!product)
    return;
  IRBuilder<> builder(&sum);
  Value* factor = product->getOperand(0);
  Value* addend = sum.getOperand(isLeft ? 1 : 0);
  if (sum.getOpcode() == Instruction::FSub) {
    Value*& negated = isLeft ? addend : factor;
    negated = builder.CreateFNeg(negated);
  }
  replace(sum, builder.CreateIntrinsic(Intrinsic::fma, {sum.getType()},
                                       {factor, product->getOperand(1), addend}));
  product->eraseFromParent();
}

} // namespace

void contract(Module& module) {
  for (Function& function : module) {
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      if (auto* call = dyn_cast<IntrinsicInst>(&instruction)) {
        if (call->getIntrinsicID() == Intrinsic::fmuladd)
          fuseMultiplyAddIntrinsic(*call);
      } else if (auto* sum = dyn_cast<BinaryOperator>(&instruction)) {
        bool isSum = sum->getOpcode() == Instruction::FAdd || sum->getOpcode() == Instruction::FSub;
        if (isSum && sum->hasAllowContract())
          fuseSum(*sum);
      }
    }
    for (Instruction& instruction : instructions(function))
      if (isa<FPMathOperator>(instruction))
        instruction.copyFastMathFlags(FastMathFlags());
  }
}

} // namespace metalloid::air
