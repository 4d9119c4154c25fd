// SPDX-License-Identifier: Apache-2.0
#include "interp/scalar_operations.h"

#include <cmath>

#include "interp/floats.h"

#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace metalloid::interp {
namespace {

Bits divide(unsigned opcode, unsigned width, Bits a, Bits b) {
  if (b == 0)
    return 0;
  switch (opcode) {
  case Instruction::UDiv:
    return a / b;
  case Instruction::URem:
    return a % b;
  default:
    break;
  }
  __int128 x = asSigned(a, width), y = asSigned(b, width);
  if (y == -1) // would overflow for the least 128-bit integer
    return opcode == Instruction::SDiv ? Bits(0) - a : 0;
  return static_cast<Bits>(opcode == Instruction::SDiv ? x / y : x % y);
}

Bits integerOperation(unsigned opcode, unsigned width, Bits a, Bits b) {
  switch (opcode) {
  case Instruction::Add:
    return a + b;
  case Instruction::Sub:
    return a - b;
  case Instruction::Mul:
    return a * b;
  case Instruction::And:
    return a & b;
  case Instruction::Or:
    return a | b;
  case Instruction::Xor:
    return a ^ b;
  case Instruction::Shl:
    return a << static_cast<unsigned>(b % width);
  case Instruction::LShr:
    return a >> static_cast<unsigned>(b % width);
  case Instruction::AShr:
    return static_cast<Bits>(asSigned(a, width) >> static_cast<unsigned>(b % width));
  default:
    return divide(opcode, width, a, b);
  }
}

Bits floatOperation(unsigned opcode, const Type& type, Bits a, Bits b, bool flush) {
  double x = decodeFloat(type, a, flush), y = decodeFloat(type, b, flush);
  switch (opcode) {
  case Instruction::FAdd:
    return encodeFloat(type, x + y, flush);
  case Instruction::FSub:
    return encodeFloat(type, x - y, flush);
  case Instruction::FMul:
    return encodeFloat(type, x * y, flush);
  case Instruction::FDiv:
    return encodeFloat(type, x / y, flush);
  case Instruction::FRem:
    return encodeFloat(type, std::fmod(x, y), flush);
  default:
    llvm_unreachable("not a floating-point operation");
  }
}

/// Rounds towards zero and keeps to the range of the integer type.
Bits floatToInteger(double value, unsigned width, bool isSigned) {
  if (std::isnan(value))
    return 0;
  double limit = std::ldexp(1.0, static_cast<int>(isSigned ? width - 1 : width));
  double least = isSigned ? -limit : 0.0;
  if (value <= least)
    return isSigned ? Bits(1) << (width - 1) : 0;
  if (value >= limit)
    return isSigned ? lowBits(width - 1) : lowBits(width);
  return static_cast<Bits>(static_cast<__int128>(std::trunc(value))) & lowBits(width);
}

bool compareIntegers(CmpInst::Predicate predicate, unsigned width, Bits a, Bits b) {
  __int128 x = asSigned(a, width), y = asSigned(b, width);
  switch (predicate) {
  case CmpInst::ICMP_EQ:
    return a == b;
  case CmpInst::ICMP_NE:
    return a != b;
  case CmpInst::ICMP_UGT:
    return a > b;
  case CmpInst::ICMP_UGE:
    return a >= b;
  case CmpInst::ICMP_ULT:
    return a < b;
  case CmpInst::ICMP_ULE:
    return a <= b;
  case CmpInst::ICMP_SGT:
    return x > y;
  case CmpInst::ICMP_SGE:
    return x >= y;
  case CmpInst::ICMP_SLT:
    return x < y;
  default:
    return x <= y;
  }
}

/// A predicate of floats is a set of outcomes: one bit each for equal, greater, less, unordered.
bool compareFloats(CmpInst::Predicate predicate, double x, double y) {
  unsigned outcome = x == y ? 1 : x > y ? 2 : x < y ? 4 : 8;
  static_assert(CmpInst::FCMP_OEQ == 1 && CmpInst::FCMP_OGT == 2 && CmpInst::FCMP_OLT == 4 &&
                CmpInst::FCMP_UNO == 8);
  return (static_cast<unsigned>(predicate) & outcome) != 0;
}

unsigned leadingZeros(Bits value, unsigned width) {
  unsigned count = 0;
  for (unsigned bit = width; bit > 0 && !((value >> (bit - 1)) & 1); --bit)
    ++count;
  return count;
}

unsigned trailingZeros(Bits value, unsigned width) {
  unsigned count = 0;
  while (count < width && !((value >> count) & 1))
    ++count;
  return count;
}

Bits reverseBits(Bits value, unsigned width, unsigned step) {
  Bits result = 0;
  for (unsigned at = 0; at < width; at += step)
    result |= ((value >> at) & lowBits(step)) << (width - step - at);
  return result;
}

Bits saturate(__int128 value, unsigned width, bool isSigned) {
  __int128 least = isSigned ? -(__int128(1) << (width - 1)) : 0;
  __int128 greatest = isSigned ? (__int128(1) << (width - 1)) - 1 : (__int128(1) << width) - 1;
  return static_cast<Bits>(std::min(std::max(value, least), greatest));
}

std::optional<Bits> integerIntrinsic(Intrinsic::ID id, unsigned width, ArrayRef<Bits> in) {
  auto isSmaller = [&](bool isSigned) {
    return isSigned ? asSigned(in[0], width) < asSigned(in[1], width) : in[0] < in[1];
  };
  switch (id) {
  case Intrinsic::abs:
    return asSigned(in[0], width) < 0 ? Bits(0) - in[0] : in[0];
  case Intrinsic::smin:
    return isSmaller(true) ? in[0] : in[1];
  case Intrinsic::smax:
    return isSmaller(true) ? in[1] : in[0];
  case Intrinsic::umin:
    return isSmaller(false) ? in[0] : in[1];
  case Intrinsic::umax:
    return isSmaller(false) ? in[1] : in[0];
  case Intrinsic::ctpop: {
    unsigned count = 0;
    for (unsigned bit = 0; bit < width; ++bit)
      count += (in[0] >> bit) & 1;
    return count;
  }
  case Intrinsic::ctlz:
    return leadingZeros(in[0], width);
  case Intrinsic::cttz:
    return trailingZeros(in[0], width);
  case Intrinsic::bswap:
    return reverseBits(in[0], width, 8);
  case Intrinsic::bitreverse:
    return reverseBits(in[0], width, 1);
  case Intrinsic::fshl:
  case Intrinsic::fshr: {
    auto amount = static_cast<unsigned>(in[2] % width);
    if (amount == 0)
      return id == Intrinsic::fshl ? in[0] : in[1];
    unsigned left = id == Intrinsic::fshl ? amount : width - amount;
    return (in[0] << left) | (in[1] >> (width - left));
  }
  default:
    break;
  }
  if (width > 64)
    return std::nullopt;
  auto s0 = asSigned(in[0], width), s1 = in.size() > 1 ? asSigned(in[1], width) : 0;
  auto u0 = static_cast<__int128>(in[0]), u1 = in.size() > 1 ? static_cast<__int128>(in[1]) : 0;
  switch (id) {
  case Intrinsic::sadd_sat:
    return saturate(s0 + s1, width, true);
  case Intrinsic::uadd_sat:
    return saturate(u0 + u1, width, false);
  case Intrinsic::ssub_sat:
    return saturate(s0 - s1, width, true);
  case Intrinsic::usub_sat:
    return saturate(u0 - u1, width, false);
  default:
    return std::nullopt;
  }
}

/// llvm.is.fpclass: which of the ten classes the value is in, as a bit of the mask.
bool isInClass(const Type& type, Bits bits, unsigned mask) {
  double value = decodeFloat(type, bits, /*flush=*/false);
  bool negative = (bits >> (widthOf(type) - 1)) & 1;
  if (std::isnan(value)) {
    unsigned fraction = type.isHalfTy() ? 10 : type.isBFloatTy() ? 7 : type.isFloatTy() ? 23 : 52;
    bool isQuiet = (bits >> (fraction - 1)) & 1;
    return mask & (isQuiet ? fcQNan : fcSNan);
  }
  if (std::isinf(value))
    return mask & (negative ? fcNegInf : fcPosInf);
  if (value == 0)
    return mask & (negative ? fcNegZero : fcPosZero);
  double leastNormal = type.isHalfTy() ? 0x1p-14 : type.isDoubleTy() ? 0x1p-1022 : 0x1p-126;
  if (std::fabs(value) < leastNormal)
    return mask & (negative ? fcNegSubnormal : fcPosSubnormal);
  return mask & (negative ? fcNegNormal : fcPosNormal);
}

std::optional<Bits> roundingIntrinsic(Intrinsic::ID id, const Type& type, Bits bits, bool flush) {
  double x = decodeFloat(type, bits, flush);
  switch (id) {
  case Intrinsic::sqrt:
    return encodeFloat(type, std::sqrt(x), flush);
  case Intrinsic::floor:
    return encodeFloat(type, std::floor(x), flush);
  case Intrinsic::ceil:
    return encodeFloat(type, std::ceil(x), flush);
  case Intrinsic::trunc:
    return encodeFloat(type, std::trunc(x), flush);
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    return encodeFloat(type, std::nearbyint(x), flush);
  case Intrinsic::round:
    return encodeFloat(type, std::round(x), flush);
  default:
    return std::nullopt;
  }
}

/// minimum and maximum propagate NaN; minnum and maxnum do not. -0.0 is less than 0.0.
Bits orderedMinMax(Intrinsic::ID id, const Type& type, Bits a, Bits b, bool flush) {
  double x = decodeFloat(type, a, flush), y = decodeFloat(type, b, flush);
  bool isMax = id == Intrinsic::maximum || id == Intrinsic::maxnum;
  bool isPropagating = id == Intrinsic::maximum || id == Intrinsic::minimum;
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) == isPropagating ? a : b;
  bool isLess = x < y || (x == y && std::signbit(x) && !std::signbit(y));
  return isLess == isMax ? b : a;
}

std::optional<Bits> floatIntrinsic(Intrinsic::ID id, const Type& type, ArrayRef<Bits> in,
                                   bool flush) {
  Bits sign = Bits(1) << (widthOf(type) - 1);
  switch (id) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return fusedMultiplyAdd(type, in[0], in[1], in[2], flush);
  case Intrinsic::fabs:
    return in[0] & ~sign;
  case Intrinsic::copysign:
    return (in[0] & ~sign) | (in[1] & sign);
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
    return orderedMinMax(id, type, in[0], in[1], flush);
  default:
    return roundingIntrinsic(id, type, in[0], flush);
  }
}

} // namespace

Bits binaryOperation(unsigned opcode, const Type& type, Bits a, Bits b, bool flush) {
  if (type.isFloatingPointTy())
    return floatOperation(opcode, type, a, b, flush);
  unsigned width = widthOf(type);
  return integerOperation(opcode, width, a, b) & lowBits(width);
}

bool compare(CmpInst::Predicate predicate, const Type& type, Bits a, Bits b, bool flush) {
  if (CmpInst::isFPPredicate(predicate))
    return compareFloats(predicate, decodeFloat(type, a, flush), decodeFloat(type, b, flush));
  return compareIntegers(predicate, widthOf(type), a, b);
}

Bits castOperation(unsigned opcode, const Type& from, const Type& to, Bits value, bool flush) {
  unsigned width = widthOf(to);
  switch (opcode) {
  case Instruction::SExt:
    return static_cast<Bits>(asSigned(value, widthOf(from))) & lowBits(width);
  case Instruction::FPToSI:
    return floatToInteger(decodeFloat(from, value, flush), width, true);
  case Instruction::FPToUI:
    return floatToInteger(decodeFloat(from, value, flush), width, false);
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    return encodeFloat(to, decodeFloat(from, value, flush), flush);
  case Instruction::SIToFP:
  case Instruction::UIToFP: {
    // A 64-bit integer rounded to double and again would be rounded twice: keep what is lost in the
    // last bit.
    bool isSigned = opcode == Instruction::SIToFP;
    __int128 integer = isSigned ? asSigned(value, widthOf(from)) : static_cast<__int128>(value);
    Bits magnitude =
        integer < 0 ? Bits(0) - static_cast<Bits>(integer) : static_cast<Bits>(integer);
    int shift = 0;
    if (!to.isDoubleTy())
      for (; magnitude >> 53; ++shift)
        magnitude = (magnitude >> 1) | (magnitude & 1);
    double rounded = std::ldexp(static_cast<double>(magnitude), shift);
    return encodeFloat(to, integer < 0 ? -rounded : rounded, flush);
  }
  default: // zext, trunc, pointer casts, bitcasts of equal width
    return value & lowBits(width);
  }
}

std::optional<Bits> intrinsicOperation(Intrinsic::ID id, const Type& from, const Type& to,
                                       ArrayRef<Bits> operands, bool flush) {
  unsigned width = widthOf(to);
  switch (id) {
  case Intrinsic::fptosi_sat:
    return floatToInteger(decodeFloat(from, operands[0], flush), width, true);
  case Intrinsic::fptoui_sat:
    return floatToInteger(decodeFloat(from, operands[0], flush), width, false);
  case Intrinsic::is_fpclass:
    return isInClass(from, operands[0], static_cast<unsigned>(operands[1]));
  case Intrinsic::expect:
    return operands[0];
  case Intrinsic::ldexp: {
    // A double holds every exponent that matters; far ones overflow or vanish the same way.
    auto exponent = static_cast<int>(asSigned(operands[1], 32));
    exponent = std::min(std::max(exponent, -2000), 2000);
    return encodeFloat(to, std::ldexp(decodeFloat(from, operands[0], flush), exponent), flush);
  }
  case Intrinsic::scmp:
  case Intrinsic::ucmp: {
    unsigned operandWidth = widthOf(from);
    bool isSigned = id == Intrinsic::scmp;
    auto less = isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT;
    if (operands[0] == operands[1])
      return 0;
    return compareIntegers(less, operandWidth, operands[0], operands[1]) ? lowBits(width) : 1;
  }
  default:
    break;
  }
  if (to.isFloatingPointTy())
    return floatIntrinsic(id, to, operands, flush);
  if (auto result = integerIntrinsic(id, width, operands))
    return *result & lowBits(width);
  return std::nullopt;
}

Bits floatMinMax(const Type& type, Bits a, Bits b, bool isMax, bool flush) {
  double x = decodeFloat(type, a, flush), y = decodeFloat(type, b, flush);
  if (std::isnan(y))
    return a;
  return (isMax ? x > y : x < y) ? a : b;
}

} // namespace metalloid::interp
