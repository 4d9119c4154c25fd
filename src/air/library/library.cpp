// SPDX-License-Identifier: Apache-2.0
#include "air/library/library.h"

#include <map>

#include "air/library/parts.h"
#include "support/bytes.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Linker/Linker.h"

// Of embed.S.
extern "C" {
extern const std::byte metalloid_air_library_begin[];
extern const std::byte metalloid_air_library_end[];
}

namespace metalloid::air {
namespace {

llvm::StringMap<llvm::StringRef> readIndex() {
  ByteView file(metalloid_air_library_begin, metalloid_air_library_end);
  ByteReader reader(file);
  llvm::StringMap<llvm::StringRef> parts;
  for (uint32_t count = reader.read<uint32_t>(); count > 0; --count) {
    std::string key = reader.string();
    auto offset = reader.read<uint64_t>(), size = reader.read<uint64_t>();
    parts[key] = asText(file.subspan(offset, size));
  }
  return parts;
}

/// Links one part; what it adds becomes internal.
llvm::Error linkPart(llvm::Linker& linker, llvm::Module& module, llvm::StringRef bitcode) {
  auto part = llvm::getLazyBitcodeModule({bitcode, "air library"}, module.getContext());
  if (!part)
    return part.takeError();
  // Bodies depend on neither; equal ones keep the linker from warning.
  (*part)->setTargetTriple(module.getTargetTriple());
  (*part)->setDataLayout(module.getDataLayout());
  auto makeInternal = [](llvm::Module& linked, const llvm::StringSet<>& names) {
    for (const auto& name : names)
      if (auto* function = linked.getFunction(name.getKey());
          function && !function->isDeclaration())
        function->setLinkage(llvm::GlobalValue::InternalLinkage);
  };
  if (linker.linkInModule(std::move(*part), llvm::Linker::LinkOnlyNeeded, makeInternal))
    return llvm::createStringError("air library: linking into " + module.getModuleIdentifier() +
                                   " failed");
  return llvm::Error::success();
}

} // namespace

llvm::StringRef libraryPart(llvm::StringRef name) {
  static const llvm::StringMap<llvm::StringRef> index = readIndex();
  return name.starts_with("air.") ? index.lookup(partKey(name)) : llvm::StringRef();
}

llvm::Error linkLibrary(llvm::Module& module) {
  std::map<const char*, llvm::StringRef> needed; // In the file's order.
  for (const llvm::Function& function : module)
    if (function.isDeclaration() && !function.use_empty())
      if (llvm::StringRef part = libraryPart(function.getName()); !part.empty())
        needed[part.data()] = part;
  if (needed.empty())
    return llvm::Error::success();
  llvm::Linker linker(module);
  for (const auto& [start, part] : needed)
    if (llvm::Error error = linkPart(linker, module, part))
      return error;
  return llvm::Error::success();
}

} // namespace metalloid::air
