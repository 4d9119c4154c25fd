// SPDX-License-Identifier: Apache-2.0
// Compiles one kernel with the CPU back end and prints what was asked for: for FileCheck tests, and
// for looking at code.
//
//   metalloid-cpu FILE [--kernel=NAME] [--constant=INDEX|NAME=VALUE…] [--threads=X,Y,Z]
//                 [--level=LEVEL] [--barriers=MODE] [--chunk=N] [--emit=WHAT]
//
// FILE is textual IR, bitcode or a .metallib. WHAT is ir:PASS (IR after each pass whose name holds
// PASS), asm, object, or traits (the default: what the run time would be told).
#include "metalloid-opt/stages.h"

#include "air/prepare.h"
#include "cpu/compile.h"
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
cl::list<std::string> Constants("constant",
                                cl::desc("Function constants, INDEX=VALUE or NAME=VALUE"));
cl::list<unsigned> Threads("threads", cl::CommaSeparated,
                           cl::desc("Threadgroup size to compile for; 0: any"));
cl::opt<cpu::Level> Level("level", cl::init(cpu::Level::Native), cl::desc("Instruction set"),
                          cl::values(clEnumValN(cpu::Level::X86V2, "v2", "x86-64-v2"),
                                     clEnumValN(cpu::Level::X86V3, "v3", "x86-64-v3"),
                                     clEnumValN(cpu::Level::X86V4, "v4", "x86-64-v4"),
                                     clEnumValN(cpu::Level::Native, "native", "this machine"),
                                     clEnumValN(cpu::Level::Neon, "neon", "AArch64")));
cl::opt<cpu::BarrierMode> Barriers(
    "barriers", cl::init(cpu::BarrierMode::Automatic), cl::desc("How barriers are met"),
    cl::values(clEnumValN(cpu::BarrierMode::Automatic, "automatic", "regions, else fibers"),
               clEnumValN(cpu::BarrierMode::Regions, "regions", "regions or an error"),
               clEnumValN(cpu::BarrierMode::Fibers, "fibers", "one fiber a SIMD-group")));
cl::opt<unsigned> Chunk("chunk", cl::init(0), cl::desc("Lanes of one vector step; 0: chosen"));
cl::opt<std::string> Emit("emit", cl::init("traits"), cl::desc("ir:PASS, asm, object or traits"));

ExitOnError exitOnError("metalloid-cpu: ");

/// Textual IR goes through bitcode, so that the compiler meets what the product meets.
SmallVector<char, 0> assemble(MemoryBufferRef text) {
  LLVMContext context;
  SMDiagnostic problem;
  auto module = parseAssembly(text, problem, context, nullptr);
  if (!module) {
    problem.print("metalloid-cpu", errs());
    exit(1);
  }
  SmallVector<char, 0> bitcode;
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(*module, stream);
  return bitcode;
}

ByteView viewOf(StringRef bytes) {
  return asBytes(std::string_view(bytes.data(), bytes.size()));
}

ByteView bitcodeOf(StringRef file, SmallVectorImpl<char>& assembled) {
  if (file.starts_with("MTLB")) {
    auto archive = metallib::Archive::parse(viewOf(file));
    if (!archive)
      exitOnError(createStringError(archive.error().message));
    const metallib::Function* function = archive->find(Kernel);
    if (!function)
      exitOnError(createStringError("the archive has no kernel \"" + Kernel + "\""));
    return function->bitcode;
  }
  if (isBitcode(file.bytes_begin(), file.bytes_end()))
    return viewOf(file);
  assembled = assemble(MemoryBufferRef(file, File));
  return viewOf(StringRef(assembled.data(), assembled.size()));
}

cpu::Options optionsOfCommandLine() {
  cpu::Options options;
  options.level = Level;
  options.barriers = Barriers;
  options.chunk = Chunk;
  for (size_t axis = 0; axis < 3 && !Threads.empty(); axis++)
    options.threads[axis] = axis < Threads.size() ? Threads[axis] : 1;
  return options;
}

void printTraits(const cpu::Compiled& compiled) {
  const cpu::Traits& traits = compiled.traits;
  outs() << "object " << compiled.object.size() << " bytes\n"
         << "threadgroup memory " << traits.threadgroupBytes << " bytes\n"
         << "scratch " << traits.scratchBytesPerSimdgroup << " bytes a SIMD-group\n"
         << "barriers " << traits.barriers << "\n"
         << "fibers " << unsigned(traits.fibers) << "\n"
         << "polls " << unsigned(traits.polls) << "\n";
  if (compiled.fellBack)
    outs() << "fell back: " << compiled.fallbackReason << "\n";
}

} // namespace

int main(int count, char** words) {
  InitLLVM init(count, words);
  cl::ParseCommandLineOptions(count, words);
  auto file = exitOnError(errorOrToExpected(MemoryBuffer::getFileOrSTDIN(File)));
  SmallVector<char, 0> assembled;
  ByteView bitcode = bitcodeOf(file->getBuffer(), assembled);
  std::vector<air::ConstantValue> constants;
  for (StringRef text : Constants)
    constants.push_back(exitOnError(test::parseConstant(text)));

  LLVMContext context;
  std::string kernel = Kernel;
  if (kernel.empty())
    kernel = air::kernelNames(*exitOnError(air::readModule(context, bitcode))).at(0);
  air::Prepared prepared = exitOnError(air::prepare(context, bitcode, kernel, constants));
  cpu::Options options = optionsOfCommandLine();
  StringRef what = Emit;
  if (what.consume_front("ir:")) {
    outs() << exitOnError(cpu::printAfter(std::move(prepared), options, what));
  } else if (what == "asm") {
    outs() << exitOnError(cpu::assembly(std::move(prepared), options));
  } else {
    cpu::Compiled compiled = exitOnError(cpu::compile(std::move(prepared), options));
    if (what == "object")
      outs().write(compiled.object.data(), compiled.object.size());
    else
      printTraits(compiled);
  }
  return 0;
}
