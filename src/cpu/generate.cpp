// SPDX-License-Identifier: Apache-2.0
// The end of the road: SIMD-group functions and their driver become machine code. In: a module
// whose only external definition is the entry. Out: an ELF object that the image linker takes, free
// of any call that an image could not satisfy.
#include "cpu/generate.h"

#include "cpu/analyses.h"
#include "cpu/llvm_error.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace llvm;

namespace metalloid::cpu {
namespace {

// What the images' own support library defines (the compiler links it in).
constexpr StringLiteral SupportFunctions[] = {
    "memcpy",        "memmove",      "memset",        "__udivti3",     "__umodti3",
    "__divti3",      "__modti3",     "__multi3",      "__ashlti3",     "__ashrti3",
    "__lshrti3",     "__fixdfti",    "__fixsfti",     "__fixunsdfti",  "__fixunssfti",
    "__floattisf",   "__floattidf",  "__floatuntisf", "__floatuntidf", "__floatuntihf",
    "__floattihf",   "__truncdfbf2", "__truncdfhf2",  "__truncsfbf2",  "__truncsfhf2",
    "__extendhfsf2", "fmod",         "fmodf",         "fma",           "fmaf",
    "floorf",        "floor",        "ceilf",         "ceil",          "truncf",
    "trunc",         "rintf",        "rint",          "roundf",        "round",
    "roundevenf",    "roundeven",    "nearbyintf",    "nearbyint"};

// Only the entry leaves the image; the rest may be reached without going through a table.
void hideSymbols(Module& module) {
  module.setPICLevel(PICLevel::SmallPIC);
  for (GlobalObject& object : module.global_objects()) {
    if (object.isDeclaration())
      continue;
    object.setDSOLocal(true);
    if (object.getName() != EntryName)
      object.setLinkage(GlobalValue::InternalLinkage);
  }
  module.setModuleFlag(Module::Override, "cf-protection-branch", 1);
}

Error checkSymbols(ArrayRef<char> object) {
  auto file = object::ObjectFile::createELFObjectFile(
      MemoryBufferRef(StringRef(object.data(), object.size()), "kernel"));
  if (!file)
    return file.takeError();
  for (const object::SymbolRef& symbol : (*file)->symbols()) {
    Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    if (!(*flags & object::SymbolRef::SF_Undefined))
      continue;
    Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    if (!name->empty() && !is_contained(SupportFunctions, *name))
      return refuse("compile for the CPU: the code needs the function '" + *name +
                    "', which kernel images do not have");
  }
  return Error::success();
}

template <typename Stream>
Error emit(Module& module, TargetMachine& target, CodeGenFileType kind, Stream& stream) {
  hideSymbols(module);
  legacy::PassManager passes;
  if (target.addPassesToEmitFile(passes, stream, nullptr, kind, /*DisableVerify=*/true))
    return refuse("compile for the CPU: LLVM cannot emit this kind of file");
  passes.run(module);
  return Error::success();
}

} // namespace

void optimise(Module& module, TargetMachine& target) {
  hideSymbols(module);
  Analyses(target).optimise(module);
}

Expected<SmallVector<char, 0>> generateObject(Module& module, TargetMachine& target) {
  SmallVector<char, 0> object;
  raw_svector_ostream stream(object);
  if (Error error = emit(module, target, CodeGenFileType::ObjectFile, stream))
    return std::move(error);
  if (Error error = checkSymbols(object))
    return std::move(error);
  return object;
}

Expected<std::string> generateAssembly(Module& module, TargetMachine& target) {
  SmallString<0> text;
  raw_svector_ostream stream(text);
  if (Error error = emit(module, target, CodeGenFileType::AssemblyFile, stream))
    return std::move(error);
  return std::string(text);
}

} // namespace metalloid::cpu
