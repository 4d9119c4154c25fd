// SPDX-License-Identifier: Apache-2.0
// Floating point with one rounding in the operation's own type, written for plainness: what cannot
// be exact is computed in double, which is wide enough for half, bfloat and float that rounding
// twice gives the same as rounding once.
#pragma once

#include "interp/bits.h"

namespace metalloid::interp {

/// The value of a half, bfloat, float or double; float denormals are zero under `flush`.
double decodeFloat(const llvm::Type& type, Bits bits, bool flush);

/// `value`, exact or correctly rounded to double, rounded to `type`; results that would be float
/// denormals become zero under `flush`.
Bits encodeFloat(const llvm::Type& type, double value, bool flush);

/// a * b + c with one rounding.
Bits fusedMultiplyAdd(const llvm::Type& type, Bits a, Bits b, Bits c, bool flush);

} // namespace metalloid::interp
