// SPDX-License-Identifier: Apache-2.0
#include "msl/invocation.h"

#include "clang/Basic/LangStandard.h"
#include "clang/Basic/TargetOptions.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/TargetParser/Triple.h"

using namespace clang;

namespace metalloid::msl {
namespace {

void setLanguage(LangOptions& options, const llvm::Triple& triple) {
  std::vector<std::string> includes;
  LangOptions::setLangDefaults(options, Language::CXX, triple, includes, LangStandard::lang_cxx17);
  options.GNUMode = true;
  options.Bool = true;
  options.Half = options.NativeHalfType = options.NativeHalfArgsAndReturns = true;
  options.DeclSpecKeyword = true; // __declspec(property): swizzles
  options.DoubleSquareBracketAttributes = true;
  options.RTTI = options.Exceptions = options.CXXExceptions = false;
  options.ThreadsafeStatics = false;
  options.MathErrno = false;
  options.NoBuiltin = true;
  options.GNUAsm = false;
  options.Char8 = false;
  // C++ for OpenCL without OpenCL: members may be qualified with an address space, and none of
  // OpenCL's restrictions hold. parse.cpp narrows it further.
  options.OpenCL = false;
  options.OpenCLCPlusPlus = true;
  options.OpenCLCPlusPlusVersion = 202100;
  options.setLaxVectorConversions(LangOptions::LaxVectorConversionKind::None);
  options.ConvergentFunctions = true;
}

// As Apple's compiler: safe math fuses a multiply and an add of one expression and nothing else;
// fast math fuses across expressions and reassociates. That NaN and infinity do not occur is never
// assumed.
void setMath(LangOptions& options, MathMode mode) {
  const bool fast = mode != MathMode::Safe;
  options.FastMath = fast;
  options.AllowFPReassoc = options.NoSignedZero = options.AllowRecip = options.ApproxFunc = fast;
  options.setDefaultFPContractMode(fast ? LangOptions::FPM_Fast : LangOptions::FPM_On);
}

// Source that nests or computes beyond what people write is refused, not followed.
void setLimits(LangOptions& options, DiagnosticOptions& diagnostics) {
  options.BracketDepth = 256;
  options.InstantiationDepth = 512;
  options.ConstexprCallDepth = 256;
  options.ConstexprStepLimit = 1u << 20;
  diagnostics.ErrorLimit = 50;
  diagnostics.TemplateBacktraceLimit = 6;
}

void setCodeGeneration(CodeGenOptions& options, const Source& source) {
  // At 0 Clang forbids every later optimisation of a function; unrolling needs both.
  options.OptimizationLevel = 3;
  options.UnrollLoops = true;
  options.DisableLLVMPasses = true;
  options.RelaxedAliasing = true; // kernels reinterpret buffers
  options.UnwindTables = 0;
  options.setInlining(CodeGenOptions::NormalInlining);
  options.setDebugInfo(source.debugInfo ? llvm::codegenoptions::LimitedDebugInfo
                                        : llvm::codegenoptions::NoDebugInfo);
  if (source.debugInfo) {
    options.DwarfVersion = 4;
    options.DebugCompilationDir = ".";
    options.MainFileName = source.name;
  }
}

} // namespace

std::shared_ptr<CompilerInvocation> makeInvocation(const Source& source,
                                                   const AirVersion& version) {
  auto invocation = std::make_shared<CompilerInvocation>();
  invocation->getTargetOpts().Triple = airTriple(version);
  setLanguage(invocation->getLangOpts(), llvm::Triple(invocation->getTargetOpts().Triple));
  setMath(invocation->getLangOpts(), source.math);
  setLimits(invocation->getLangOpts(), invocation->getDiagnosticOpts());
  setCodeGeneration(invocation->getCodeGenOpts(), source);

  DiagnosticOptions& diagnostics = invocation->getDiagnosticOpts();
  diagnostics.Warnings = {"no-everything"};
  diagnostics.ShowColors = false;

  HeaderSearchOptions& headers = invocation->getHeaderSearchOpts();
  headers.UseBuiltinIncludes = headers.UseStandardSystemIncludes = headers.UseStandardCXXIncludes =
      false;

  // Which functions of the library the unqualified names mean.
  PreprocessorOptions& macros = invocation->getPreprocessorOpts();
  macros.addMacroDef(usesFastFunctions(source.math) ? "__METALLOID_FAST_MATH__=1"
                                                    : "__METALLOID_FAST_MATH__=0");
  for (const auto& [name, value] : source.defines)
    macros.addMacroDef(name + "=" + value);
  return invocation;
}

} // namespace metalloid::msl
