// SPDX-License-Identifier: Apache-2.0
// What lanes give each other, one scalar at a time: the trees of docs/numeric-contract.md.
#pragma once

#include "air/primitives.h"
#include "interp/simdgroup.h"

namespace metalloid::interp {

inline constexpr unsigned QuadLanes = 4;
inline constexpr unsigned MatrixSize = 8;

/// Where lane's two elements of an 8x8 matrix stand: one row, this column and the next.
inline unsigned matrixRow(unsigned lane) {
  return (lane >> 4 & 1) * 4 + (lane >> 1 & 3);
}
inline unsigned matrixColumn(unsigned lane) {
  return (lane >> 3 & 1) * 4 + (lane & 1) * 2;
}

/// An operation on two scalars and its neutral element.
struct Combiner {
  const llvm::Type& type;
  air::ReduceOp op;
  bool isSigned;
  bool flush;
  Bits operator()(Bits a, Bits b) const;
  Bits neutral() const;
};

/// `width` lanes a group: 32 or 4. Values of lanes that are not active are not looked at.
LaneValues reduce(LaneValues values, LaneMask active, unsigned width, const Combiner& combine);
LaneValues scan(LaneValues values, LaneMask active, unsigned width, bool isExclusive,
                const Combiner& combine);
LaneValues shuffle(const LaneValues& values, LaneMask active, unsigned width, air::ShuffleMode mode,
                   const LaneValues& amounts);
LaneValues shuffleAndFill(const LaneValues& values, const LaneValues& fill, LaneMask active,
                          bool isUp, const LaneValues& deltas, const LaneValues& moduli);
LaneValues broadcastFirst(const LaneValues& values, LaneMask active, unsigned width);

} // namespace metalloid::interp
