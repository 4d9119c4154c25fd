// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "llvm/IR/Type.h"

namespace metalloid::interp {

/// One scalar as its bit pattern, zero-extended: any integer up to 128 bits, any float, a pointer.
using Bits = unsigned __int128;

inline Bits lowBits(unsigned width) {
  return width >= 128 ? ~Bits(0) : (Bits(1) << width) - 1;
}

/// `bits`, an integer of `width` bits, sign-extended.
inline __int128 asSigned(Bits bits, unsigned width) {
  unsigned unused = 128 - width;
  return static_cast<__int128>(bits << unused) >> unused;
}

/// Bits of a scalar type; pointers have 64.
inline unsigned widthOf(const llvm::Type& type) {
  return type.isPointerTy() ? 64 : type.getScalarSizeInBits();
}

} // namespace metalloid::interp
