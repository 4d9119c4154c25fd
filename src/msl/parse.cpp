// SPDX-License-Identifier: Apache-2.0
#include "msl/parse.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExternalASTSource.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Parse/Parser.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"

#include "msl/token_pass.h"

using namespace clang;

namespace metalloid::msl {
namespace {

// Clang reads an address space behind a member function's parameters only as "C++ for OpenCL", and
// under that option gives temporaries, `T(a, b)`, the type `__private T`, which is another type to
// templates. So the option is on only where a member's declarator may end.
class MemberQualifierSwitch {
public:
  MemberQualifierSwitch(CompilerInstance& clang, const RewrittenTokens& rewritten)
      : preprocessor(clang.getPreprocessor()), options(clang.getLangOpts()) {
    preprocessor.setTokenWatcher([this, &rewritten](const Token& token) {
      // The parser's own annotation tokens are reported as well; they are not ours.
      if (next >= rewritten.tokens.size() ||
          token.getLocation() != rewritten.tokens[next].getLocation() ||
          token.getKind() != rewritten.tokens[next].getKind())
        return;
      options.OpenCLCPlusPlus = rewritten.declaresMembers[next];
      ++next;
    });
  }
  ~MemberQualifierSwitch() {
    preprocessor.setTokenWatcher({});
    options.OpenCLCPlusPlus = true; // as a precompiled header records it
  }

private:
  Preprocessor& preprocessor;
  LangOptions& options;
  size_t next = 0;
};

// The words of OpenCL that are not words of MSL are the user's.
void releaseOpenClKeywords(Preprocessor& preprocessor) {
  for (const char* word :
       {"global", "local", "constant", "generic", "kernel", "pipe", "read_only", "write_only",
        "read_write", "addrspace_cast", "vec_step", "image1d_t", "image2d_t", "image3d_t"}) {
    IdentifierInfo* name = preprocessor.getIdentifierInfo(word);
    if (name->getTokenID() != tok::identifier)
      name->revertTokenIDToIdentifier();
  }
}

} // namespace

Tokens preprocess(Preprocessor& preprocessor) {
  Tokens tokens;
  Token token;
  releaseOpenClKeywords(preprocessor);
  preprocessor.EnterMainSourceFile();
  do {
    preprocessor.Lex(token);
    tokens.push_back(token);
  } while (token.isNot(tok::eof));
  return tokens;
}

void parseTranslationUnit(CompilerInstance& clang) {
  Sema& sema = clang.getSema();
  Preprocessor& preprocessor = clang.getPreprocessor();
  ASTConsumer& consumer = sema.getASTConsumer();
  Parser parser(preprocessor, sema, /*SkipFunctionBodies=*/false);
  const RewrittenTokens rewritten = rewriteTokens(preprocessor, preprocess(preprocessor));
  preprocessor.EnterTokenStream(rewritten.tokens, /*DisableMacroExpansion=*/true,
                                /*IsReinject=*/false);
  MemberQualifierSwitch memberQualifiers(clang, rewritten);

  if (ExternalASTSource* external = sema.getASTContext().getExternalSource())
    external->StartTranslationUnit(&consumer);
  parser.Initialize();
  // `1.0h` needs the extension; a precompiled header has just overwritten what Sema knew of it.
  sema.getOpenCLOptions().support("cl_khr_fp16");
  sema.getOpenCLOptions().enable("cl_khr_fp16");

  Parser::DeclGroupPtrTy declarations;
  Sema::ModuleImportState imports;
  EnterExpressionEvaluationContext evaluated(
      sema, Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
  for (bool end = parser.ParseFirstTopLevelDecl(declarations, imports); !end;
       end = parser.ParseTopLevelDecl(declarations, imports))
    if (declarations && !consumer.HandleTopLevelDecl(declarations.get()))
      return;
  for (Decl* declaration : sema.WeakTopLevelDecls())
    consumer.HandleTopLevelDecl(DeclGroupRef(declaration));
  consumer.HandleTranslationUnit(sema.getASTContext());
}

} // namespace metalloid::msl
