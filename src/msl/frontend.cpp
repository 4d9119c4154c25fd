// SPDX-License-Identifier: Apache-2.0
#include "msl/frontend.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/MemoryBuffer.h"

#include "msl/diagnostics.h"
#include "msl/invocation.h"
#include "msl/library_files.h"
#include "msl/pragmas.h"
#include "msl/virtual_files.h"

using namespace clang;

namespace metalloid::msl {
namespace {

// The precompiled library was made for the default language version.
std::string_view precompiledFor(const Source& source) {
  if (source.languageVersion != Source().languageVersion)
    return {};
  return precompiledLibrary(usesFastFunctions(source.math));
}

} // namespace

struct Frontend::State {
  State(const Source& source, const AirVersion& version, std::vector<Diagnostic>& diagnostics)
      : source(source), version(version), collector(diagnostics),
        folders(llvm::makeIntrusiveRefCnt<IncludeFolders>(source.includeFolders)),
        text(llvm::MemoryBuffer::getMemBufferCopy(source.text, source.name)) {}

  const Source& source;
  const AirVersion& version;
  DiagnosticCollector collector;
  llvm::IntrusiveRefCntPtr<IncludeFolders> folders;
  std::unique_ptr<llvm::MemoryBuffer> text;
};

Frontend::Frontend(const Source& source, const AirVersion& version,
                   std::vector<Diagnostic>& diagnostics)
    : state(std::make_unique<State>(source, version, diagnostics)) {}
Frontend::~Frontend() = default;

std::vector<Dependency> Frontend::dependencies() const {
  return state->folders->dependencies();
}

bool Frontend::run(FrontendAction& action, const std::string& outputFile) {
  const std::string_view precompiled = precompiledFor(state->source);
  auto invocation = makeInvocation(state->source, state->version);
  HeaderSearchOptions& headers = invocation->getHeaderSearchOpts();
  headers.AddPath(kLibraryFolder, frontend::System, /*IsFramework=*/false,
                  /*IgnoreSysRoot=*/false);
  for (const std::string& folder : state->source.includeFolders)
    headers.AddPath(folder, frontend::Angled, false, false);
  // Metal's own names are there whatever a source includes.
  if (precompiled.empty())
    invocation->getPreprocessorOpts().Includes.push_back("metal_stdlib");
  else
    invocation->getPreprocessorOpts().ImplicitPCHInclude = kPrecompiledPath;
  // The precompiled library is this program's own; only its options for the user's code differ.
  invocation->getPreprocessorOpts().DisablePCHOrModuleValidation =
      DisableValidationForModuleKind::PCH;

  FrontendOptions& options = invocation->getFrontendOpts();
  options.ProgramAction = frontend::EmitLLVMOnly;
  options.OutputFile = outputFile;
  options.DisableFree = false;
  options.Inputs.clear();
  options.Inputs.emplace_back(state->text->getMemBufferRef(), InputKind(Language::CXX));

  CompilerInstance clang(invocation);
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(state->folders);
  files->pushOverlay(libraryFileSystem(precompiled));
  clang.setVirtualFileSystem(files);
  clang.createDiagnostics(&state->collector, /*ShouldOwnClient=*/false);
  clang.createFileManager();
  clang.setTarget(makeAirTarget(invocation->getTargetOpts(), state->version));

  if (!action.BeginSourceFile(clang, options.Inputs[0]))
    return false;
  if (llvm::Error error = action.Execute())
    llvm::consumeError(std::move(error)); // also reported as a diagnostic
  action.EndSourceFile();
  return !clang.getDiagnostics().hasErrorOccurred();
}

void prepareParsing(CompilerInstance& clang) {
  printTypesAsMsl(clang.getASTContext());
  refuseForeignIncludes(clang.getPreprocessor());
  addMetalPragmas(clang.getPreprocessor());
}

} // namespace metalloid::msl
