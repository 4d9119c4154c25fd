// SPDX-License-Identifier: Apache-2.0
// Stands for the CPU back end until it is there.
#include "cpu/compile.h"

namespace metalloid::cpu {

static llvm::Error absent() {
  return llvm::createStringError("this build has no CPU back end yet");
}

llvm::Expected<Compiled> compile(air::Prepared, const Options&) {
  return absent();
}
llvm::Expected<std::string> printAfter(air::Prepared, const Options&, llvm::StringRef) {
  return absent();
}
llvm::Expected<std::string> assembly(air::Prepared, const Options&) {
  return absent();
}

} // namespace metalloid::cpu
