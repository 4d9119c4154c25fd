// SPDX-License-Identifier: Apache-2.0
// Thread form: how a kernel looks between preparation and vectorisation. One scalar function is
// what one thread does; everything that differs between threads comes from the calls below, whose
// functions have no body, read no memory, and are known to the uniformity analysis by name.
//
// The road through it, each step a function declared here:
//   lowerPrimitives       early (before SROA): air primitives become LLVM atomics or scalar calls
//   … inlining, SROA, scalarizer, clean-up (preparation) …
//   layoutPrivateArrays   allocas become blocks shared by the 32 lanes
//   … the region splitter cuts at barriers, or nothing (fibers, no barrier) …
//   structurise           control flow that masks can follow
//   vectorise             SIMD-group form
#pragma once

#include <array>

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Error.h"

namespace metalloid::cpu {

/// A thread-form function has the type
///   void (ptr launch, ptr worker, i32 simdgroup, ptr threadgroupMemory,
///         i32 groupX, i32 groupY, i32 groupZ, <extra uniform values>…)
/// in the generic address space only; kernel arguments are loaded from Launch::arguments in its
/// entry block (uniform). In SIMD-group form it has one more parameter at the end:
///   i32 live: bit l set where lane l is a thread that exists and has not returned.
enum ThreadFormParameter : unsigned {
  LaunchParam,
  WorkerParam,
  SimdgroupParam,
  MemoryParam,
  GroupXParam, ///< Threadgroup's position in the grid; what cpu.group.{x,y,z} become.
  GroupYParam,
  GroupZParam,
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
/// Thread's position in the grid: group * dispatchThreadsPerThreadgroup + thread. To be used
/// instead of that sum, because it is known not to wrap in 32 bits.
inline constexpr llvm::StringLiteral GridX = "cpu.grid.x";
inline constexpr llvm::StringLiteral GridY = "cpu.grid.y";
inline constexpr llvm::StringLiteral GridZ = "cpu.grid.z";

/// ptr @cpu.private(i32 number, i64 bytes): a 64-byte aligned block of the SIMD-group, uniform,
/// that holds one private array of all 32 lanes. layoutPrivateArrays makes these calls, one a
/// number, in the entry block, and lane addressing around them. The region splitter replaces those
/// that live across regions by an address in scratch; vectorise makes the rest stack memory.
inline constexpr llvm::StringLiteral PrivateBlock = "cpu.private";

/// void @cpu.barrier(i32 number): in fiber images becomes Services::barrier; never present in the
/// functions that the region splitter hands to the vectoriser. A lane that is live but not active
/// at it is a fault: Services::divergentBarrier.
inline constexpr llvm::StringLiteral ThreadgroupBarrier = "cpu.barrier";

/// void @cpu.returned(i1 returns): made by structurise where threads return early and barriers
/// exist, so that a barrier can tell lanes that have returned from lanes that are elsewhere.
inline constexpr llvm::StringLiteral Returned = "cpu.returned";

/// T @cpu.matrix.fma.{f32,f16,bf16…}(A0, A1, B_k, C_k): one component (k = 0 or 1) of the 8x8
/// multiply-accumulate; lane l owns row ((l>>4)&1)*4 + ((l>>1)&3), columns ((l>>3)&1)*4 + (l&1)*2 +
/// k.
inline constexpr llvm::StringLiteral MatrixFmaPrefix = "cpu.matrix.fma.";

/// Finds or declares one of the functions above with its type and attributes.
llvm::Function* threadFormFunction(llvm::Module& module, llvm::StringRef name);

/// The name of the function that `call` calls where it is one of the above, else "".
llvm::StringRef threadFormName(const llvm::Value* call);

/// The threadgroup size a function is compiled for; 0 in an axis: known at run time only (read
/// from Launch::threadsPerThreadgroup).
struct ThreadgroupShape {
  std::array<uint32_t, 3> threads = {0, 0, 0};
  bool isFixed() const { return threads[0] && threads[1] && threads[2]; }
  uint32_t total() const { return threads[0] * threads[1] * threads[2]; }
};

/// Air primitives as thread form has them: atomics become LLVM's atomic instructions; matrix load,
/// store, filled and diagonal become scalar code; matrix multiply becomes cpu.matrix.fma;
/// SIMD-group and quad functions on vectors become one call an element. Left are air.simd_* and
/// air.quad_* on scalars and air.simdgroup.barrier. Run before SROA: `expected` of a
/// compare-exchange is a private variable. Barriers and log messages are not touched.
void lowerPrimitives(llvm::Function& thread);

/// Private arrays element-major over the 32 lanes, so that equal indices are contiguous: every
/// alloca that is left becomes cpu.private and lane arithmetic; memcpy, memmove and memset of them
/// become element-wise loads and stores.
void layoutPrivateArrays(llvm::Function& thread);

struct VectoriseOptions {
  ThreadgroupShape shape;
  unsigned chunk = 16;        ///< Lanes of one machine vector step: 4, 8, 16 or 32.
  bool allLanesExist = false; ///< The shape's total is a multiple of 32: `live` enters all ones.
};

/// Thread form to SIMD-group form. `scalar` must already be structurised, and hold scalar values
/// only (no vectors or aggregates but the {T, i1} of cmpxchg and with.overflow, taken apart at
/// once). Returns a new internal function named "<scalar>.simd"; `scalar` loses its body. An Error
/// names what could not be vectorised and where. The module's target features ("target-features"
/// attribute of `scalar`, data layout) decide between gathers and scalar loads.
llvm::Expected<llvm::Function*> vectorise(llvm::Function& scalar, const VectoriseOptions& options);

/// Makes control flow such that divergence is only if-then and loops with one latch exit:
/// lower-switch, mergereturn, fix-irreducible, unify-loop-exits, StructurizeCFG.
void structurise(llvm::Function& scalar, const ThreadgroupShape& shape);

/// Which values are equal for all threads of a SIMD-group (or, with `ofThreadgroup`, of the
/// threadgroup): the TargetTransformInfo that makes LLVM's UniformityInfoAnalysis know thread form.
enum class UniformScope { Simdgroup, Threadgroup };

} // namespace metalloid::cpu
