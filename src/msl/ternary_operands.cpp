// SPDX-License-Identifier: Apache-2.0
#include "msl/ternary_operands.h"

#include <algorithm>
#include <vector>

using namespace clang;

namespace metalloid::msl {
namespace {

// A `?` whose operands are not yet complete.
struct Pending {
  int depth;           // of brackets around it
  bool inSecond;       // past its `:`
  size_t operandStart; // of the operand now open
  bool inTemplateArgument;
  int angles = 0; // `<` seen in that operand and not closed
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
bool closesTemplateArgument(ArrayRef<Token> tokens, size_t at, bool inTemplateArgument) {
  if (!tokens[at].is(tok::greater) || at + 1 >= tokens.size())
    return false;
  const Token& after = tokens[at + 1];
  return after.isOneOf(tok::semi, tok::comma, tok::r_paren, tok::greater, tok::coloncolon,
                       tok::l_brace) ||
         (after.is(tok::l_paren) && inTemplateArgument);
}

// Whether `name<` is open at `at`. `a < b ? c : d > (e)` looks the same; its operands then stay as
// they are, which only matters to objects of class type.
bool mayBeTemplateArgument(ArrayRef<Token> tokens, size_t at) {
  constexpr size_t kLongest = 64;
  for (size_t i = at; i-- > at - std::min(at, kLongest);) {
    if (tokens[i].isOneOf(tok::r_paren, tok::r_square))
      i = opening(tokens, i);
    else if (tokens[i].is(tok::less))
      return i > 0 && tokens[i - 1].is(tok::identifier);
    else if (tokens[i].isOneOf(tok::l_paren, tok::l_square, tok::l_brace, tok::r_brace, tok::semi))
      return false;
  }
  return false;
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
    else if (innermost && pending.back().inSecond &&
             closesTemplateArgument(tokens, i, pending.back().inTemplateArgument))
      pending.pop_back();

    if (token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) {
      ++depth;
    } else if (token.isOneOf(tok::r_paren, tok::r_square, tok::r_brace)) {
      --depth;
    } else if (token.is(tok::question)) {
      pending.push_back({depth, false, i + 1, mayBeTemplateArgument(tokens, i)});
    } else if (token.is(tok::colon) && !pending.empty() && !pending.back().inSecond &&
               pending.back().depth == depth) {
      finish(i);
      pending.back() = {depth, true, i + 1, pending.back().inTemplateArgument};
    }
  }
  return result;
}

} // namespace metalloid::msl
