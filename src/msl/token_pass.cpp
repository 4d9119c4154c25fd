// SPDX-License-Identifier: Apache-2.0
#include "msl/token_pass.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/LiteralSupport.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallString.h"

#include "msl/attributes.h"
#include "msl/declarations.h"
#include "msl/library_files.h"
#include "msl/ternary_operands.h"

using namespace clang;

namespace metalloid::msl {
namespace {

class TokenPass {
public:
  TokenPass(Preprocessor& preprocessor, const Tokens& in)
      : preprocessor(preprocessor), make(preprocessor), in(in),
        threadQualifiers(overloadedThreadQualifiers(in)), ternaries(findTernaryOperands(in)) {}

  Tokens run() {
    out.reserve(in.size() + in.size() / 8);
    while (next < in.size())
      rewriteNext();
    return std::move(out);
  }

private:
  void rewriteNext();
  bool rewriteWord(StringRef word);
  bool rewriteFloatLiteral();
  bool rewriteStringLiteral();
  bool rewriteAttributes();

  void rewriteSpace(tok::TokenKind keyword);
  bool dropRedundantMember();
  bool dropCoherence();
  void rewriteArrayDeclarator(size_t lastBracket);
  bool rewriteFunctionConstant();
  void appendAnnotation(StringRef name, ArrayRef<Token> arguments, SourceLocation at);
  void wrapTernaryOperands();
  void error(SourceLocation at, const llvm::Twine& message);
  // Whether the library itself says so: it ties declarations to air functions with asm labels.
  bool isInLibrary(SourceLocation at) const;

  bool inGrammar(size_t at) const;

  // `[[function_constant(...)]]` before the declaration that begins at `next` ends.
  bool declaresFunctionConstant() const;
  // Index of the `]]` that ends the list of attributes at `open`, or 0 if none is there.
  size_t attributeListEnd(size_t open) const;

  Preprocessor& preprocessor;
  const TokenFactory make;
  ArrayRef<Token> in;
  const llvm::DenseSet<size_t> threadQualifiers;
  const TernaryOperands ternaries;
  llvm::DenseMap<size_t, size_t> arrayParameters; // name -> last `]`
  llvm::DenseMap<size_t, size_t> skipped;         // first token to leave out -> first to keep
  Tokens out;
  size_t next = 0;
};

void TokenPass::error(SourceLocation at, const llvm::Twine& message) {
  DiagnosticsEngine& diagnostics = preprocessor.getDiagnostics();
  diagnostics.Report(at, diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0"))
      << message.str();
}

bool TokenPass::isInLibrary(SourceLocation at) const {
  const SourceManager& sources = preprocessor.getSourceManager();
  const auto file = sources.getFileEntryRefForID(sources.getFileID(sources.getExpansionLoc(at)));
  return file && file->getName().starts_with(StringRef(kLibraryFolder));
}

void TokenPass::rewriteNext() {
  if (auto skip = skipped.find(next); skip != skipped.end()) {
    next = skip->second;
    return;
  }
  wrapTernaryOperands();
  const Token& token = in[next];
  if (auto array = arrayParameters.find(next); array != arrayParameters.end()) {
    rewriteArrayDeclarator(array->second);
    return;
  }
  if (token.is(tok::numeric_constant) && rewriteFloatLiteral())
    return;
  if (token.is(tok::string_literal) && rewriteStringLiteral())
    return;
  if (token.is(tok::identifier) && rewriteWord(token.getIdentifierInfo()->getName()))
    return;
  if (token.is(tok::l_square) && rewriteAttributes())
    return;
  if (token.is(tok::kw_asm) && !isInLibrary(token.getLocation()))
    error(token.getLocation(), "inline assembly is not supported: MSL has none");
  out.push_back(token);
  ++next;
}

void TokenPass::wrapTernaryOperands() {
  const SourceLocation at = in[next].getLocation();
  if (auto closes = ternaries.closes.find(next); closes != ternaries.closes.end())
    for (unsigned i = 0; i < closes->second; ++i)
      out.push_back(make.punctuation(tok::r_paren, at));
  if (auto opens = ternaries.opens.find(next); opens != ternaries.opens.end())
    for (unsigned i = 0; i < opens->second; ++i) {
      out.push_back(make.punctuation(tok::l_paren, at));
      make.appendLibraryName(out, "__sel", at);
      out.push_back(make.punctuation(tok::l_brace, at));
      out.push_back(make.punctuation(tok::r_brace, at));
      out.push_back(make.punctuation(tok::comma, at));
    }
}

bool TokenPass::rewriteWord(StringRef word) {
  const SourceLocation at = in[next].getLocation();
  if (word == "thread") {
    if (threadQualifiers.contains(next))
      out.push_back(make.keyword(tok::kw___private, at));
    ++next;
    return true;
  }
  if (word == "device") {
    rewriteSpace(tok::kw___global);
    return true;
  }
  if (word == "threadgroup") {
    rewriteSpace(tok::kw___local);
    return true;
  }
  if (word == "constant") {
    if (!dropRedundantMember() && !rewriteFunctionConstant())
      rewriteSpace(tok::kw___constant);
    return true;
  }
  if (word == "coherent" && dropCoherence())
    return true;
  if (word == "kernel") {
    appendAnnotation(word, {}, at);
    ++next;
    return true;
  }
  // `vertex float4 f(`: only where a type follows; the words are free for other use.
  if (StringRef feature = refusedFunctionQualifier(word);
      !feature.empty() && in[next + 1].getIdentifierInfo() &&
      (next == 0 || in[next - 1].isOneOf(tok::semi, tok::r_brace, tok::l_brace))) {
    error(at, feature + " are not supported: Metalloid compiles compute kernels only");
    ++next;
    return true;
  }
  return false;
}

// The address-space word itself, what it implies, and the array parameter that it may begin.
void TokenPass::rewriteSpace(tok::TokenKind keyword) {
  const SourceLocation at = in[next].getLocation();
  const bool isConstant = keyword == tok::kw___constant;
  const bool isVariable = keyword != tok::kw___global && isVariableDeclaration(in, next);
  // A variable of function scope in a space outlives the call: what C++ calls static. A device
  // variable does not exist in MSL; Clang refuses it.
  if (isVariable)
    out.push_back(make.keyword(tok::kw_static, at));
  // Threadgroup memory starts undefined whatever its initialiser says, as on Apple's GPUs.
  if (isVariable && keyword == tok::kw___local)
    if (Initialiser initialiser = variableInitialiser(in, next); initialiser.begin)
      skipped[initialiser.begin] = initialiser.end;
  out.push_back(make.keyword(keyword, at));
  if (isConstant && !isMemberQualifier(in, next))
    out.push_back(make.keyword(tok::kw_const, at));
  if (ArrayParameter array = arrayParameter(in, next); array.name)
    arrayParameters[array.name] = array.lastBracket;
  ++next;
}

bool TokenPass::dropRedundantMember() {
  const size_t end = redundantMemberDeclaration(in, next);
  if (end == 0)
    return false;
  while (!out.empty() && out.back().isOneOf(tok::kw_constexpr, tok::kw_const, tok::kw_static))
    out.pop_back();
  next = end + 1;
  return true;
}

// `coherent device T*` or `coherent(system) device T*`: every device here keeps its memory coherent
// where atomics and barriers ask for it, so the word adds nothing.
bool TokenPass::dropCoherence() {
  size_t after = next + 1;
  if (in[after].is(tok::l_paren))
    after = closing(in, after) + 1;
  if (after >= in.size() || !(isWord(in[after], "device") || in[after].is(tok::kw_const) ||
                              in[after].is(tok::kw_volatile)))
    return false;
  next = after;
  return true;
}

// `name[n]` -> `*name`, which is what C++ makes of it, but Clang refuses an array of qualified
// elements. Reflection wants n.
void TokenPass::rewriteArrayDeclarator(size_t lastBracket) {
  const Token& name = in[next];
  out.push_back(make.punctuation(tok::star, name.getLocation()));
  out.push_back(name);
  if (const ArrayRef<Token> extent = in.slice(next + 2, lastBracket - next - 2); !extent.empty())
    appendAnnotation(kArrayExtent, extent, name.getLocation());
  next = lastBracket + 1;
}

bool TokenPass::declaresFunctionConstant() const {
  for (size_t i = next; i + 2 < in.size(); ++i) {
    if (in[i].isOneOf(tok::semi, tok::equal, tok::l_brace, tok::r_paren))
      return false;
    if (in[i].is(tok::l_square) && in[i + 1].is(tok::l_square) &&
        isWord(in[i + 2], "function_constant"))
      return true;
  }
  return false;
}

// `static constant constexpr bool x [[function_constant(1)]];`: the host gives the value, so it is
// declared extern; code generation gives it a definition (function_constants.h).
bool TokenPass::rewriteFunctionConstant() {
  if (isParameter(in, next) || !declaresFunctionConstant())
    return false;
  const SourceLocation at = in[next].getLocation();
  auto isSpecifier = [](const Token& token) {
    return token.isOneOf(tok::kw_static, tok::kw_constexpr, tok::kw_const);
  };
  while (!out.empty() && isSpecifier(out.back()))
    out.pop_back();
  out.push_back(make.keyword(tok::kw_extern, at));
  out.push_back(make.keyword(tok::kw___constant, at));
  out.push_back(make.keyword(tok::kw_const, at));
  ++next;
  while (isSpecifier(in[next]))
    ++next;
  return true;
}

// MSL has no double: `1.0` is a float. LangOptions::SinglePrecisionConstants would do, but its
// conversion is lost when a template is instantiated.
bool TokenPass::rewriteFloatLiteral() {
  const SourceLocation at = in[next].getLocation();
  SmallString<32> buffer;
  const StringRef spelling = preprocessor.getSpelling(in[next], buffer);
  const bool isHex = spelling.starts_with_insensitive("0x");
  if (spelling.find_first_of(isHex ? ".pP" : ".eE") == StringRef::npos)
    return false;
  if (spelling.ends_with_insensitive("bf")) {
    make.appendLibraryName(out, "bfloat", at);
    out.push_back(make.punctuation(tok::l_paren, at));
    out.push_back(make.number((spelling.drop_back(2) + "f").str(), at));
    out.push_back(make.punctuation(tok::r_paren, at));
  } else if (spelling.take_back(1).find_first_of("fFhHlL") == StringRef::npos) {
    out.push_back(make.number((spelling + "f").str(), at));
  } else {
    return false;
  }
  ++next;
  return true;
}

// A string literal of MSL is in the constant address space. Stays as it is: one that is part of the
// grammar (static_assert, attributes, extern "C") or initialises an array.
bool TokenPass::rewriteStringLiteral() {
  const Token& before = in[next > 0 ? next - 1 : 0];
  const bool initialisesArray =
      next >= 2 && before.is(tok::equal) && in[next - 2].is(tok::r_square);
  if (before.isOneOf(tok::kw_extern, tok::kw_operator) || initialisesArray || inGrammar(next) ||
      isInLibrary(in[next].getLocation()))
    return false;
  size_t end = next;
  while (in[end].is(tok::string_literal))
    ++end;
  const StringLiteralParser literal(in.slice(next, end - next), preprocessor);
  if (literal.hadError)
    return false;
  const SourceLocation at = in[next].getLocation();
  out.push_back(make.punctuation(tok::l_paren, at)); // else `T x("a", "b");` may be a function
  make.appendLibraryName(out, "__string", at);
  out.push_back(make.punctuation(tok::less, at));
  bool first = true;
  for (const char character : literal.GetString()) {
    if (!first)
      out.push_back(make.punctuation(tok::comma, at));
    first = false;
    const int code = static_cast<signed char>(character);
    if (code < 0)
      out.push_back(make.punctuation(tok::minus, at));
    out.push_back(make.number(std::to_string(std::abs(code)), at));
  }
  out.push_back(make.punctuation(tok::greater, at));
  out.push_back(make.punctuation(tok::r_paren, at));
  next = end;
  return true;
}

// Whether the string at `at` is the message of a static_assert or stands in [[...]] or
// __attribute__: everything from the last `;` or brace on that is open there.
bool TokenPass::inGrammar(size_t at) const {
  constexpr size_t kLongest = 400;
  for (size_t i = at; i-- > at - std::min(at, kLongest);) {
    if (in[i].isOneOf(tok::kw_static_assert, tok::kw___attribute, tok::kw_asm) ||
        (in[i].is(tok::l_square) && in[i + 1].is(tok::l_square)))
      return true;
    if (in[i].isOneOf(tok::semi, tok::l_brace, tok::r_brace))
      return false;
  }
  return false;
}

size_t TokenPass::attributeListEnd(size_t open) const {
  if (open + 3 >= in.size() || !in[open + 1].is(tok::l_square))
    return 0;
  const size_t inner = closing(in, open + 1);
  return inner + 1 < in.size() && in[inner + 1].is(tok::r_square) ? inner + 1 : 0;
}

// `[[a, b(1)]]`. C++'s own attributes and `[[scope::name]]` go through untouched.
bool TokenPass::rewriteAttributes() {
  const size_t end = attributeListEnd(next);
  if (end == 0 || !in[next + 2].getIdentifierInfo() || in[next + 3].is(tok::coloncolon))
    return false;
  if (!findAttribute(in[next + 2].getIdentifierInfo()->getName()))
    return false;
  for (size_t i = next + 2; i + 1 < end;) {
    const Token& word = in[i];
    const StringRef name =
        word.getIdentifierInfo() ? word.getIdentifierInfo()->getName() : StringRef();
    const Attribute* attribute = findAttribute(name);
    ++i;
    ArrayRef<Token> arguments;
    if (in[i].is(tok::l_paren)) {
      const size_t close = closing(in, i);
      arguments = in.slice(i + 1, close - i - 1);
      i = close + 1;
    }
    if (!attribute)
      error(word.getLocation(), "unknown attribute '" + name + "'");
    else if (attribute->kind == AttributeKind::Refused)
      error(word.getLocation(),
            "attribute '" + name + "' is not supported: Metalloid has no " + attribute->feature);
    else
      appendAnnotation(name, arguments, word.getLocation());
    if (i < end && in[i].is(tok::comma))
      ++i;
    else
      break;
  }
  next = end + 1;
  return true;
}

void TokenPass::appendAnnotation(StringRef name, ArrayRef<Token> arguments, SourceLocation at) {
  out.push_back(make.keyword(tok::kw___attribute, at));
  out.push_back(make.punctuation(tok::l_paren, at));
  out.push_back(make.punctuation(tok::l_paren, at));
  out.push_back(make.identifier("annotate", at));
  out.push_back(make.punctuation(tok::l_paren, at));
  out.push_back(make.string((kAnnotationPrefix + name).str(), at));
  // The name of a function constant, as the condition of a parameter, is not a constant expression.
  const bool namesConstant =
      name == "function_constant" && arguments.size() == 1 && arguments.front().is(tok::identifier);
  if (!arguments.empty()) {
    out.push_back(make.punctuation(tok::comma, at));
    if (namesConstant)
      out.push_back(make.string(arguments.front().getIdentifierInfo()->getName(), at));
    else
      out.append(arguments.begin(), arguments.end());
  }
  for (int i = 0; i < 3; ++i)
    out.push_back(make.punctuation(tok::r_paren, at));
}

} // namespace

RewrittenTokens rewriteTokens(Preprocessor& preprocessor, const Tokens& in) {
  RewrittenTokens result;
  result.tokens = TokenPass(preprocessor, in).run();
  result.declaresMembers = memberDeclaratorPlaces(result.tokens);
  return result;
}

} // namespace metalloid::msl
