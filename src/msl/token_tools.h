// SPDX-License-Identifier: Apache-2.0
// Making tokens and finding one's way among them: what every part of the token pass uses.
#pragma once

#include <cstddef>
#include <initializer_list>

#include "clang/Lex/Token.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class Preprocessor;
} // namespace clang

namespace metalloid::msl {

using Tokens = llvm::SmallVector<clang::Token, 0>;

/// Makes tokens that stand at a location of the user's source.
class TokenFactory {
public:
  explicit TokenFactory(clang::Preprocessor& preprocessor) : preprocessor(preprocessor) {}

  clang::Token punctuation(clang::tok::TokenKind kind, clang::SourceLocation at) const;
  clang::Token identifier(llvm::StringRef name, clang::SourceLocation at) const;
  /// A keyword with its own IdentifierInfo: the lexer derives the kind from that.
  clang::Token keyword(clang::tok::TokenKind kind, clang::SourceLocation at) const;
  /// A string literal with the given contents, which must need no escapes.
  clang::Token string(llvm::StringRef contents, clang::SourceLocation at) const;
  clang::Token number(llvm::StringRef spelling, clang::SourceLocation at) const;
  /// `::metal::name`.
  void appendLibraryName(Tokens& out, llvm::StringRef name, clang::SourceLocation at) const;

  clang::Preprocessor& preprocessor;
};

/// Whether the token is an identifier (or keyword) spelt `name`.
bool isWord(const clang::Token& token, llvm::StringRef name);

/// Index of the bracket that closes the one at `open`; tokens.size() - 1 (the end of file) if none.
size_t closing(llvm::ArrayRef<clang::Token> tokens, size_t open);

/// Index of the bracket that opens the one at `close`; 0 if none.
size_t opening(llvm::ArrayRef<clang::Token> tokens, size_t close);

/// Index before `at`, past every token of the given kinds. 0 when all are.
size_t skipBack(llvm::ArrayRef<clang::Token> tokens, size_t at,
                std::initializer_list<clang::tok::TokenKind> kinds);

/// Index just after the `>` that closes the `<` at `open`, or 0 if no template argument list is
/// there: a `;` or `{` comes first, or the list is longer than any that people write.
size_t afterTemplateArguments(llvm::ArrayRef<clang::Token> tokens, size_t open);

} // namespace metalloid::msl
