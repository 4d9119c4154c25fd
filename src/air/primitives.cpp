// SPDX-License-Identifier: Apache-2.0
#include "air/primitives.h"

#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace metalloid::air {
namespace {

ReduceOp parseReduceOp(StringRef text) {
  return llvm::StringSwitch<ReduceOp>(text)
      .Case("sum", ReduceOp::Sum)
      .Case("add", ReduceOp::Sum)
      .Case("sub", ReduceOp::Sub)
      .Case("product", ReduceOp::Product)
      .Case("min", ReduceOp::Min)
      .Case("max", ReduceOp::Max)
      .Case("and", ReduceOp::And)
      .Case("or", ReduceOp::Or)
      .Case("xor", ReduceOp::Xor)
      .Default(ReduceOp::None);
}

/// The same function exists for the 32 lanes of a SIMD-group and the 4 of a quad-group.
struct LaneKinds {
  Primitive reduce, scan, shuffle, shuffleFill, broadcast, broadcastFirst, vote, ballot, activeMask,
      isFirst;
};
constexpr LaneKinds SimdKinds = {Primitive::SimdReduce,     Primitive::SimdScan,
                                 Primitive::SimdShuffle,    Primitive::SimdShuffleFill,
                                 Primitive::SimdBroadcast,  Primitive::SimdBroadcastFirst,
                                 Primitive::SimdVote,       Primitive::SimdBallot,
                                 Primitive::SimdActiveMask, Primitive::SimdIsFirst};
constexpr LaneKinds QuadKinds = {Primitive::QuadReduce,     Primitive::QuadScan,
                                 Primitive::QuadShuffle,    Primitive::QuadShuffleFill,
                                 Primitive::QuadBroadcast,  Primitive::QuadBroadcastFirst,
                                 Primitive::QuadVote,       Primitive::QuadBallot,
                                 Primitive::QuadActiveMask, Primitive::QuadIsFirst};

std::optional<ShuffleMode> parseShuffleMode(StringRef text) {
  return llvm::StringSwitch<std::optional<ShuffleMode>>(text)
      .Case("shuffle", ShuffleMode::Index)
      .Case("shuffle_up", ShuffleMode::Up)
      .Case("shuffle_down", ShuffleMode::Down)
      .Case("shuffle_xor", ShuffleMode::Xor)
      .Case("shuffle_rotate_up", ShuffleMode::RotateUp)
      .Case("shuffle_rotate_down", ShuffleMode::RotateDown)
      .Default(std::nullopt);
}

/// `text` is what follows "simd_" or "quad_", up to the first dot.
std::optional<PrimitiveCall> parseLaneFunction(StringRef text, const LaneKinds& kinds) {
  if (text.consume_front("prefix_")) {
    bool exclusive = text.consume_front("exclusive_");
    if (!exclusive && !text.consume_front("inclusive_"))
      return std::nullopt;
    ReduceOp op = parseReduceOp(text);
    if (op != ReduceOp::Sum && op != ReduceOp::Product)
      return std::nullopt;
    return PrimitiveCall{.kind = kinds.scan, .op = op, .isExclusive = exclusive};
  }
  if (text == "shuffle_and_fill_up" || text == "shuffle_and_fill_down")
    return PrimitiveCall{.kind = kinds.shuffleFill,
                         .mode = text.ends_with("up") ? ShuffleMode::Up : ShuffleMode::Down};
  if (auto mode = parseShuffleMode(text))
    return PrimitiveCall{.kind = kinds.shuffle, .mode = *mode};
  if (text == "any" || text == "all")
    return PrimitiveCall{.kind = kinds.vote, .isAll = text == "all"};
  if (text == "broadcast")
    return PrimitiveCall{.kind = kinds.broadcast};
  if (text == "broadcast_first")
    return PrimitiveCall{.kind = kinds.broadcastFirst};
  if (text == "ballot")
    return PrimitiveCall{.kind = kinds.ballot};
  if (text == "active_threads_mask")
    return PrimitiveCall{.kind = kinds.activeMask};
  if (text == "is_first")
    return PrimitiveCall{.kind = kinds.isFirst};
  ReduceOp op = parseReduceOp(text);
  if (op == ReduceOp::None || op == ReduceOp::Sub || text == "add")
    return std::nullopt;
  return PrimitiveCall{.kind = kinds.reduce, .op = op};
}

std::optional<PrimitiveCall> parseMatrix(StringRef text) {
  auto kind = llvm::StringSwitch<std::optional<Primitive>>(text)
                  .Case("multiply_accumulate", Primitive::MatrixMultiply)
                  .Case("load", Primitive::MatrixLoad)
                  .Case("store", Primitive::MatrixStore)
                  .Case("init_filled", Primitive::MatrixFilled)
                  .Case("init_diag", Primitive::MatrixDiagonal)
                  .Default(std::nullopt);
  if (!kind)
    return std::nullopt;
  return PrimitiveCall{.kind = *kind};
}

/// `text` is what follows "atomic.": "global.add.u.i32", "local.cmpxchg.weak.i32", "fence".
std::optional<PrimitiveCall> parseAtomic(StringRef text) {
  if (text == "fence")
    return PrimitiveCall{.kind = Primitive::Fence};
  auto [space, rest] = text.split('.');
  if (space != "global" && space != "local")
    return std::nullopt;
  StringRef name = rest.split('.').first;
  PrimitiveCall call{.kind = Primitive::AtomicModify, .isLocal = space == "local"};
  if (name == "load")
    call.kind = Primitive::AtomicLoad;
  else if (name == "store")
    call.kind = Primitive::AtomicStore;
  else if (name == "xchg")
    call.kind = Primitive::AtomicExchange;
  else if (name == "cmpxchg")
    call.kind = Primitive::AtomicCompareExchange;
  else if ((call.op = parseReduceOp(name)) == ReduceOp::None || call.op == ReduceOp::Product)
    return std::nullopt;
  return call;
}

std::optional<PrimitiveCall> parse(StringRef name) {
  if (!name.consume_front("air."))
    return std::nullopt;
  if (name == "wg.barrier")
    return PrimitiveCall{.kind = Primitive::ThreadgroupBarrier};
  if (name == "simdgroup.barrier")
    return PrimitiveCall{.kind = Primitive::SimdgroupBarrier};
  if (name == "os_log")
    return PrimitiveCall{.kind = Primitive::LogMessage};
  if (name.consume_front("atomic."))
    return parseAtomic(name);
  StringRef base = name.split('.').first;
  if (base.consume_front("simdgroup_matrix_8x8_"))
    return parseMatrix(base);
  if (base.consume_front("simd_"))
    return parseLaneFunction(base, SimdKinds);
  if (base.consume_front("quad_"))
    return parseLaneFunction(base, QuadKinds);
  return std::nullopt;
}

} // namespace

std::optional<PrimitiveCall> parsePrimitive(StringRef name) {
  auto call = parse(name);
  if (call)
    call->isSigned = name.contains(".s.");
  return call;
}

} // namespace metalloid::air
