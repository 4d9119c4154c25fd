// SPDX-License-Identifier: Apache-2.0
// The way from MSL to AIR, step by step.
#include "msl/compile.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/GlobalDecl.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

#include "msl/declared_kernels.h"
#include "msl/frontend.h"
#include "msl/function_constants.h"
#include "msl/kernel_entry.h"
#include "msl/kernel_metadata.h"
#include "msl/library_files.h"
#include "msl/module_cleanup.h"
#include "msl/parse.h"

using namespace clang;

namespace metalloid::msl {
namespace {

// Before code generation ends: a parameter's condition must be emitted though no code reads it.
class ConditionRequirer final : public ASTConsumer {
public:
  explicit ConditionRequirer(FunctionConstants& constants) : constants(constants) {}
  void HandleTranslationUnit(ASTContext& context) override {
    for (const FunctionDecl* kernel : findDeclaredKernels(context).kernels)
      constants.requireConditions(*kernel);
  }

private:
  FunctionConstants& constants;
};

class CompileAction final : public ASTFrontendAction {
public:
  CompileAction(llvm::LLVMContext& context, const Source& source, const AirVersion& version)
      : context(context), source(source), version(version) {}

  std::unique_ptr<llvm::Module> module;

private:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& clang, StringRef file) override {
    auto generator = CreateLLVMCodeGen(clang, file, context);
    codeGenerator = generator.get();
    constants.emplace(*codeGenerator);
    std::vector<std::unique_ptr<ASTConsumer>> consumers;
    consumers.push_back(std::make_unique<ConditionRequirer>(*constants));
    consumers.push_back(std::move(generator));
    return std::make_unique<MultiplexConsumer>(std::move(consumers));
  }

  void ExecuteAction() override {
    CompilerInstance& clang = getCompilerInstance();
    clang.createSema(getTranslationUnitKind(), nullptr);
    prepareParsing(clang);
    parseTranslationUnit(clang);
    if (clang.getDiagnostics().hasErrorOccurred())
      return;
    finish(clang.getASTContext());
    if (!clang.getDiagnostics().hasErrorOccurred())
      module = codeGenerator->ReleaseModule();
  }

  // From Clang's module to AIR: function constants, kernels with their metadata, the rest.
  void finish(ASTContext& ast) {
    llvm::Module& generated = *codeGenerator->GetModule();
    const DeclaredKernels declared = findDeclaredKernels(ast);
    dropAnnotations(generated);
    constants->define(declared.functionConstants);
    for (const FunctionDecl* declaration : declared.kernels)
      if (llvm::Function* function =
              generated.getFunction(codeGenerator->GetMangledName(GlobalDecl(declaration))))
        addKernelMetadata(*makeKernelEntry(*function, *declaration), *declaration, *constants);
    addModuleMetadata(generated, source, version);
    cleanUpModule(generated);
    reportUndefined(ast, generated);
  }

  // A module is a whole program: what it calls it holds, or AIR does.
  void reportUndefined(ASTContext& ast, const llvm::Module& generated) {
    DiagnosticsEngine& diagnostics = ast.getDiagnostics();
    for (const llvm::Function& function : generated) {
      if (!function.isDeclaration() || function.isIntrinsic() ||
          function.getName().starts_with("air."))
        continue;
      const auto* declaration =
          dyn_cast_or_null<NamedDecl>(codeGenerator->GetDeclForMangledName(function.getName()));
      diagnostics.Report(declaration ? declaration->getLocation() : SourceLocation(),
                         diagnostics.getCustomDiagID(DiagnosticsEngine::Error,
                                                     "function '%0' is used but not defined"))
          << (declaration ? declaration->getQualifiedNameAsString() : function.getName().str());
    }
  }

  llvm::LLVMContext& context;
  const Source& source;
  const AirVersion& version;
  CodeGenerator* codeGenerator = nullptr;
  std::optional<FunctionConstants> constants;
};

Diagnostic error(const Source& source, std::string message) {
  Diagnostic diagnostic;
  diagnostic.file = source.name;
  diagnostic.message = std::move(message);
  return diagnostic;
}

std::string versionText(uint32_t version) {
  return std::to_string(version >> 16) + "." + std::to_string(version & 0xffff);
}

} // namespace

Result compile(llvm::LLVMContext& context, const Source& source) {
  Result result;
  const AirVersion* version = airVersion(source.languageVersion);
  if (!version) {
    result.diagnostics.push_back(error(source, "Metal has no language version " +
                                                   versionText(source.languageVersion) +
                                                   "; the newest is 4.0"));
    return result;
  }
  Frontend frontend(source, *version, result.diagnostics);
  CompileAction action(context, source, *version);
  const bool succeeded = frontend.run(action);
  result.dependencies = frontend.dependencies();
  if (!succeeded || !action.module)
    return result;
  std::string fault;
  llvm::raw_string_ostream stream(fault);
  if (llvm::verifyModule(*action.module, &stream)) {
    result.diagnostics.push_back(error(source, "the front end made invalid AIR: " + fault));
    return result;
  }
  result.module = std::move(action.module);
  return result;
}

} // namespace metalloid::msl
