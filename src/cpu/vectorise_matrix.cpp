// SPDX-License-Identifier: Apache-2.0
// The 8x8 matrix multiply-accumulate, one component k (column parity) of D at a time:
//   D[r][c] = C[r][c] + A[r][0] * B[0][c] + … + A[r][7] * B[7][c], fused, in that order, in float.
#include "cpu/vectoriser.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

/// The lane that owns row `row` and column `column` (which is its element column & 1).
unsigned owner(unsigned row, unsigned column) {
  return (row >> 2) << 4 | (column >> 2) << 3 | (row & 3) << 1 | (column >> 1 & 1);
}
unsigned rowOf(unsigned lane) {
  return (lane >> 4 & 1) * 4 + (lane >> 1 & 3);
}
unsigned columnOf(unsigned lane) {
  return (lane >> 3 & 1) * 4 + (lane & 1) * 2;
}

} // namespace

void Vectoriser::emitMatrixFma(CallBase& call) {
  Type* real = build.getFloatTy();
  auto argument = [&](unsigned index) {
    Value* value = call.getArgOperand(index);
    Parts values = activeLanes(value, Constant::getNullValue(value->getType()));
    return value->getType()->isFloatTy() ? values : build.cast(Instruction::FPExt, values, real);
  };
  Parts a[2] = {argument(0), argument(1)}, b = argument(2), sum = argument(3);
  for (unsigned k = 0; k < 8; ++k) {
    const Parts& column = a[k & 1];
    Parts left = build.shuffle(column, column, [&](unsigned l) { return owner(rowOf(l), k); });
    Parts right = build.shuffle(b, b, [&](unsigned l) { return owner(k, columnOf(l)); });
    sum = build.each([&](unsigned part) {
      return build.CreateIntrinsic(Intrinsic::fma, {build.vectorOf(real)},
                                   {left[part], right[part], sum[part]});
    });
  }
  setLanes(call, call.getType()->isFloatTy()
                     ? sum
                     : build.cast(Instruction::FPTrunc, sum, call.getType()));
}

} // namespace metalloid::cpu
