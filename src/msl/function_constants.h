// SPDX-License-Identifier: Apache-2.0
// Function constants in AIR.
//
// The host writes `@_Z1x.MTL_FC_INIT_1_b`, an externally initialised global of section
// air.fc_initializer; the module's static initialiser copies it to `@x`, which the code reads.
// Initialisers of constants computed from others follow, as does the condition of each parameter
// that has one. Specialising evaluates the static initialiser (src/air).
#pragma once

#include <map>
#include <string>

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class CodeGenerator;
class FunctionDecl;
class VarDecl;
} // namespace clang
namespace llvm {
class BasicBlock;
class GlobalVariable;
class MDNode;
class Module;
} // namespace llvm

namespace metalloid::msl {

class FunctionConstants {
public:
  FunctionConstants(clang::CodeGenerator& codeGenerator) : codeGenerator(codeGenerator) {}

  /// Has the conditions of `kernel`'s parameters emitted even where no code reads them. Before
  /// code generation ends.
  void requireConditions(const clang::FunctionDecl& kernel);

  /// Turns the declared constants into AIR's form and fills !air.function_constants; reports two
  /// constants of one index.
  void define(llvm::ArrayRef<const clang::VarDecl*> declared);

  /// The metadata of a parameter's condition on the program-scope variable `constant`.
  llvm::MDNode* condition(const clang::VarDecl& constant);

private:
  llvm::BasicBlock& initialiser();

  clang::CodeGenerator& codeGenerator;
  std::map<const clang::VarDecl*, llvm::MDNode*> conditions;
};

} // namespace metalloid::msl
