// SPDX-License-Identifier: Apache-2.0
#include "msl/ternary_operands.h"

#include <vector>

using namespace clang;

namespace metalloid::msl {
namespace {

// A `?` whose operands are not yet complete.
struct Pending {
  int depth;           // of brackets around it
  bool inSecond;       // past its `:`
  size_t operandStart; // of the operand now open
  int angles = 0;      // `<` seen in that operand and not closed
};

bool endsOperand(const Token& token) {
  return token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace, tok::comma, tok::semi, tok::colon,
                       tok::eof);
}

// A literal or `this` alone has no address space to lose; a braced list or string is no class.
bool mayBeClassObject(ArrayRef<Token> tokens, size_t begin, size_t end) {
  if (begin >= end)
    return false;
  const Token& first = tokens[begin];
  if (end == begin + 1 && (first.isLiteral() || first.isOneOf(tok::kw_true, tok::kw_false,
                                                              tok::kw_nullptr, tok::kw_this)))
    return false;
  return !first.isOneOf(tok::l_brace, tok::kw_throw, tok::string_literal);
}

// `X<c ? a : b>`: this `>` ends the template argument, and with it the ternary.
bool closesTemplateArgument(ArrayRef<Token> tokens, size_t at) {
  return tokens[at].is(tok::greater) && at + 1 < tokens.size() &&
         tokens[at + 1].isOneOf(tok::semi, tok::comma, tok::r_paren, tok::greater, tok::coloncolon,
                                tok::l_brace);
}

} // namespace

TernaryOperands findTernaryOperands(ArrayRef<Token> tokens) {
  TernaryOperands result;
  std::vector<Pending> pending;
  int depth = 0;
  auto finish = [&](size_t end) {
    const size_t start = pending.back().operandStart;
    if (!mayBeClassObject(tokens, start, end))
      return;
    ++result.opens[start];
    ++result.closes[end];
  };

  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    while (!pending.empty() && pending.back().inSecond && pending.back().depth == depth &&
           endsOperand(token)) {
      finish(i);
      pending.pop_back();
      if (token.is(tok::colon))
        break; // of the ternary around it
    }
    const bool innermost = !pending.empty() && pending.back().depth == depth;
    if (innermost && token.is(tok::less))
      ++pending.back().angles;
    else if (innermost && token.is(tok::greater) && pending.back().angles > 0)
      --pending.back().angles;
    else if (innermost && pending.back().inSecond && closesTemplateArgument(tokens, i))
      pending.pop_back();

    if (token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) {
      ++depth;
    } else if (token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace)) {
      --depth;
    } else if (token.is(tok::question)) {
      pending.push_back({depth, false, i + 1});
    } else if (token.is(tok::colon) && !pending.empty() && !pending.back().inSecond &&
               pending.back().depth == depth) {
      finish(i);
      pending.back() = {depth, true, i + 1};
    }
  }
  return result;
}

} // namespace metalloid::msl
