// SPDX-License-Identifier: Apache-2.0
// metalloid-precompile FAST PRECISE: writes the two precompiled forms of <metal_stdlib>.
#include <cstdio>

#include "msl/precompile.h"

using namespace metalloid::msl;

int main(int argumentCount, char** arguments) {
  if (argumentCount != 3) {
    std::fprintf(stderr, "usage: metalloid-precompile FAST.pch PRECISE.pch\n");
    return 2;
  }
  for (int i : {1, 2}) {
    const std::string faults =
        precompileLibrary(i == 1 ? MathMode::Fast : MathMode::Safe, arguments[i]);
    std::fputs(faults.c_str(), stderr);
    if (!faults.empty())
      return 1;
  }
  return 0;
}
