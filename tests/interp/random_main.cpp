// SPDX-License-Identifier: Apache-2.0
// Random kernels in the interpreter and in every form of the CPU back end: all must give the same
// bits.
//
//   random_kernels [--first=SEED] [--count=N] [--seconds=S] [--form=TEXT] [--module=FILE] [--print]
//
// Stops after N kernels or S seconds. A difference is printed with its seed; --print shows the AIR
// of seed --first instead of running it.
#include <chrono>
#include <map>

#include "cpu_form.h"
#include "interp/machine.h"
#include "random_kernel.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace metalloid;
using namespace metalloid::test;

namespace {

cl::opt<uint64_t> First("first", cl::init(1), cl::desc("The first kernel's seed"));
cl::opt<uint64_t> Count("count", cl::init(500), cl::desc("How many kernels"));
cl::opt<double> Seconds("seconds", cl::init(1e9), cl::desc("Start no more after this time"));
cl::opt<std::string> Form("form", cl::desc("Only forms of the CPU whose name contains this"));
cl::opt<std::string> ModuleFile("module", cl::desc("Run this bitcode on the first seed's grid"));
cl::opt<bool> Print("print", cl::desc("Print the AIR of the first kernel"));

/// What a run leaves in its buffers.
struct Outcome {
  std::vector<uint64_t> out;
  std::vector<uint32_t> counters;
  bool operator==(const Outcome&) const = default;
};

Outcome startOf(const RandomKernel& kernel) {
  return {std::vector<uint64_t>(kernel.threads), std::vector<uint32_t>(RandomKernel::CounterWords)};
}

std::array<std::span<std::byte>, 3> buffersOf(const RandomKernel& kernel, Outcome& outcome) {
  auto* input = const_cast<uint32_t*>(kernel.input.data()); // the kernel only reads it
  return {std::as_writable_bytes(std::span(outcome.out)),
          std::as_writable_bytes(std::span(input, kernel.input.size())),
          std::as_writable_bytes(std::span(outcome.counters))};
}

llvm::Expected<Outcome> interpret(const RandomKernel& kernel, bool lowered) {
  LLVMContext context;
  auto prepared =
      (lowered ? air::prepare : air::prepareUnlowered)(context, kernel.bitcode, "k", {});
  if (!prepared)
    return prepared.takeError();
  Outcome outcome = startOf(kernel);
  auto buffers = buffersOf(kernel, outcome);
  interp::Dispatch dispatch{.threads = {kernel.threads, 1, 1},
                            .threadsPerThreadgroup = {kernel.threadsPerThreadgroup, 1, 1},
                            .buffers = {{0, buffers[0]}, {1, buffers[1]}, {2, buffers[2]}},
                            .threadgroupLengths = {},
                            .steps = 100'000'000};
  if (llvm::Error error = interp::run(*prepared, dispatch))
    return std::move(error);
  return outcome;
}

llvm::Expected<Outcome> runOnCpu(const RandomKernel& kernel, const CpuForm& form, bool& fellBack) {
  auto compiled = CompiledForm::make(kernel.bitcode, "k", form, kernel.threadsPerThreadgroup);
  if (!compiled)
    return compiled.takeError();
  fellBack = compiled->fellBack();
  Outcome outcome = startOf(kernel);
  auto buffers = buffersOf(kernel, outcome);
  if (llvm::Error error = compiled->run(buffers, kernel.threads, kernel.threadsPerThreadgroup))
    return std::move(error);
  return outcome;
}

/// What --module names, for reducing a kernel that fails (llvm-reduce).
Bytes readModuleFile() {
  auto file = cantFail(errorOrToExpected(MemoryBuffer::getFile(ModuleFile)));
  ByteView view = asBytes(std::string_view(file->getBufferStart(), file->getBufferSize()));
  return Bytes(view.begin(), view.end());
}

/// The first difference, for a person.
std::string difference(const Outcome& expected, const Outcome& found) {
  for (size_t i = 0; i < expected.out.size(); ++i)
    if (expected.out[i] != found.out[i])
      return "thread " + std::to_string(i) + " gives " + utohexstr(found.out[i]) + ", not " +
             utohexstr(expected.out[i]);
  for (size_t i = 0; i < expected.counters.size(); ++i)
    if (expected.counters[i] != found.counters[i])
      return "counter " + std::to_string(i) + " is " + utohexstr(found.counters[i]) + ", not " +
             utohexstr(expected.counters[i]);
  return {};
}

/// Runs one seed in every form; returns how many differ, printing each.
unsigned runSeed(uint64_t seed, unsigned& fellBack) {
  RandomKernel kernel = makeRandomKernel(seed);
  if (!ModuleFile.empty())
    kernel.bitcode = readModuleFile();
  unsigned failures = 0;
  auto report = [&](StringRef form, const std::string& what) {
    errs() << "seed " << seed << ", " << form << ": " << what << "\n";
    ++failures;
  };
  auto expected = interpret(kernel, /*lowered=*/false);
  if (!expected) {
    report("interpreter", toString(expected.takeError()));
    return failures;
  }
  auto compare = [&](StringRef form, llvm::Expected<Outcome> found) {
    if (!found)
      report(form, toString(found.takeError()));
    else if (*found != *expected)
      report(form, difference(*expected, *found));
  };
  compare("interpreter, lowered", interpret(kernel, /*lowered=*/true));
  for (const CpuForm& form : cpuForms()) {
    if (!form.name.contains(Form))
      continue;
    bool formFellBack = false;
    compare(form.name, runOnCpu(kernel, form, formFellBack));
    fellBack += formFellBack;
  }
  return failures;
}

void printSeed(uint64_t seed) {
  RandomKernel kernel = makeRandomKernel(seed);
  LLVMContext context;
  std::string_view bytes = asText(kernel.bitcode);
  auto module = parseBitcodeFile({StringRef(bytes.data(), bytes.size()), "random"}, context);
  outs() << "; " << kernel.threads << " threads by " << kernel.threadsPerThreadgroup << "\n";
  outs() << *cantFail(std::move(module));
}

} // namespace

int main(int count, char** words) {
  cl::ParseCommandLineOptions(count, words);
  if (Print) {
    printSeed(First);
    return 0;
  }
  initialiseCpuForms();
  auto start = std::chrono::steady_clock::now();
  auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  uint64_t ran = 0;
  unsigned failures = 0, fellBack = 0;
  for (; ran < Count && elapsed() < Seconds; ++ran)
    failures += runSeed(First + ran, fellBack) != 0;
  outs() << ran << " kernels in " << cpuForms().size() + 2 << " forms, " << failures << " differ, "
         << fellBack << " compilations fell back to fibers, " << static_cast<int>(elapsed())
         << " s\n";
  return failures != 0;
}
