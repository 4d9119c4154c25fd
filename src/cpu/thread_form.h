// SPDX-License-Identifier: Apache-2.0
// Thread form: how a kernel looks between preparation and vectorisation. One scalar function is
// what one thread does; everything that differs between threads comes from the calls below, whose
// functions have no body, read no memory, and are known to the uniformity analysis by name.
#pragma once

#include <array>

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Error.h"

namespace metalloid::cpu {

/// A thread-form function has the type
///   void (ptr launch, ptr worker, i32 simdgroup, ptr threadgroupMemory, <extra uniform ptrs>…)
/// in the generic address space only; kernel arguments are loaded from Launch::arguments in its
/// entry block (uniform). In SIMD-group form it has one more parameter at the end:
///   i32 live: bit l set where lane l is a thread that exists and has not returned.
enum ThreadFormParameter : unsigned {
  LaunchParam,
  WorkerParam,
  SimdgroupParam,
  MemoryParam,
  FirstExtraParam
};

/// i32 functions of no argument.
inline constexpr llvm::StringLiteral LaneId = "cpu.lane";              ///< 0 … 31, varying.
inline constexpr llvm::StringLiteral ThreadIndex = "cpu.thread.index"; ///< 32 * simdgroup + lane.
inline constexpr llvm::StringLiteral ThreadX = "cpu.thread.x";         ///< Position in threadgroup.
inline constexpr llvm::StringLiteral ThreadY = "cpu.thread.y";
inline constexpr llvm::StringLiteral ThreadZ = "cpu.thread.z";
inline constexpr llvm::StringLiteral GroupX = "cpu.group.x"; ///< Position in grid, uniform.
inline constexpr llvm::StringLiteral GroupY = "cpu.group.y";
inline constexpr llvm::StringLiteral GroupZ = "cpu.group.z";

/// Region images keep each thread's private arrays and saved values in scratch:
///   ptr @cpu.private(ptr base, i64 bytes)
/// is this thread's block of `bytes` bytes, laid out by the vectoriser over the 32 lanes of the
/// SIMD-group at base + simdgroup * 32 * bytes (element-major, so that equal indices are
/// contiguous).
inline constexpr llvm::StringLiteral PrivateBlock = "cpu.private";

/// void @cpu.barrier(i32 number): in fiber images becomes Services::barrier; never present in the
/// functions that the region splitter hands to the vectoriser. A lane that is live but not active
/// at it is a fault: Services::divergentBarrier.
inline constexpr llvm::StringLiteral ThreadgroupBarrier = "cpu.barrier";

/// The threadgroup size a function is compiled for; 0 in an axis: known at run time only (read
/// from Launch::threadsPerThreadgroup).
struct ThreadgroupShape {
  std::array<uint32_t, 3> threads = {0, 0, 0};
  bool isFixed() const { return threads[0] && threads[1] && threads[2]; }
  uint32_t total() const { return threads[0] * threads[1] * threads[2]; }
};

struct VectoriseOptions {
  ThreadgroupShape shape;
  unsigned chunk = 16;        ///< Lanes of one machine vector step: 4, 8, 16 or 32.
  bool allLanesExist = false; ///< The shape's total is a multiple of 32: `live` enters all ones.
};

/// Thread form to SIMD-group form. `scalar` must already be structurised (structurise.h). Returns a
/// new internal function named "<scalar>.simd"; `scalar` loses its body. Every air primitive of
/// air/primitives.h is lowered here. An Error names what could not be vectorised and where.
llvm::Expected<llvm::Function*> vectorise(llvm::Function& scalar, const VectoriseOptions& options);

/// Makes control flow such that divergence is only if-then and loops with one latch exit:
/// lower-switch, mergereturn, fix-irreducible, unify-loop-exits, StructurizeCFG.
void structurise(llvm::Function& scalar, const ThreadgroupShape& shape);

/// Which values are equal for all threads of a SIMD-group (or, with `ofThreadgroup`, of the
/// threadgroup): the TargetTransformInfo that makes LLVM's UniformityInfoAnalysis know thread form.
enum class UniformScope { Simdgroup, Threadgroup };

} // namespace metalloid::cpu
