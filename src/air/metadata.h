// SPDX-License-Identifier: Apache-2.0
// Reading AIR's metadata, which nobody has checked: every accessor answers "nothing" instead of
// asserting where an operand is absent or of another kind.
#pragma once

#include <optional>

#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"

namespace metalloid::air {

inline const llvm::Metadata* operandOf(const llvm::MDNode& node, unsigned index) {
  return index < node.getNumOperands() ? node.getOperand(index).get() : nullptr;
}

inline std::optional<llvm::StringRef> stringOperand(const llvm::MDNode& node, unsigned index) {
  if (auto* text = llvm::dyn_cast_or_null<llvm::MDString>(operandOf(node, index)))
    return text->getString();
  return std::nullopt;
}

inline std::optional<int64_t> integerOperand(const llvm::MDNode& node, unsigned index) {
  auto* constant = llvm::dyn_cast_or_null<llvm::ConstantAsMetadata>(operandOf(node, index));
  auto* integer = constant ? llvm::dyn_cast<llvm::ConstantInt>(constant->getValue()) : nullptr;
  if (!integer || integer->getBitWidth() > 64)
    return std::nullopt;
  return integer->getBitWidth() == 1 ? integer->getZExtValue() : integer->getSExtValue();
}

template <typename Value> Value* valueOperand(const llvm::MDNode& node, unsigned index) {
  auto* constant = llvm::dyn_cast_or_null<llvm::ConstantAsMetadata>(operandOf(node, index));
  return constant ? llvm::dyn_cast<Value>(constant->getValue()) : nullptr;
}

inline const llvm::MDNode* nodeOperand(const llvm::MDNode& node, unsigned index) {
  return llvm::dyn_cast_or_null<llvm::MDNode>(operandOf(node, index));
}

} // namespace metalloid::air
