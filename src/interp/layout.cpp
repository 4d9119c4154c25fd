// SPDX-License-Identifier: Apache-2.0
#include "interp/layout.h"

#include <cstring>

#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace metalloid::interp {

void Layouts::append(Type& type, uint64_t offset, SmallVectorImpl<ScalarPart>& parts) {
  if (auto* structure = dyn_cast<StructType>(&type)) {
    const StructLayout* members = layout_.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      append(*structure->getElementType(i), offset + members->getElementOffset(i), parts);
  } else if (auto* array = dyn_cast<ArrayType>(&type)) {
    uint64_t size = layout_.getTypeAllocSize(array->getElementType());
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      append(*array->getElementType(), offset + i * size, parts);
  } else if (auto* vector = dyn_cast<FixedVectorType>(&type)) {
    uint64_t size = layout_.getTypeStoreSize(vector->getElementType());
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      append(*vector->getElementType(), offset + i * size, parts);
  } else if (!type.isVoidTy()) {
    parts.push_back({&type, offset, layout_.getTypeStoreSize(&type)});
  }
}

ArrayRef<ScalarPart> Layouts::scalarsOf(Type& type) {
  auto [entry, isNew] = known_.try_emplace(&type);
  if (isNew) {
    SmallVector<ScalarPart, 4> parts;
    append(type, 0, parts);
    entry->second = std::move(parts);
  }
  return entry->second;
}

size_t Layouts::indexOf(Type& aggregate, ArrayRef<unsigned> indices) {
  size_t index = 0;
  Type* type = &aggregate;
  for (unsigned step : indices) {
    if (auto* structure = dyn_cast<StructType>(type)) {
      for (unsigned i = 0; i < step; ++i)
        index += scalarsOf(*structure->getElementType(i)).size();
      type = structure->getElementType(step);
    } else {
      type = type->getArrayElementType();
      index += step * scalarsOf(*type).size();
    }
  }
  return index;
}

namespace {

bool evaluateExpression(const ConstantExpr& expression, Layouts& layouts,
                        const Variables& variables, SmallVectorImpl<Bits>& scalars) {
  APInt offset(64, 0);
  const Value* base = expression.stripAndAccumulateConstantOffsets(layouts.dataLayout(), offset,
                                                                   /*AllowNonInbounds=*/true);
  // Casts between address spaces, and to and from integers, keep the number.
  while (auto* cast = dyn_cast<ConstantExpr>(base)) {
    if (!cast->isCast())
      return false;
    base = cast->getOperand(0)->stripAndAccumulateConstantOffsets(layouts.dataLayout(), offset,
                                                                  /*AllowNonInbounds=*/true);
  }
  SmallVector<Bits, 1> address;
  if (!evaluateConstant(*cast<Constant>(base), layouts, variables, address) || address.size() != 1)
    return false;
  scalars.push_back(static_cast<uint64_t>(address[0]) + offset.getZExtValue());
  return true;
}

} // namespace

bool evaluateConstant(const Constant& constant, Layouts& layouts, const Variables& variables,
                      SmallVectorImpl<Bits>& scalars) {
  if (auto* variable = dyn_cast<GlobalVariable>(&constant)) {
    auto found = variables.find(variable);
    if (found == variables.end())
      return false;
    scalars.push_back(found->second);
    return true;
  }
  Type& type = *constant.getType();
  if (isa<UndefValue>(constant) || constant.isNullValue() || isa<ConstantTokenNone>(constant)) {
    scalars.append(layouts.scalarsOf(type).size(), 0);
    return true;
  }
  APInt pattern;
  if (auto* integer = dyn_cast<ConstantInt>(&constant); integer && type.isIntegerTy())
    pattern = integer->getValue();
  else if (auto* number = dyn_cast<ConstantFP>(&constant); number && type.isFloatingPointTy())
    pattern = number->getValueAPF().bitcastToAPInt();
  if (type.isIntegerTy() || type.isFloatingPointTy()) {
    if (auto* expression = dyn_cast<ConstantExpr>(&constant))
      return evaluateExpression(*expression, layouts, variables, scalars);
    Bits bits = pattern.getRawData()[0];
    if (pattern.getBitWidth() > 64)
      bits |= Bits(pattern.getRawData()[1]) << 64;
    scalars.push_back(bits);
    return true;
  }
  if (auto* expression = dyn_cast<ConstantExpr>(&constant))
    return evaluateExpression(*expression, layouts, variables, scalars);
  if (!type.isAggregateType() && !type.isVectorTy())
    return false;
  unsigned count = type.isStructTy()  ? type.getStructNumElements()
                   : type.isArrayTy() ? static_cast<unsigned>(type.getArrayNumElements())
                                      : cast<FixedVectorType>(type).getNumElements();
  for (unsigned i = 0; i < count; ++i)
    if (!evaluateConstant(*constant.getAggregateElement(i), layouts, variables, scalars))
      return false;
  return true;
}

void loadScalars(ArrayRef<ScalarPart> parts, const std::byte* bytes, Bits* scalars, size_t stride) {
  for (const ScalarPart& part : parts) {
    Bits bits = 0;
    std::memcpy(&bits, bytes + part.offset, part.size);
    *scalars = bits & lowBits(widthOf(*part.type));
    scalars += stride;
  }
}

void storeScalars(ArrayRef<ScalarPart> parts, const Bits* scalars, size_t stride,
                  std::byte* bytes) {
  for (const ScalarPart& part : parts) {
    std::memcpy(bytes + part.offset, scalars, part.size);
    scalars += stride;
  }
}

} // namespace metalloid::interp
