// SPDX-License-Identifier: Apache-2.0
#include "msl/pragmas.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

#include "msl/token_tools.h"

using namespace clang;

namespace metalloid::msl {
namespace {

// Clang's pragma for `name(value)`; empty if MSL has no such thing.
StringRef clangPragma(StringRef name, StringRef value) {
  if (name == "math_mode" && value == "safe")
    return "float_control(precise, on)";
  if (name == "math_mode" && (value == "relaxed" || value == "fast"))
    return "float_control(precise, off)";
  if (name == "contract" && value == "off")
    return "clang fp contract(off)";
  if (name == "contract" && value == "on")
    return "clang fp contract(on)";
  if (name == "contract" && value == "fast")
    return "clang fp contract(fast)";
  return {};
}

class MetalPragma final : public PragmaHandler {
public:
  MetalPragma() : PragmaHandler("METAL") {}

  void HandlePragma(Preprocessor& preprocessor, PragmaIntroducer, Token& first) override {
    const SourceLocation at = first.getLocation();
    Tokens line;
    Token token;
    do {
      preprocessor.LexUnexpandedToken(token);
      line.push_back(token);
    } while (token.isNot(tok::eod));

    if (isWord(line[0], "internals"))
      return;
    StringRef pragma;
    if (line.size() == 6 && isWord(line[0], "fp") && line[1].is(tok::identifier) &&
        line[2].is(tok::l_paren) && line[3].is(tok::identifier) && line[4].is(tok::r_paren))
      pragma = clangPragma(line[1].getIdentifierInfo()->getName(),
                           line[3].getIdentifierInfo()->getName());
    if (pragma.empty()) {
      DiagnosticsEngine& diagnostics = preprocessor.getDiagnostics();
      diagnostics.Report(at, diagnostics.getCustomDiagID(
                                 DiagnosticsEngine::Error,
                                 "unknown '#pragma METAL': use fp math_mode(safe|relaxed|fast) or "
                                 "fp contract(off|on|fast)"));
      return;
    }
    enterPragma(preprocessor, pragma, at);
  }

private:
  // `_Pragma("...")`, to be lexed next.
  static void enterPragma(Preprocessor& preprocessor, StringRef pragma, SourceLocation at) {
    const TokenFactory make(preprocessor);
    const Token tokens[] = {make.identifier("_Pragma", at), make.punctuation(tok::l_paren, at),
                            make.string(pragma, at), make.punctuation(tok::r_paren, at)};
    auto copy = std::make_unique<Token[]>(std::size(tokens));
    std::copy(std::begin(tokens), std::end(tokens), copy.get());
    preprocessor.EnterTokenStream(std::move(copy), std::size(tokens),
                                  /*DisableMacroExpansion=*/false, /*IsReinject=*/false);
  }
};

} // namespace

void addMetalPragmas(Preprocessor& preprocessor) {
  preprocessor.AddPragmaHandler(new MetalPragma); // the preprocessor owns it
}

} // namespace metalloid::msl
