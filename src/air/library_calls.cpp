// SPDX-License-Identifier: Apache-2.0
#include "air/library_calls.h"

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstVisitor.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace metalloid::air {
namespace {

/// "f32", "i8", … as air functions call a scalar; empty for types that they do not have.
std::string scalarName(const Type* type) {
  type = type->getScalarType();
  if (type->isFloatTy())
    return "f32";
  if (type->isHalfTy())
    return "f16";
  if (type->isBFloatTy())
    return "bf16";
  for (unsigned width : {1, 8, 16, 32, 64})
    if (type->isIntegerTy(width))
      return "i" + std::to_string(width);
  return "";
}

bool isBFloat(const Value& value) {
  return value.getType()->getScalarType()->isBFloatTy();
}

unsigned widthOf(const Type* type) {
  auto* vector = dyn_cast<FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

/// The type of `like`'s shape with elements of `scalar`.
Type* withElements(Type* like, Type* scalar) {
  return isa<VectorType>(like) ? FixedVectorType::get(scalar, widthOf(like)) : scalar;
}

void replace(Instruction& old, Value* replacement) {
  replacement->takeName(&old);
  old.replaceAllUsesWith(replacement);
  old.eraseFromParent();
}

/// Calls the air function of `pattern`, in which each "{}" stands before a type and takes the
/// width; element by element where the width is none that air functions have.
Value* callAir(IRBuilder<>& builder, StringRef pattern, Type* result, ArrayRef<Value*> arguments) {
  unsigned width = widthOf(result);
  if (width > 4) {
    Value* all = PoisonValue::get(result);
    for (unsigned i = 0; i < width; ++i) {
      SmallVector<Value*, 3> elements;
      for (Value* argument : arguments)
        elements.push_back(builder.CreateExtractElement(argument, i));
      Value* element = callAir(builder, pattern, result->getScalarType(), elements);
      all = builder.CreateInsertElement(all, element, i);
    }
    return all;
  }
  SmallVector<StringRef, 4> pieces;
  pattern.split(pieces, "{}");
  std::string name = join(pieces, width == 1 ? "" : "v" + std::to_string(width));
  SmallVector<Type*, 3> types;
  for (Value* argument : arguments)
    types.push_back(argument->getType());
  Module& module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(
      module.getOrInsertFunction(name, FunctionType::get(result, types, false)), arguments);
}

Value* convert(IRBuilder<>& builder, char toKind, Type* to, char fromKind, Value* from) {
  std::string pattern = std::string("air.convert.") + toKind + ".{}" + scalarName(to) + "." +
                        fromKind + ".{}" + scalarName(from->getType());
  return callAir(builder, pattern, to, {from});
}

class Caller : public InstVisitor<Caller> {
public:
  void visitFPToSIInst(FPToSIInst& cast) { toInteger(cast, 's'); }
  void visitFPToUIInst(FPToUIInst& cast) { toInteger(cast, 'u'); }
  void visitSIToFPInst(SIToFPInst& cast) { toBFloat(cast, 's'); }
  void visitUIToFPInst(UIToFPInst& cast) { toBFloat(cast, 'u'); }
  void visitFPTruncInst(FPTruncInst& cast) { toBFloat(cast, 'f'); }

  void visitBinaryOperator(BinaryOperator& operation) {
    bool isRemainder = operation.getOpcode() == Instruction::FRem;
    if (!isBFloat(operation) && !isRemainder)
      return;
    IRBuilder<> builder(&operation);
    Value* left = widen(builder, operation.getOperand(0));
    Value* right = widen(builder, operation.getOperand(1));
    Value* result = isRemainder ? remainder(builder, left, right)
                                : builder.CreateBinOp(operation.getOpcode(), left, right);
    replace(operation, narrow(builder, operation.getType(), result));
  }

  void visitFCmpInst(FCmpInst& comparison) {
    IRBuilder<> builder(&comparison);
    for (Use& operand : comparison.operands())
      operand.set(widen(builder, operand));
  }

  void visitIntrinsicInst(IntrinsicInst& call) {
    Intrinsic::ID id = call.getIntrinsicID();
    if (id == Intrinsic::fptosi_sat || id == Intrinsic::fptoui_sat)
      toInteger(call, id == Intrinsic::fptosi_sat ? 's' : 'u');
    else if (id == Intrinsic::fma && !call.getType()->getScalarType()->isFloatTy())
      multiplyAdd(call);
    else if (isBFloat(call) && all_of(call.args(), [](const Use& u) { return isBFloat(*u.get()); }))
      throughFloat(call);
  }

private:
  /// bfloats as floats; anything else as it is.
  static Value* widen(IRBuilder<>& builder, Value* value) {
    if (!isBFloat(*value))
      return value;
    return builder.CreateFPExt(value, withElements(value->getType(), builder.getFloatTy()));
  }

  /// The other way: `value` rounded to `type` where that is a bfloat.
  static Value* narrow(IRBuilder<>& builder, Type* type, Value* value) {
    return type == value->getType() ? value : convert(builder, 'f', type, 'f', value);
  }

  static void throughFloat(IntrinsicInst& call) {
    IRBuilder<> builder(&call);
    SmallVector<Value*, 3> arguments;
    for (Value* argument : call.args())
      arguments.push_back(widen(builder, argument));
    Value* wide =
        builder.CreateIntrinsic(call.getIntrinsicID(), {arguments[0]->getType()}, arguments);
    replace(call, narrow(builder, call.getType(), wide));
  }

  static void toInteger(Instruction& conversion, char kind) {
    Value* from = conversion.getOperand(0);
    std::string result = scalarName(conversion.getType());
    if (result.empty() || result == "i1" || scalarName(from->getType()).empty())
      return;
    IRBuilder<> builder(&conversion);
    replace(conversion, convert(builder, kind, conversion.getType(), 'f', from));
  }

  static void toBFloat(CastInst& conversion, char kind) {
    Value* from = conversion.getOperand(0);
    if (!isBFloat(conversion) || scalarName(from->getType()).empty())
      return;
    IRBuilder<> builder(&conversion);
    replace(conversion, convert(builder, 'f', conversion.getType(), kind, from));
  }

  static void multiplyAdd(IntrinsicInst& call) {
    std::string name = scalarName(call.getType());
    if (name.empty())
      return;
    IRBuilder<> builder(&call);
    SmallVector<Value*, 3> arguments(call.args());
    replace(call, callAir(builder, "air.fma.{}" + name, call.getType(), arguments));
  }

  static Value* remainder(IRBuilder<>& builder, Value* left, Value* right) {
    return callAir(builder, "air.fmod.{}" + scalarName(left->getType()), left->getType(),
                   {left, right});
  }
};

} // namespace

void callLibrary(Module& module) {
  for (Function& function : module)
    for (BasicBlock& block : function)
      for (Instruction& instruction : make_early_inc_range(block))
        Caller().visit(instruction);
}

} // namespace metalloid::air
