// SPDX-License-Identifier: Apache-2.0
// What an address-space word stands in: a member's qualifier, a variable, an array parameter. Read
// from tokens alone, before Clang has parsed anything.
#pragma once

#include <vector>

#include "llvm/ADT/DenseSet.h"

#include "msl/token_tools.h"

namespace metalloid::msl {

/// Whether the address-space word at `at` qualifies a member function: `int f() const device {`.
bool isMemberQualifier(llvm::ArrayRef<clang::Token> tokens, size_t at);

/// The `thread` qualifiers of member functions that have an overload of the same name in the same
/// class for another space. Only these distinguish overloads; every other `thread` says nothing.
llvm::DenseSet<size_t> overloadedThreadQualifiers(llvm::ArrayRef<clang::Token> tokens);

/// Whether the address-space word at `at` begins the declaration of a variable that lives in that
/// space, rather than of a pointer or reference into it or of a function.
bool isVariableDeclaration(llvm::ArrayRef<clang::Token> tokens, size_t at);

/// Index of the `;` that ends a declaration of a class's static member outside the class, which the
/// word at `at` begins: `constant constexpr float Table<3>::values[8];`. It has no initialiser and,
/// being constexpr, says nothing. 0 if the declaration is anything else.
size_t redundantMemberDeclaration(llvm::ArrayRef<clang::Token> tokens, size_t at);

/// Where the initialiser of the variable that the word at `at` declares begins (`=` or `{`) and
/// ends (the `,` or `;` behind it). Both 0 if it has none.
struct Initialiser {
  size_t begin = 0, end = 0;
};
Initialiser variableInitialiser(llvm::ArrayRef<clang::Token> tokens, size_t at);

/// Whether the word at `at` begins a function parameter.
bool isParameter(llvm::ArrayRef<clang::Token> tokens, size_t at);

/// A parameter declared as an array, `constant const int shape[2]`: where its name stands and the
/// last `]` behind it. `name` is 0 if it is no such parameter.
struct ArrayParameter {
  size_t name = 0, lastBracket = 0;
};
ArrayParameter arrayParameter(llvm::ArrayRef<clang::Token> tokens, size_t at);

/// For each token, whether the declarator of a member function may end there: behind a list of
/// parameters, inside no braces but
/// those of namespaces and classes, and in no initialiser. False just behind an outermost class,
/// where the parser goes back to the bodies of its members.
std::vector<bool> memberDeclaratorPlaces(llvm::ArrayRef<clang::Token> tokens);

} // namespace metalloid::msl
