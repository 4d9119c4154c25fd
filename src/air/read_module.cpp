// SPDX-License-Identifier: Apache-2.0
#include "air/diagnostics.h"
#include "air/error.h"
#include "air/prepare.h"
#include "air/verify.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/MemoryBufferRef.h"

using namespace llvm;

namespace metalloid::air {

llvm::Expected<std::unique_ptr<Module>> readModule(LLVMContext& context, ByteView bitcode) {
  collectDiagnostics(context);
  takeDiagnostics(context); // not ours
  StringRef bytes(reinterpret_cast<const char*>(bitcode.data()), bitcode.size());
  auto module = parseBitcodeFile(MemoryBufferRef(bytes, "AIR"), context);
  if (!module)
    return refuse("the bitcode cannot be read: " + toString(module.takeError()));
  if (std::string text = takeDiagnostics(context); !text.empty())
    return refuse("the bitcode cannot be read: " + text);
  if (llvm::Error error = verify(**module))
    return std::move(error);
  return module;
}

} // namespace metalloid::air
