// SPDX-License-Identifier: Apache-2.0
#include "msl/declarations.h"

#include <algorithm>
#include <string>
#include <vector>

#include "clang/Basic/IdentifierTable.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace metalloid::msl {
namespace {

// A declaration longer than this is not one that people write; the bound keeps hostile text linear.
constexpr size_t kLongestDeclaration = 1000;

bool isAddressSpaceWord(const Token& token) {
  return token.is(tok::identifier) && (isWord(token, "thread") || isWord(token, "device") ||
                                       isWord(token, "constant") || isWord(token, "threadgroup"));
}

// Whether the `{` at `brace` opens a class body: its declaration says struct, class or union other
// than as a template parameter.
bool opensClass(ArrayRef<Token> tokens, size_t brace) {
  if (brace > 0 &&
      tokens[brace - 1].isOneOf(tok::r_paren, tok::kw_const, tok::kw___global, tok::kw___local,
                                tok::kw___constant, tok::kw___private))
    return false; // a function that returns `struct T`
  const size_t begin = brace - std::min(brace, kLongestDeclaration);
  for (size_t i = brace; i-- > begin;) {
    if (tokens[i].isOneOf(tok::semi, tok::l_brace, tok::r_brace))
      return false;
    if (tokens[i].isOneOf(tok::kw_struct, tok::kw_class, tok::kw_union) &&
        (i == 0 || !tokens[i - 1].isOneOf(tok::less, tok::comma, tok::l_paren, tok::kw_enum)))
      return true;
  }
  return false;
}

// Whether the `{` at `brace` opens a namespace or a linkage specification.
bool opensNamespace(ArrayRef<Token> tokens, size_t brace) {
  for (size_t i = brace; i-- > 0;) {
    if (tokens[i].is(tok::kw_namespace))
      return true;
    if (tokens[i].is(tok::string_literal))
      return i > 0 && tokens[i - 1].is(tok::kw_extern);
    if (!tokens[i].isOneOf(tok::identifier, tok::coloncolon, tok::kw_inline))
      return false;
  }
  return false;
}

// The name of the member function whose qualifier stands at `at`; all operators are one.
std::string qualifiedFunctionName(ArrayRef<Token> tokens, size_t at) {
  const size_t close = skipBack(tokens, at, {tok::kw_const, tok::kw_volatile});
  const size_t open = opening(tokens, close);
  for (size_t i = open - std::min<size_t>(open, 8); i < open; ++i)
    if (tokens[i].is(tok::kw_operator))
      return "operator";
  if (open == 0 || !tokens[open - 1].getIdentifierInfo())
    return {};
  return tokens[open - 1].getIdentifierInfo()->getName().str();
}

// Whether only decl-specifiers stand between the start of a declaration and `at`. A variable that
// says static or extern needs no other storage class.
bool startsDeclaration(ArrayRef<Token> tokens, size_t at) {
  for (size_t i = at; i-- > 0;) {
    switch (tokens[i].getKind()) {
    case tok::kw_const:
    case tok::kw_volatile:
    case tok::kw_constexpr:
      continue;
    case tok::r_paren: { // alignas(...)
      const size_t open = opening(tokens, i);
      if (open == 0 || !tokens[open - 1].is(tok::kw_alignas))
        return false;
      i = open - 1;
      continue;
    }
    case tok::l_brace:
    case tok::r_brace:
    case tok::semi:
    case tok::colon:
      return true;
    default:
      return false;
    }
  }
  return true;
}

} // namespace

bool isMemberQualifier(ArrayRef<Token> tokens, size_t at) {
  if (at == 0 || at + 1 >= tokens.size())
    return false;
  return tokens[skipBack(tokens, at, {tok::kw_const, tok::kw_volatile})].is(tok::r_paren) &&
         tokens[at + 1].isOneOf(tok::l_brace, tok::colon, tok::semi, tok::kw_noexcept, tok::arrow,
                                tok::equal, tok::kw_const);
}

llvm::DenseSet<size_t> overloadedThreadQualifiers(ArrayRef<Token> tokens) {
  struct Member {
    std::string overloadSet; // class number and function name
    size_t token;
  };
  std::vector<Member> threadMembers;
  llvm::StringSet<> otherSpaces;
  std::vector<unsigned> enclosing; // class number of each open brace; 0: not a class
  unsigned classes = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.is(tok::l_brace)) {
      enclosing.push_back(opensClass(tokens, i) ? ++classes : 0);
    } else if (token.is(tok::r_brace)) {
      if (!enclosing.empty())
        enclosing.pop_back();
    } else if (isAddressSpaceWord(token) && !enclosing.empty() && enclosing.back() &&
               isMemberQualifier(tokens, i)) {
      std::string set = std::to_string(enclosing.back()) + " " + qualifiedFunctionName(tokens, i);
      if (isWord(token, "thread"))
        threadMembers.push_back({std::move(set), i});
      else
        otherSpaces.insert(set);
    }
  }
  llvm::DenseSet<size_t> result;
  for (const Member& member : threadMembers)
    if (otherSpaces.contains(member.overloadSet))
      result.insert(member.token);
  return result;
}

bool isVariableDeclaration(ArrayRef<Token> tokens, size_t at) {
  if (!startsDeclaration(tokens, at))
    return false;
  int angles = 0; // inside template arguments, `*`, `&`, `,` and `(` belong to a type
  const size_t end = std::min(tokens.size(), at + kLongestDeclaration);
  for (size_t i = at + 1; i < end; ++i) {
    switch (tokens[i].getKind()) {
    case tok::less:
      ++angles;
      break;
    case tok::greater:
    case tok::greatergreater:
      angles -= tokens[i].is(tok::greater) ? 1 : 2;
      if (angles < 0)
        return false;
      break;
    case tok::l_paren:
      if (angles == 0 && !tokens[i - 1].isOneOf(tok::kw_decltype, tok::kw_alignas))
        return false;
      i = closing(tokens, i);
      break;
    case tok::star:
    case tok::amp:
    case tok::ampamp:
      if (angles == 0)
        return false;
      break;
    case tok::r_paren:
    case tok::eof:
      return false;
    case tok::semi:
    case tok::equal:
    case tok::l_square:
    case tok::l_brace:
    case tok::comma:
      if (angles == 0)
        return true;
      break;
    default:
      break;
    }
  }
  return false;
}

size_t redundantMemberDeclaration(ArrayRef<Token> tokens, size_t at) {
  if (!startsDeclaration(tokens, at))
    return 0;
  const size_t end = std::min(tokens.size(), at + kLongestDeclaration);
  bool isConstexpr = tokens[at > 0 ? at - 1 : 0].is(tok::kw_constexpr);
  bool isQualified = false;
  for (size_t i = at + 1; i < end; ++i) {
    const Token& token = tokens[i];
    if (token.is(tok::semi))
      return isConstexpr && isQualified ? i : 0;
    if (token.isOneOf(tok::equal, tok::l_brace, tok::l_paren))
      return 0;
    isConstexpr |= token.is(tok::kw_constexpr);
    isQualified |= token.is(tok::coloncolon) && tokens[i + 1].is(tok::identifier) &&
                   tokens[i + 2].isOneOf(tok::l_square, tok::semi);
  }
  return 0;
}

Initialiser variableInitialiser(ArrayRef<Token> tokens, size_t at) {
  Initialiser result;
  const size_t end = std::min(tokens.size(), at + kLongestDeclaration);
  int angles = 0;
  for (size_t i = at + 1; i < end; ++i) {
    const Token& token = tokens[i];
    if (token.isOneOf(tok::equal, tok::l_brace) && !result.begin)
      result.begin = i;
    if (token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) {
      i = closing(tokens, i);
      continue;
    }
    if (!result.begin && token.isOneOf(tok::less, tok::greater))
      angles += token.is(tok::less) ? 1 : -1;
    if (token.is(tok::semi) || (token.is(tok::comma) && angles == 0)) {
      result.end = i;
      return result.begin ? result : Initialiser();
    }
  }
  return {};
}

bool isParameter(ArrayRef<Token> tokens, size_t at) {
  return tokens[skipBack(tokens, at,
                         {tok::kw_const, tok::kw_volatile, tok::kw_static, tok::kw_constexpr})]
      .isOneOf(tok::l_paren, tok::comma);
}

ArrayParameter arrayParameter(ArrayRef<Token> tokens, size_t at) {
  if (!isParameter(tokens, at))
    return {};
  int angles = 0;
  const size_t end = std::min(tokens.size(), at + kLongestDeclaration);
  for (size_t i = at + 1; i < end; ++i) {
    const Token& token = tokens[i];
    if (token.is(tok::less))
      ++angles;
    else if (token.is(tok::greater) && --angles < 0)
      return {};
    if (angles > 0)
      continue;
    if (token.isOneOf(tok::star, tok::amp, tok::l_paren, tok::r_paren, tok::comma, tok::semi,
                      tok::equal, tok::l_brace))
      return {};
    if (!token.is(tok::l_square))
      continue;
    if (!tokens[i - 1].is(tok::identifier) || tokens[i + 1].is(tok::l_square))
      return {}; // an attribute
    const size_t last = closing(tokens, i);
    // `[[buffer(n)]]` may follow. A second dimension is left for Clang to refuse.
    const bool ends = last + 1 < tokens.size() &&
                      (tokens[last + 1].isOneOf(tok::comma, tok::r_paren) ||
                       (tokens[last + 1].is(tok::l_square) && last + 2 < tokens.size() &&
                        tokens[last + 2].is(tok::l_square)));
    return ends ? ArrayParameter{i - 1, last} : ArrayParameter{};
  }
  return {};
}

namespace {

// Follows the braces and brackets of a translation unit for memberDeclaratorPlaces.
class MemberDeclarators {
public:
  explicit MemberDeclarators(ArrayRef<Token> tokens) : tokens(tokens) {}

  std::vector<bool> find() {
    std::vector<bool> places(tokens.size());
    std::vector<size_t> behindClasses;
    for (size_t i = 0; i < tokens.size(); ++i) {
      const bool inClass = classes > 0;
      follow(i);
      places[i] = open;
      if (tokens[i].isOneOf(tok::l_brace, tok::semi, tok::colon, tok::equal))
        open = false;
      if (inClass && classes == 0 && i + 1 < tokens.size())
        behindClasses.push_back(i + 1);
    }
    // The parser may look two tokens past a declarator before it gives the declaration to Sema.
    for (size_t i = tokens.size(); i-- > 2;)
      places[i] = places[i] || places[i - 1] || places[i - 2];
    for (size_t i : behindClasses)
      places[i] = false;
    return places;
  }

private:
  enum class Scope { Namespace, Class, Other };

  void follow(size_t at);
  void enterBraces(size_t at);
  void leaveBraces();
  bool opensParameters(size_t bracket) const {
    return bracket > 0 &&
           !tokens[bracket - 1].isOneOf(tok::kw_static_assert, tok::kw_decltype, tok::kw_alignas,
                                        tok::kw___attribute, tok::kw_noexcept, tok::kw_sizeof);
  }

  ArrayRef<Token> tokens;
  std::vector<Scope> scopes;
  unsigned others = 0, classes = 0; // of `scopes`
  std::vector<size_t> brackets;     // open round ones, outside Scope::Other
  bool inInitialiser = false;
  size_t parametersEnd = 0; // of the last `template <...>`, which holds no declarator
  bool open = false;        // between a parameter list and the end of the declarator
};

void MemberDeclarators::enterBraces(size_t at) {
  const Scope scope = others > 0 || inInitialiser  ? Scope::Other
                      : opensNamespace(tokens, at) ? Scope::Namespace
                      : opensClass(tokens, at)     ? Scope::Class
                                                   : Scope::Other;
  scopes.push_back(scope);
  others += scope == Scope::Other;
  classes += scope == Scope::Class;
}

void MemberDeclarators::leaveBraces() {
  if (scopes.empty())
    return;
  others -= scopes.back() == Scope::Other;
  classes -= scopes.back() == Scope::Class;
  scopes.pop_back();
}

void MemberDeclarators::follow(size_t at) {
  const Token& token = tokens[at];
  if (token.is(tok::l_brace))
    return enterBraces(at);
  if (token.is(tok::r_brace))
    return leaveBraces();
  if (others > 0)
    return;
  if (token.is(tok::l_paren)) {
    brackets.push_back(at);
  } else if (token.is(tok::r_paren) && !brackets.empty()) {
    const size_t bracket = brackets.back();
    brackets.pop_back();
    if (brackets.empty() && !inInitialiser && at >= parametersEnd && opensParameters(bracket))
      open = true;
  } else if (token.is(tok::kw_template) && tokens[at + 1].is(tok::less)) {
    parametersEnd = afterTemplateArguments(tokens, at + 1);
  } else if (token.is(tok::equal) && brackets.empty() && at >= parametersEnd &&
             !(at > 0 && tokens[at - 1].is(tok::kw_operator))) {
    inInitialiser = true;
  } else if (token.is(tok::semi)) {
    inInitialiser = false;
  }
}

} // namespace

std::vector<bool> memberDeclaratorPlaces(ArrayRef<Token> tokens) {
  return MemberDeclarators(tokens).find();
}

} // namespace metalloid::msl
