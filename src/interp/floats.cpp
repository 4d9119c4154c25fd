// SPDX-License-Identifier: Apache-2.0
#include "interp/floats.h"

#include <bit>
#include <cfloat>
#include <cmath>

namespace metalloid::interp {
namespace {

/// A binary format of `precision` significant bits (the hidden one counted) whose least normal
/// exponent is `minExponent`.
struct Format {
  int width;
  int precision;
  int minExponent;
  Bits infinity() const { return Bits(2 * (1 - minExponent) + 1) << (precision - 1); }
};
constexpr Format Half = {16, 11, -14};
constexpr Format Bfloat = {16, 8, -126};

double decode(const Format& format, uint64_t bits) {
  uint64_t sign = bits >> (format.width - 1);
  uint64_t magnitude = bits & ((uint64_t(1) << (format.width - 1)) - 1);
  uint64_t field = magnitude >> (format.precision - 1);
  uint64_t fraction = magnitude & ((uint64_t(1) << (format.precision - 1)) - 1);
  double value;
  if (magnitude >= format.infinity())
    value = fraction ? NAN : INFINITY;
  else if (field == 0)
    value = std::ldexp(double(fraction), format.minExponent - format.precision + 1);
  else
    value = std::ldexp(double(fraction | (uint64_t(1) << (format.precision - 1))),
                       int(field) - 1 + format.minExponent - format.precision + 1);
  return sign ? -value : value;
}

Bits encode(const Format& format, double value) {
  Bits sign = Bits(std::signbit(value)) << (format.width - 1);
  double magnitude = std::fabs(value);
  if (std::isnan(value))
    return format.infinity() | (Bits(1) << (format.precision - 2));
  if (std::isinf(value))
    return sign | format.infinity();
  if (magnitude == 0)
    return sign;
  // In units of the last place the value is an integer after rounding. That integer holds the
  // hidden bit, so that adding it to the exponent field less one gives the encoding, carry
  // included.
  int exponent = std::max(std::ilogb(magnitude), format.minExponent);
  double units = std::nearbyint(std::ldexp(magnitude, format.precision - 1 - exponent));
  Bits encoded = (Bits(exponent - format.minExponent) << (format.precision - 1)) +
                 static_cast<uint64_t>(units);
  return sign | std::min(encoded, format.infinity());
}

float flushed(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

/// Tiny is judged after rounding to 24 bits with an unbounded exponent, as x86 does.
float roundFlushed(double value) {
  auto result = static_cast<float>(value);
  constexpr double Scale = 0x1p64;
  if (std::fabs(result) <= FLT_MIN &&
      std::fabs(static_cast<float>(value * Scale)) < static_cast<float>(FLT_MIN * Scale))
    return std::copysign(0.0f, result);
  return result;
}

} // namespace

double decodeFloat(const llvm::Type& type, Bits bits, bool flush) {
  if (type.isHalfTy())
    return decode(Half, static_cast<uint64_t>(bits));
  if (type.isBFloatTy())
    return decode(Bfloat, static_cast<uint64_t>(bits));
  if (type.isDoubleTy())
    return std::bit_cast<double>(static_cast<uint64_t>(bits));
  auto value = std::bit_cast<float>(static_cast<uint32_t>(bits));
  return flush ? flushed(value) : value;
}

Bits encodeFloat(const llvm::Type& type, double value, bool flush) {
  if (type.isHalfTy())
    return encode(Half, value);
  if (type.isBFloatTy())
    return encode(Bfloat, value);
  if (type.isDoubleTy())
    return std::bit_cast<uint64_t>(value);
  return std::bit_cast<uint32_t>(flush ? roundFlushed(value) : static_cast<float>(value));
}

Bits fusedMultiplyAdd(const llvm::Type& type, Bits a, Bits b, Bits c, bool flush) {
  double x = decodeFloat(type, a, flush), y = decodeFloat(type, b, flush),
         z = decodeFloat(type, c, flush);
  if (type.isDoubleTy())
    return std::bit_cast<uint64_t>(std::fma(x, y, z));
  // The product is exact. What the sum loses makes its last bit odd, so that rounding it again
  // goes the way the exact sum would.
  double product = x * y;
  double sum = product + z;
  if (std::isfinite(sum)) {
    double part = sum - product;
    double lost = (product - (sum - part)) + (z - part);
    if (lost != 0 && (std::bit_cast<uint64_t>(sum) & 1) == 0)
      sum = std::nextafter(sum, lost > 0 ? INFINITY : -INFINITY);
  }
  return encodeFloat(type, sum, flush);
}

} // namespace metalloid::interp
