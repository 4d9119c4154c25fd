// SPDX-License-Identifier: Apache-2.0
#include "air/define_integer_results.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace metalloid::air {
namespace {

/// Whether every element of `value` is a constant for which `holds`.
bool allElements(const Value* value, function_ref<bool(const APInt&)> holds) {
  auto* constant = dyn_cast<Constant>(value);
  if (!constant)
    return false;
  auto* vector = dyn_cast<FixedVectorType>(constant->getType());
  for (unsigned i = 0, n = vector ? vector->getNumElements() : 1; i < n; ++i) {
    auto* element = dyn_cast_or_null<ConstantInt>(vector ? constant->getAggregateElement(i)
                                                         : const_cast<Constant*>(constant));
    if (!element || !holds(element->getValue()))
      return false;
  }
  return true;
}

class Definer : public InstVisitor<Definer> {
public:
  void visitUDiv(BinaryOperator& division) { define(division, /*isSigned=*/false); }
  void visitURem(BinaryOperator& division) { define(division, /*isSigned=*/false); }
  void visitSDiv(BinaryOperator& division) { define(division, /*isSigned=*/true); }
  void visitSRem(BinaryOperator& division) { define(division, /*isSigned=*/true); }
  void visitShl(BinaryOperator& shift) { wrapAmount(shift); }
  void visitLShr(BinaryOperator& shift) { wrapAmount(shift); }
  void visitAShr(BinaryOperator& shift) { wrapAmount(shift); }

  void visitFPToSIInst(FPToSIInst& conversion) { saturate(conversion, Intrinsic::fptosi_sat); }
  void visitFPToUIInst(FPToUIInst& conversion) { saturate(conversion, Intrinsic::fptoui_sat); }

  void visitIntrinsicInst(IntrinsicInst& call) {
    // The second operand says that one input has no result.
    auto id = call.getIntrinsicID();
    if (id == Intrinsic::ctlz || id == Intrinsic::cttz || id == Intrinsic::abs)
      call.setArgOperand(1, ConstantInt::getFalse(call.getContext()));
  }

  void visitExtractElementInst(ExtractElementInst& extract) {
    auto [index, isInside] =
        wrapIndex(extract, extract.getVectorOperandType(), extract.getIndexOperand());
    if (!isInside)
      return;
    extract.setOperand(1, index);
    IRBuilder<> builder(extract.getNextNode());
    replaceUses(extract, [&](Value* value) {
      return builder.CreateSelect(isInside, value, Constant::getNullValue(value->getType()));
    });
  }

  void visitInsertElementInst(InsertElementInst& insert) {
    auto [index, isInside] = wrapIndex(insert, insert.getType(), insert.getOperand(2));
    if (!isInside)
      return;
    insert.setOperand(2, index);
    Value* unchanged = insert.getOperand(0);
    IRBuilder<> builder(insert.getNextNode());
    replaceUses(insert,
                [&](Value* value) { return builder.CreateSelect(isInside, value, unchanged); });
  }

private:
  /// Replaces all uses of `value` but the one in what `make` makes of it.
  void replaceUses(Instruction& value, function_ref<Value*(Value*)> make) {
    Value* chosen = make(&value);
    value.replaceUsesWithIf(chosen, [&](Use& use) { return use.getUser() != chosen; });
  }

  void define(BinaryOperator& division, bool isSigned) {
    Value* divisor = division.getOperand(1);
    bool isHarmless = allElements(divisor, [&](const APInt& value) {
      return !value.isZero() && !(isSigned && value.isAllOnes());
    });
    if (isHarmless)
      return;
    IRBuilder<> builder(&division);
    Type* type = division.getType();
    Value* isZero = builder.CreateIsNull(divisor);
    Value* isReplaced = isZero;
    if (isSigned) {
      // Dividing INT_MIN by 1 gives what dividing it by -1 should: INT_MIN and no remainder.
      unsigned width = type->getScalarSizeInBits();
      Value* isMin = builder.CreateICmpEQ(division.getOperand(0),
                                          ConstantInt::get(type, APInt::getSignedMinValue(width)));
      Value* isMinusOne = builder.CreateICmpEQ(divisor, Constant::getAllOnesValue(type));
      isReplaced = builder.CreateOr(isZero, builder.CreateAnd(isMin, isMinusOne));
    }
    division.setOperand(1, builder.CreateSelect(isReplaced, ConstantInt::get(type, 1), divisor));
    division.dropPoisonGeneratingFlags();
    // x % 1 is 0 already.
    bool isRemainder =
        division.getOpcode() == Instruction::URem || division.getOpcode() == Instruction::SRem;
    if (isRemainder)
      return;
    builder.SetInsertPoint(division.getNextNode());
    replaceUses(division, [&](Value* quotient) {
      return builder.CreateSelect(isZero, Constant::getNullValue(type), quotient);
    });
  }

  void wrapAmount(BinaryOperator& shift) {
    Value* amount = shift.getOperand(1);
    unsigned width = shift.getType()->getScalarSizeInBits();
    if (allElements(amount, [&](const APInt& value) { return value.ult(width); }))
      return;
    IRBuilder<> builder(&shift);
    shift.setOperand(1,
                     isPowerOf2_32(width)
                         ? builder.CreateAnd(amount, width - 1)
                         : builder.CreateURem(amount, ConstantInt::get(amount->getType(), width)));
  }

  void saturate(CastInst& conversion, Intrinsic::ID id) {
    IRBuilder<> builder(&conversion);
    Value* result = builder.CreateIntrinsic(id, {conversion.getType(), conversion.getSrcTy()},
                                            {conversion.getOperand(0)});
    result->takeName(&conversion);
    conversion.replaceAllUsesWith(result);
    conversion.eraseFromParent();
  }

  /// An index that is inside in any case, and whether the original was; null where it surely was.
  std::pair<Value*, Value*> wrapIndex(Instruction& access, VectorType* type, Value* index) {
    unsigned count = cast<FixedVectorType>(type)->getNumElements();
    if (auto* constant = dyn_cast<ConstantInt>(index); constant && constant->getValue().ult(count))
      return {index, nullptr};
    IRBuilder<> builder(&access);
    Value* isInside = builder.CreateICmpULT(index, ConstantInt::get(index->getType(), count));
    return {builder.CreateSelect(isInside, index, Constant::getNullValue(index->getType())),
            isInside};
  }
};

} // namespace

void defineIntegerResults(Module& module) {
  Definer definer;
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function)))
      definer.visit(instruction);
}

} // namespace metalloid::air
