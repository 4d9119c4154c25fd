// SPDX-License-Identifier: Apache-2.0
// Runs one named stage of the compiler on an AIR module and prints what comes out: the `opt` of
// this project, for FileCheck tests and for looking.
//
//   metalloid-opt FILE [--kernel=NAME] --stage=STAGE [--constant=INDEX|NAME=VALUE…]
//
// FILE is textual IR, bitcode or a .metallib. Stages are listed in stages.cpp.
#include "stages.h"

#include "metallib/archive.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace metalloid;

namespace {

cl::opt<std::string> File(cl::Positional, cl::Required, cl::desc("FILE"));
cl::opt<std::string> Kernel("kernel", cl::desc("The kernel; by default the module's first"));
cl::opt<std::string> Stage("stage", cl::Required, cl::desc("Which stage to run"));
cl::list<std::string> Constants("constant",
                                cl::desc("Function constants, INDEX=VALUE or NAME=VALUE"));
cl::opt<unsigned> Every("every", cl::init(1), cl::desc("Of an archive's kernels, each N-th"));

ExitOnError exitOnError("metalloid-opt: ");

/// Textual IR goes through bitcode, so that every stage meets what the product meets.
SmallVector<char, 0> assemble(MemoryBufferRef text) {
  LLVMContext context;
  SMDiagnostic problem;
  auto module = parseAssembly(text, problem, context, nullptr);
  if (!module) {
    problem.print("metalloid-opt", errs());
    exit(1);
  }
  SmallVector<char, 0> bitcode;
  BitcodeWriter writer(bitcode);
  writer.writeModule(*module);
  writer.writeSymtab();
  writer.writeStrtab();
  return bitcode;
}

ByteView viewOf(StringRef bytes) {
  return asBytes(std::string_view(bytes.data(), bytes.size()));
}

} // namespace

int main(int count, char** words) {
  InitLLVM init(count, words);
  cl::ParseCommandLineOptions(count, words);
  auto file = exitOnError(errorOrToExpected(MemoryBuffer::getFileOrSTDIN(File)));
  test::StageOptions options{.stage = Stage, .kernel = Kernel, .constants = {}};
  for (StringRef text : Constants)
    options.constants.push_back(exitOnError(test::parseConstant(text)));

  if (!file->getBuffer().starts_with("MTLB")) {
    SmallVector<char, 0> assembled;
    StringRef bitcode = file->getBuffer();
    if (!isBitcode(reinterpret_cast<const unsigned char*>(bitcode.begin()),
                   reinterpret_cast<const unsigned char*>(bitcode.end()))) {
      assembled = assemble(*file);
      bitcode = StringRef(assembled.data(), assembled.size());
    }
    exitOnError(test::runStage(viewOf(bitcode), options, outs()));
    return 0;
  }

  auto archive = metallib::Archive::parse(viewOf(file->getBuffer()));
  if (!archive)
    exitOnError(createStringError(archive.error().message));
  bool found = false;
  for (size_t i = 0; i < archive->functions().size(); ++i) {
    const metallib::Function& function = archive->functions()[i];
    bool wanted = Kernel.empty() ? i % Every == 0 : StringRef(function.name) == Kernel;
    if (!wanted)
      continue;
    found = true;
    options.kernel = std::string(function.name);
    exitOnError(test::runStage(function.bitcode, options, outs()));
  }
  if (!found)
    exitOnError(createStringError("the archive has no kernel \"" + Kernel + "\""));
}
