// SPDX-License-Identifier: Apache-2.0
// Which air functions exist and what their types are: the table functions.def, ready for questions.
#pragma once

#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DerivedTypes.h"

namespace metalloid::air {

/// Who gives an air function its meaning.
enum class Home {
  Library,   ///< air/library: the same bitcode for every target.
  Primitive, ///< The target (air/primitives.h).
};

/// One row of functions.def; the columns are explained there.
struct FunctionRow {
  llvm::StringRef name;
  bool withFast;
  llvm::StringRef signature;
  Home home;
  llvm::StringRef test;
};

llvm::ArrayRef<FunctionRow> functionRows();

/// The row that `name` ("air.fast_exp.v4f32") belongs to, or null where no row does.
const FunctionRow* findFunction(llvm::StringRef name);

/// Whether a module may call `name`.
bool isKnownFunction(llvm::StringRef name);

/// Whether `type` is what the table says `name` has. True for names whose type is the target's.
/// False for unknown names.
bool hasKnownType(llvm::StringRef name, llvm::FunctionType* type);

/// Every name that a row stands for, "air." and fast forms included.
std::vector<std::string> expandNames(const FunctionRow& row);

} // namespace metalloid::air
