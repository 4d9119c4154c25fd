// SPDX-License-Identifier: Apache-2.0
// The air functions whose meaning belongs to the target: barriers, exchange between the lanes of a
// SIMD-group, atomics, matrix multiply. Everything else is written once in air/library and is gone
// after air::prepare. Each back end and the interpreter implement exactly this list.
#pragma once

#include <optional>

#include "llvm/ADT/StringRef.h"

namespace metalloid::air {

enum class Primitive {
  ThreadgroupBarrier, ///< air.wg.barrier(i32 flags, i32 scope)
  SimdgroupBarrier,   ///< air.simdgroup.barrier(i32 flags, i32 scope)
  Fence,              ///< air.atomic.fence(i32 flags, i32 order, i32 scope)
  SimdReduce,         ///< air.simd_{sum,product,min,max,and,or,xor}.T
  SimdScan,           ///< air.simd_prefix_{inclusive,exclusive}_{sum,product}.T
  SimdShuffle,        ///< air.simd_shuffle{,_up,_down,_xor,_rotate_up,_rotate_down}.T(value, i16)
  SimdShuffleFill,    ///< air.simd_shuffle_and_fill_{up,down}.T(value, fill, i16 delta, i16 modulo)
  SimdBroadcast,      ///< air.simd_broadcast.T(value, i16)
  SimdBroadcastFirst, ///< air.simd_broadcast_first.T(value)
  SimdVote,           ///< air.simd_{any,all}(i1)
  SimdBallot,         ///< air.simd_ballot.i64(i1)
  SimdActiveMask,     ///< air.simd_active_threads_mask.i64
  SimdIsFirst,        ///< air.simd_is_first()
  QuadReduce,
  QuadScan,
  QuadShuffle,
  QuadShuffleFill,
  QuadBroadcast,
  QuadBroadcastFirst,
  QuadVote,
  QuadBallot,
  QuadActiveMask,
  QuadIsFirst,
  MatrixMultiply, ///< air.simdgroup_matrix_8x8_multiply_accumulate.D.A.B.C
  MatrixLoad,     ///< air.simdgroup_matrix_8x8_load.T.pN
  MatrixStore,    ///< air.simdgroup_matrix_8x8_store.T.pN
  MatrixFilled,   ///< air.simdgroup_matrix_8x8_init_filled.T
  MatrixDiagonal, ///< air.simdgroup_matrix_8x8_init_diag.T
  AtomicLoad,     ///< air.atomic.{global,local}.load.T(ptr, i32 order, i32 scope, i1 volatile)
  AtomicStore,
  AtomicExchange,
  AtomicCompareExchange,
  AtomicModify, ///< air.atomic.{global,local}.{add,sub,min,max,and,or,xor}.[s.|u.]T
  LogMessage,   ///< air.os_log
};

enum class ReduceOp { None, Sum, Product, Min, Max, And, Or, Xor, Sub };
enum class ShuffleMode { None, Index, Up, Down, Xor, RotateUp, RotateDown };

/// An air function's name taken apart.
struct PrimitiveCall {
  Primitive kind;
  ReduceOp op = ReduceOp::None;
  ShuffleMode mode = ShuffleMode::None;
  bool isSigned = false;    ///< ".s." in the name; min and max of integers depend on it.
  bool isExclusive = false; ///< exclusive scans
  bool isAll = false;       ///< simd_all rather than simd_any
  bool isLocal = false;     ///< atomic on threadgroup memory
};

/// What `name` ("air.simd_sum.f32") is, or nothing where it is not a target primitive.
std::optional<PrimitiveCall> parsePrimitive(llvm::StringRef name);

} // namespace metalloid::air
