// SPDX-License-Identifier: Apache-2.0
// What all threads of a run share: the module, where its variables lie, and for each function the
// places of its values.
#pragma once

#include <memory>
#include <unordered_map>

#include "interp/block_order.h"
#include "interp/layout.h"
#include "interp/memory.h"

#include "llvm/Support/Error.h"

namespace metalloid::interp {

/// A function ready to be run: every argument and instruction has a row of scalars in the frame.
struct FunctionCode {
  FunctionCode(llvm::Function& function, Layouts& layouts);
  llvm::Function& function;
  BlockOrder order;
  llvm::DenseMap<const llvm::Value*, uint32_t> rows;
  uint32_t rowCount = 0;
};

class Program {
public:
  /// Puts the constant variables of `module` into `memory`. An Error names what has no meaning
  /// here.
  static llvm::Expected<std::unique_ptr<Program>> load(llvm::Module& module, Memory& memory,
                                                       bool flushDenormals);

  const FunctionCode& codeOf(llvm::Function& function);
  /// The scalars of a constant. One that has no value here is 0, and remembered.
  const llvm::SmallVectorImpl<Bits>& valueOf(const llvm::Constant& constant);
  bool metUnknownConstant() const { return metUnknownConstant_; }
  Layouts& layouts() { return layouts_; }
  bool flushDenormals() const { return flushDenormals_; }

  /// Makes the threadgroup variables anew, zeroed. Every threadgroup gives them the same addresses.
  void addThreadgroupVariables(Memory& memory);

private:
  Program(llvm::Module& module, bool flushDenormals)
      : module_(module), layouts_(module.getDataLayout()), flushDenormals_(flushDenormals) {}

  llvm::Module& module_;
  Layouts layouts_;
  bool flushDenormals_;
  bool metUnknownConstant_ = false;
  Variables variables_;
  llvm::DenseMap<llvm::Function*, std::unique_ptr<FunctionCode>> code_;
  std::unordered_map<const llvm::Constant*, llvm::SmallVector<Bits, 4>> constants_;
};

} // namespace metalloid::interp
