// SPDX-License-Identifier: Apache-2.0
// Build step: the air library's object files (bitcode for a neutral target) become AIR modules.
//
//   build_library OUTPUT.parts WHOLE.bc INPUT.bc...
//
// OUTPUT.parts (parts.h) is what the program embeds; WHOLE.bc holds the same in one module, for
// tests.
//
// Clang's SPIR target passes vectors and halves as they are, which is why it compiles the library;
// its calling convention, attributes and metadata go here. What remains: functions that any AIR
// module can link, marked to be inlined, in the dynamic denormal mode (the caller's). A function
// that calls something undefined, or a variable that is not constant, fails the build.
#include "air/library/parts.h"
#include "support/bytes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>

using namespace llvm;

namespace {

[[noreturn]] void fail(const Twine& message) {
  errs() << "build_library: " << message << "\n";
  std::exit(1);
}

constexpr const char* airTriple = "air64-apple-macosx14.0.0";
constexpr const char* airLayout =
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-"
    "v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-"
    "v512:512:512-v1024:1024:1024-n8:16:32";

std::unique_ptr<Module> read(LLVMContext& context, StringRef path) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIRFile(path, diagnostic, context);
  if (!module)
    fail(path + ": " + diagnostic.getMessage());
  return module;
}

/// Only what is true for every caller stays: what memory it touches, that it returns.
void neutraliseFunction(Function& function) {
  AttrBuilder attributes(function.getContext());
  attributes.addMemoryAttr(function.getMemoryEffects());
  for (auto kind : {Attribute::AlwaysInline, Attribute::NoUnwind, Attribute::WillReturn,
                    Attribute::NoSync, Attribute::NoFree, Attribute::NoRecurse})
    attributes.addAttribute(kind);
  attributes.addAttribute("denormal-fp-math", "dynamic,dynamic");
  function.setAttributes({});
  function.addFnAttrs(attributes);
  function.setCallingConv(CallingConv::C);
  function.setDSOLocal(false);

  for (BasicBlock& block : function)
    block.setName("");
  for (Instruction& instruction : instructions(function)) {
    instruction.setName("");
    instruction.dropUnknownNonDebugMetadata({LLVMContext::MD_prof});
    if (auto* call = dyn_cast<CallBase>(&instruction); call && !isa<IntrinsicInst>(call)) {
      call->setCallingConv(CallingConv::C);
      call->setAttributes({});
    }
  }
}

void neutraliseModule(Module& module) {
  module.setTargetTriple(Triple(airTriple));
  module.setDataLayout(airLayout);
  module.setModuleIdentifier("air library");
  module.setSourceFileName("air library");
  for (NamedMDNode& node : make_early_inc_range(module.named_metadata()))
    node.eraseFromParent();
  for (Function& function : module)
    if (!function.isDeclaration())
      neutraliseFunction(function);
}

void check(const Module& module) {
  for (const GlobalVariable& variable : module.globals())
    if (!variable.isConstant() || !variable.hasLocalLinkage())
      fail("variable " + variable.getName() + " is not a local constant");
  for (const Function& function : module)
    if (function.isDeclaration() && !function.isIntrinsic())
      fail("function " + function.getName() + " is called and not defined");
    else if (!function.isIntrinsic() && !function.getName().starts_with("air."))
      fail("function " + function.getName() + " is not named air. and was not inlined");
  if (verifyModule(module, &errs()))
    fail("the module does not verify");
}

std::string bitcodeOf(const Module& module) {
  SmallString<0> bitcode;
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(module, stream);
  return std::string(bitcode);
}

/// The functions of `library` whose key is `key`, and the intrinsics they call.
std::string extractPart(const Module& library, StringRef key) {
  ValueToValueMapTy map;
  std::unique_ptr<Module> part = CloneModule(library, map, [&](const GlobalValue* value) {
    return metalloid::air::partKey(value->getName()) == key;
  });
  for (Function& function : make_early_inc_range(*part))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  part->setModuleIdentifier("air library: " + key.str());
  check(*part);
  return bitcodeOf(*part);
}

std::string encodeParts(const std::map<std::string, std::string>& parts) {
  auto encode = [&](uint64_t dataStart) {
    metalloid::ByteWriter writer;
    writer.write(uint32_t(parts.size()));
    uint64_t offset = dataStart;
    for (const auto& [key, bitcode] : parts) {
      writer.string(key);
      writer.write(offset);
      writer.write(uint64_t(bitcode.size()));
      offset += alignTo(bitcode.size(), 4);
    }
    return writer;
  };
  uint64_t dataStart = alignTo(encode(0).bytes().size(), 4);
  metalloid::ByteWriter writer = encode(dataStart);
  auto pad = [&] {
    while (writer.bytes().size() % 4)
      writer.write(char(0));
  };
  pad();
  for (const auto& [key, bitcode] : parts) {
    writer.append(metalloid::asBytes(bitcode));
    pad();
  }
  return std::string(metalloid::asText(writer.bytes()));
}

void writeFile(StringRef path, StringRef contents) {
  std::error_code error;
  raw_fd_ostream stream(path, error);
  stream << contents;
  stream.close();
  if (error || stream.has_error())
    fail(path + ": cannot be written");
}

} // namespace

int main(int argc, char** argv) {
  if (argc < 4)
    fail("usage: build_library OUTPUT.parts WHOLE.bc INPUT.bc...");
  LLVMContext context;
  Module library("air library", context);
  neutraliseModule(library);
  for (const char* path : ArrayRef(argv + 3, argv + argc)) {
    std::unique_ptr<Module> input = read(context, path);
    neutraliseModule(*input);
    if (Linker::linkModules(library, std::move(input)))
      fail(Twine(path) + " does not link");
  }
  check(library);

  std::map<std::string, std::string> parts;
  for (const Function& function : library)
    if (!function.isDeclaration())
      parts.try_emplace(metalloid::air::partKey(function.getName()));
  for (auto& [key, bitcode] : parts)
    bitcode = extractPart(library, key);
  writeFile(argv[1], encodeParts(parts));
  writeFile(argv[2], bitcodeOf(library));
  return 0;
}
