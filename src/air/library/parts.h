// SPDX-License-Identifier: Apache-2.0
// The embedded file: an index and small modules, so that a kernel that calls two functions reads
// two families and not two thousand functions.
//
//   u32 count, then count entries {string key, u64 offset, u64 size} (support/bytes.h), then the
//   modules' bitcode, each at a multiple of 4 from the start of the file.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace metalloid::air {

/// The family that function `name` is stored with: "air.fast_exp.v4f32" is with "exp",
/// "air.min.s.i8" with "min.s", "air.convert.f.f32.u.i8" with "convert.f.f32" (as its vectors are).
/// A function and the scalars that it is made of have the same key.
inline std::string partKey(llvm::StringRef name) {
  name.consume_front("air.");
  name.consume_front("fast_");
  llvm::SmallVector<llvm::StringRef, 6> words;
  name.split(words, '.');
  bool isConversion = words[0] == "convert" && words.size() > 2;
  bool hasSign = words.size() > 1 && (words[1] == "s" || words[1] == "u");
  if (!isConversion)
    return llvm::join(llvm::ArrayRef(words).take_front(hasSign ? 2 : 1), ".");
  llvm::StringRef type = words[2];
  if (type.consume_front("v"))
    type = type.drop_front();
  return ("convert." + words[1] + "." + type).str();
}

} // namespace metalloid::air
