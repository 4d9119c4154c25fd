// SPDX-License-Identifier: Apache-2.0
// The token pass by itself: MSL in, the tokens that Clang's parser gets out.
#include <gtest/gtest.h>

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/Preprocessor.h"

#include "msl/frontend.h"
#include "msl/parse.h"
#include "msl/token_pass.h"

namespace metalloid::msl {
namespace {

std::string spelling(const clang::Token& token) {
  if (token.getIdentifierInfo())
    return token.getIdentifierInfo()->getName().str();
  if (token.isLiteral())
    return std::string(token.getLiteralData(), token.getLength());
  return clang::tok::getPunctuatorSpelling(token.getKind());
}

// Keeps the rewritten tokens as text. With `marks`, those at which the declarator of a member may
// end are followed by a '.
class RewriteAction final : public clang::PreprocessorFrontendAction {
public:
  explicit RewriteAction(bool marks) : marks(marks) {}
  std::string text;

private:
  void ExecuteAction() override {
    clang::Preprocessor& preprocessor = getCompilerInstance().getPreprocessor();
    const RewrittenTokens rewritten = rewriteTokens(preprocessor, preprocess(preprocessor));
    for (size_t i = 0; i + 1 < rewritten.tokens.size(); ++i) {
      text += text.empty() ? "" : " ";
      text += spelling(rewritten.tokens[i]);
      if (marks && rewritten.declaresMembers[i])
        text += "'";
    }
  }
  bool marks;
};

struct Rewritten {
  std::string text;
  std::vector<Diagnostic> diagnostics;
};

Rewritten run(const std::string& text, bool marks) {
  Rewritten result;
  Source source;
  source.text = text;
  RewriteAction action(marks);
  Frontend(source, *airVersion(source.languageVersion), result.diagnostics).run(action);
  result.text = action.text;
  return result;
}

std::string rewrite(const std::string& text) {
  return run(text, false).text;
}
std::string marked(const std::string& text) {
  return run(text, true).text;
}
std::string firstError(const std::string& text) {
  const Rewritten result = run(text, false);
  return result.diagnostics.empty() ? "" : result.diagnostics.front().message;
}

TEST(TokenPass, SpellsAddressSpacesOfPointers) {
  EXPECT_EQ(rewrite("device float* p; const device int& r = x;"),
            "__global float * p ; const __global int & r = x ;");
  EXPECT_EQ(rewrite("void f(constant float* c, threadgroup float* t, thread int& i);"),
            "void f ( __constant const float * c , __local float * t , int & i ) ;");
}

TEST(TokenPass, MakesVariablesOfASpaceStatic) {
  EXPECT_EQ(rewrite("void f() { threadgroup float a[4]; constant int b = 1; }"),
            "void f ( ) { static __local float a [ 4 ] ; static __constant const int b = 1 ; }");
  EXPECT_EQ(rewrite("void f() { threadgroup vec<float, 2> a; threadgroup float* p; }"),
            "void f ( ) { static __local vec < float , 2 > a ; __local float * p ; }");
  EXPECT_EQ(rewrite("static constant int b = 1;"), "static __constant const int b = 1 ;");
}

TEST(TokenPass, DropsInitialisersOfThreadgroupMemory) {
  EXPECT_EQ(rewrite("void f() { threadgroup float a[2] = {0, 1}; threadgroup int n = g(1, 2); }"),
            "void f ( ) { static __local float a [ 2 ] ; static __local int n ; }");
}

TEST(TokenPass, DropsRedundantDeclarationsOfConstexprMembers) {
  EXPECT_EQ(rewrite("constant constexpr const float T<6, 3>::in[8][8]; int x;"), "int x ;");
  EXPECT_EQ(rewrite("constexpr constant T::U x = {1};"),
            "constexpr static __constant const T :: U x = { 1 } ;");
}

TEST(TokenPass, KeepsThreadOnlyWhereItTellsOverloadsApart) {
  EXPECT_EQ(rewrite("struct S { int f() thread { return 1; } int f() device { return 2; } };"),
            "struct S { int f ( ) __private { return 1 ; } int f ( ) __global { return 2 ; } } ;");
  EXPECT_EQ(rewrite("struct S { int f() const thread; int g() const device; };"),
            "struct S { int f ( ) const ; int g ( ) const __global ; } ;");
  EXPECT_EQ(
      rewrite("struct S { S& operator=(thread const S&) thread; int operator()() device; };"),
      "struct S { S & operator = ( const S & ) __private ; int operator ( ) ( ) __global ; } ;");
}

TEST(TokenPass, TurnsAttributesIntoAnnotations) {
  EXPECT_EQ(rewrite("kernel void k(device int* p [[buffer(0)]]);"),
            "__attribute ( ( annotate ( \"msl.kernel\" ) ) ) void k ( __global int * p "
            "__attribute ( ( annotate ( \"msl.buffer\" , 0 ) ) ) ) ;");
  EXPECT_EQ(rewrite("[[kernel, max_total_threads_per_threadgroup(N * 32)]] void k();"),
            "__attribute ( ( annotate ( \"msl.kernel\" ) ) ) __attribute ( ( annotate ( "
            "\"msl.max_total_threads_per_threadgroup\" , N * 32 ) ) ) void k ( ) ;");
}

TEST(TokenPass, LeavesOtherAttributesAndSubscriptsAlone) {
  EXPECT_EQ(rewrite("[[maybe_unused]] int x; [[clang::noinline]] int f();"),
            "[ [ maybe_unused ] ] int x ; [ [ clang :: noinline ] ] int f ( ) ;");
  EXPECT_EQ(rewrite("int y = a[buffer[0]];"), "int y = a [ buffer [ 0 ] ] ;");
  EXPECT_EQ(rewrite("int y = a[[buffer](int i) { return i; }(1)];"),
            "int y = a [ [ buffer ] ( int i ) { return i ; } ( 1 ) ] ;");
}

TEST(TokenPass, DeclaresFunctionConstantsExtern) {
  EXPECT_EQ(rewrite("static constant constexpr bool b [[function_constant(3)]];"),
            "extern __constant const bool b __attribute ( ( annotate ( "
            "\"msl.function_constant\" , 3 ) ) ) ;");
  // As the condition of a parameter it is the name that counts.
  EXPECT_EQ(rewrite("void k(constant int* p [[function_constant(b)]]);"),
            "void k ( __constant const int * p __attribute ( ( annotate ( "
            "\"msl.function_constant\" , \"b\" ) ) ) ) ;");
}

TEST(TokenPass, MakesPointersOfArrayParameters) {
  EXPECT_EQ(rewrite("void f(constant const int64_t shape[3], int n);"),
            "void f ( __constant const const int64_t * shape __attribute ( ( annotate ( "
            "\"msl.array extent\" , 3 ) ) ) , int n ) ;");
  EXPECT_EQ(rewrite("void f(device float x[]);"), "void f ( __global float * x ) ;");
}

TEST(TokenPass, MakesFloatsOfUnsuffixedLiterals) {
  EXPECT_EQ(rewrite("x = 1.0 + 2.5e3 + .5 + 0x1.8p3 + 1e5;"),
            "x = 1.0f + 2.5e3f + .5f + 0x1.8p3f + 1e5f ;");
  EXPECT_EQ(rewrite("x = 1.0f + 2.0h + 0xe5 + 15 + 3u;"), "x = 1.0f + 2.0h + 0xe5 + 15 + 3u ;");
  EXPECT_EQ(rewrite("x = 1.5bf;"), "x = :: metal :: bfloat ( 1.5f ) ;");
}

TEST(TokenPass, PutsStringsIntoConstantMemory) {
  EXPECT_EQ(rewrite("f(\"ab\" \"\\n\");"), "f ( ( :: metal :: __string < 97 , 98 , 10 > ) ) ;");
  EXPECT_EQ(
      rewrite("static_assert(x, \"no\"); extern \"C\" int f(); constant char s[] = \"ab\";"),
      "static_assert ( x , \"no\" ) ; extern \"C\" int f ( ) ; static __constant const char s [ "
      "] = \"ab\" ;");
}

TEST(TokenPass, WrapsOperandsOfTernaries) {
  EXPECT_EQ(rewrite("x = c ? a : b;"), "x = c ? ( :: metal :: __sel { } , a ) : ( :: metal :: "
                                       "__sel { } , b ) ;");
  EXPECT_EQ(rewrite("x = c ? 1 : 2;"), "x = c ? 1 : 2 ;");
  EXPECT_EQ(rewrite("x = c ? 1 : d ? a : 3;"),
            "x = c ? 1 : ( :: metal :: __sel { } , d ? ( :: metal "
            ":: __sel { } , a ) : 3 ) ;");
  EXPECT_EQ(rewrite("f<c ? 1 : N>();"), "f < c ? 1 : N > ( ) ;");
  EXPECT_EQ(rewrite("switch (x) { case 1: y = c ? 2 : 3; default: ; }"),
            "switch ( x ) { case 1 : y = c ? 2 : 3 ; default : ; }");
}

TEST(TokenPass, MarksWhereDeclaratorsOfMembersEnd) {
  EXPECT_EQ(marked("struct S { int f() device { return T(1); } int x; };"),
            "struct S { int f ( )' __global' {' return' T' ( 1 ) ; } int x ; } ;");
  // Not inside initialisers, types and assertions; not behind a class, where bodies are parsed.
  EXPECT_EQ(marked("static_assert(f(1)); int x = T(1, 2); struct S { int f(); };"),
            "static_assert ( f ( 1 ) ) ; int x = T ( 1 , 2 ) ; struct S { int f ( )' ;' }' ;");
  EXPECT_EQ(marked("template <int N = (1)> void f() device;"),
            "template < int N = ( 1 ) > void f ( )' __global' ;'");
}

TEST(TokenPass, ReportsWhatDoesNotExistHere) {
  EXPECT_EQ(firstError("vertex float4 v() { return 0; }"),
            "vertex and fragment functions are not supported: Metalloid compiles compute kernels "
            "only");
  EXPECT_EQ(
      firstError("void f(int x [[stage_in]]);"),
      "attribute 'stage_in' is not supported: Metalloid has no vertex and fragment functions");
  EXPECT_EQ(firstError("[[kernel, sparkling]] void f();"), "unknown attribute 'sparkling'");
  EXPECT_EQ(firstError("void f() { asm(\"nop\"); }"),
            "inline assembly is not supported: MSL has none");
}

TEST(TokenPass, SurvivesTextThatEndsTooSoon) {
  for (const char* text : {"threadgroup",
                           "constant",
                           "device",
                           "[[",
                           "[[buffer",
                           "[[buffer(",
                           "a ? ",
                           "kernel",
                           "thread",
                           "template <",
                           "x = 1 ?",
                           "struct S { int f() device",
                           "constant int x [[function_constant(",
                           "vertex",
                           "coherent",
                           "coherent(",
                           "f(\"a\"",
                           "threadgroup int x = {",
                           "]]]",
                           ")))",
                           "}}}"})
    rewrite(text);
}

} // namespace
} // namespace metalloid::msl
