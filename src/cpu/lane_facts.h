// SPDX-License-Identifier: Apache-2.0
// Facts about thread-form values that hold in every lane, idle ones too: no flag, range metadata or
// dominating condition is used, because an idle lane may break those.
#pragma once

#include <array>

#include "cpu/thread_form.h"

#include "llvm/IR/ConstantRange.h"

namespace metalloid::cpu {

/// One number a lane, sign-extended from the value's width.
using LaneNumbers = std::array<int64_t, 32>;

/// How an id function's result differs between lanes.
struct IdShape {
  enum Kind : uint8_t { Uniform, Constant, Offsets, Varying };
  Kind kind = Varying;
  LaneNumbers numbers{}; ///< Constant: the values. Offsets: the differences to lane 0.
};
IdShape idShape(llvm::StringRef name, const ThreadgroupShape& shape);

/// Low bits that are zero in lane 0 of `value`: 64 where it is zero there.
unsigned trailingZeros(const llvm::Value* value, const ThreadgroupShape& shape);

/// A range that holds `value` in every lane.
llvm::ConstantRange laneRange(const llvm::Value* value, unsigned depth = 6);

} // namespace metalloid::cpu
