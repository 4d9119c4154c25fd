// SPDX-License-Identifier: Apache-2.0
#include "msl/token_tools.h"

#include "clang/Lex/Preprocessor.h"

#include <algorithm>

using namespace clang;

namespace metalloid::msl {
namespace {

bool isOpening(const Token& token) {
  return token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace);
}
bool isClosing(const Token& token) {
  return token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace);
}

Token literal(Preprocessor& preprocessor, tok::TokenKind kind, StringRef spelling,
              SourceLocation at) {
  Token token;
  token.startToken();
  token.setKind(kind);
  preprocessor.CreateString(spelling, token, at, at);
  token.setKind(kind);
  return token;
}

Token named(IdentifierInfo* name, tok::TokenKind kind, SourceLocation at) {
  Token token;
  token.startToken();
  token.setKind(kind);
  token.setIdentifierInfo(name);
  token.setLocation(at);
  token.setLength(name->getLength());
  return token;
}

} // namespace

Token TokenFactory::punctuation(tok::TokenKind kind, SourceLocation at) const {
  Token token;
  token.startToken();
  token.setKind(kind);
  token.setLocation(at);
  token.setLength(StringRef(tok::getPunctuatorSpelling(kind)).size());
  return token;
}

Token TokenFactory::identifier(StringRef name, SourceLocation at) const {
  IdentifierInfo* info = preprocessor.getIdentifierInfo(name);
  return named(info, info->getTokenID(), at);
}

Token TokenFactory::keyword(tok::TokenKind kind, SourceLocation at) const {
  return named(preprocessor.getIdentifierInfo(tok::getKeywordSpelling(kind)), kind, at);
}

Token TokenFactory::string(StringRef contents, SourceLocation at) const {
  return literal(preprocessor, tok::string_literal, ("\"" + contents + "\"").str(), at);
}

Token TokenFactory::number(StringRef spelling, SourceLocation at) const {
  return literal(preprocessor, tok::numeric_constant, spelling, at);
}

void TokenFactory::appendLibraryName(Tokens& out, StringRef name, SourceLocation at) const {
  out.push_back(punctuation(tok::coloncolon, at));
  out.push_back(identifier("metal", at));
  out.push_back(punctuation(tok::coloncolon, at));
  out.push_back(identifier(name, at));
}

bool isWord(const Token& token, StringRef name) {
  return !token.isAnnotation() && token.getIdentifierInfo() &&
         token.getIdentifierInfo()->getName() == name;
}

size_t closing(ArrayRef<Token> tokens, size_t open) {
  size_t depth = 0;
  for (size_t i = open; i + 1 < tokens.size(); ++i) {
    if (isOpening(tokens[i]))
      ++depth;
    else if (isClosing(tokens[i]) && --depth == 0)
      return i;
  }
  return tokens.size() - 1;
}

size_t opening(ArrayRef<Token> tokens, size_t close) {
  size_t depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    if (isClosing(tokens[i]))
      ++depth;
    else if (isOpening(tokens[i]) && --depth == 0)
      return i;
  }
  return 0;
}

size_t skipBack(ArrayRef<Token> tokens, size_t at, std::initializer_list<tok::TokenKind> kinds) {
  auto skipped = [&](const Token& token) {
    return std::find(kinds.begin(), kinds.end(), token.getKind()) != kinds.end();
  };
  while (at > 0 && skipped(tokens[at - 1]))
    --at;
  return at > 0 ? at - 1 : 0;
}

size_t afterTemplateArguments(ArrayRef<Token> tokens, size_t open) {
  constexpr size_t kLongestList = 200;
  const size_t end = std::min(tokens.size(), open + kLongestList);
  int depth = 0;
  for (size_t i = open; i < end; ++i) {
    switch (tokens[i].getKind()) {
    case tok::less:
      ++depth;
      break;
    case tok::greater:
      --depth;
      break;
    case tok::greatergreater:
      depth -= 2;
      break;
    case tok::l_paren:
      i = closing(tokens, i);
      break;
    case tok::semi:
    case tok::l_brace:
    case tok::eof:
      return 0;
    default:
      break;
    }
    if (depth <= 0)
      return i + 1;
  }
  return 0;
}

} // namespace metalloid::msl
