// SPDX-License-Identifier: Apache-2.0
#include "air/denormals.h"

namespace metalloid::air {

void setDenormalMode(llvm::Module& module, bool flushFloat) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration())
      function.addFnAttr("denormal-fp-math-f32",
                         flushFloat ? "preserve-sign,preserve-sign" : "ieee,ieee");
}

} // namespace metalloid::air
