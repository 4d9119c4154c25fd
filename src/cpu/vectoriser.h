// SPDX-License-Identifier: Apache-2.0
// The state of vectorising one function. Each vectorise_*.cpp holds the members of one subject.
#pragma once

#include <string>
#include <vector>

#include "air/primitives.h"
#include "cpu/access_groups.h"
#include "cpu/divergence_plan.h"
#include "cpu/lane_builder.h"
#include "cpu/shapes.h"
#include "cpu/thread_form.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IntrinsicInst.h"

namespace metalloid::cpu {

/// What an idle lane counts as in a reduction or scan.
llvm::Constant* neutralElement(air::ReduceOp op, bool isSigned, llvm::Type* type);

/// Where the elements of one part of an access group lie.
struct RunPlan {
  struct Run {
    int64_t offset;    ///< Bytes from lane 0's address of the key.
    unsigned elements; ///< With the gaps between.
  };
  llvm::SmallVector<Run, 4> runs;
  unsigned elements = 0; ///< Of all runs; numbered through in their order.
  unsigned used = 0;     ///< Elements that some lane accesses.
  /// The element that member m of lane l (within the part) accesses, at [m * chunk + l].
  std::vector<unsigned> place;
  /// The lane and member that access an element, as an index into `place`; -1: a gap.
  std::vector<int> user;

  bool isShared() const { return used < place.size(); } ///< Some element has two users.
  bool hasGaps() const { return used < elements; }
};

class Vectoriser {
public:
  Vectoriser(llvm::Function& scalar, const VectoriseOptions& options, const DivergencePlan& plan);
  llvm::Expected<llvm::Function*> run();

private:
  llvm::Function& from;
  llvm::Function* to;
  const VectoriseOptions options;
  const DivergencePlan& plan;
  const llvm::DataLayout& layout;
  const ShapeAnalysis shapes;
  const AccessGroups groups;
  LaneBuilder build;
  std::string failure; ///< The first thing that could not be vectorised.

  // Values, by those of `from`.
  llvm::DenseMap<const llvm::Value*, llvm::Value*>
      scalars;                                       ///< Uniform: the value; Pattern: lane 0's.
  llvm::DenseMap<const llvm::Value*, Parts> vectors; ///< Varying.
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<Parts, 2>> aggregates; ///< Varying {T, i1}.
  llvm::DenseMap<const llvm::Value*, llvm::Value*> conditions; ///< i1: a conditional shape holds.

  // Control flow, by blocks of `from`.
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> firstBlock, lastBlock;
  llvm::DenseMap<const llvm::BasicBlock*, Mask> masks;
  llvm::DenseMap<const llvm::BasicBlock*, Mask> thenMasks; ///< By head of a divergent if.
  llvm::MapVector<const llvm::BasicBlock*, Parts>
      loopMasks; ///< Mask phis, by divergent loop header.
  struct LiveOut {
    Parts soFar; ///< Phis in the loop header: values of the lanes that have left.
    Parts final; ///< In the latch: with those that leave now.
  };
  llvm::DenseMap<const llvm::PHINode*, LiveOut> liveOuts; ///< By phi in a divergent loop's exit.
  llvm::SmallVector<llvm::PHINode*, 32> phis;
  llvm::BasicBlock* nobody = nullptr;   ///< Returns at once: no lane is live.
  llvm::Value* returnedLanes = nullptr; ///< Stack slot of i32: lanes that met cpu.returned.

  const Mask* mask = nullptr; ///< Of the block being emitted.

  llvm::Value* fail(const llvm::Twine& what, llvm::Type* type = nullptr);

  // vectorise.cpp: the values of `from` as scalars and lanes
  llvm::Value* scalar(const llvm::Value* value);
  Parts lanes(const llvm::Value* value);
  Parts laneDifferences(const llvm::Value* value);
  llvm::Value* condition(const llvm::Value* value);
  llvm::Value* conditionOfExtension(const llvm::Value* value, bool isSigned, int64_t least = 0,
                                    int64_t most = 0);
  /// Records `values` as `instruction`'s, in the form its shape asks for.
  void setLanes(const llvm::Instruction& instruction, Parts values);
  void setScalar(const llvm::Instruction& instruction, llvm::Value* value);
  void emit(llvm::Instruction& instruction);

  // vectorise_control.cpp
  void emitPrologue();
  void enterBlock(llvm::BasicBlock& block);
  Mask maskOnEntry(llvm::BasicBlock& block);
  void beginPhis(llvm::BasicBlock& block);
  void emitTerminator(llvm::Instruction& terminator);
  void emitDivergentIf(const DivergentIf& branch, llvm::Value* condition);
  void emitLoopEnd(llvm::Loop& loop, llvm::BranchInst& branch);
  void finishPhis();
  void finishLoopMasks();
  Parts incomingLanes(llvm::PHINode& phi, unsigned index);
  void emitBarrier(llvm::CallBase& call);
  void emitReturned(llvm::CallBase& call);
  /// Runs `body` once for each active lane, lowest first; `body` gets the lane (i64).
  void forEachActiveLane(llvm::function_ref<void(llvm::Value* lane)> body);
  /// Where `holds` is true at run time the result of `fast`, else that of `slow`.
  llvm::SmallVector<Parts, 2> either(llvm::Value* holds,
                                     llvm::function_ref<llvm::SmallVector<Parts, 2>()> fast,
                                     llvm::function_ref<llvm::SmallVector<Parts, 2>()> slow);

  // vectorise_ids.cpp
  void emitId(llvm::CallBase& call, llvm::StringRef name);
  llvm::Value* launchWord(unsigned offset);
  Parts positionLanes(unsigned axis);
  llvm::Value* firstPosition(unsigned axis);
  llvm::Value* extent(unsigned axis);

  // vectorise_elementwise.cpp
  void emitScalar(llvm::Instruction& instruction);
  void emitVarying(llvm::Instruction& instruction);
  Parts divide(llvm::BinaryOperator& operation);
  Parts address(llvm::GetElementPtrInst& address);
  void emitCall(llvm::CallBase& call);
  void callPerLane(llvm::CallBase& call);

  // vectorise_memory.cpp
  void emitLoad(llvm::LoadInst& load);
  void emitStore(llvm::StoreInst& store);
  bool isContiguous(const llvm::Value* pointer, llvm::Type* type) const;
  Parts loadContiguous(llvm::Type* type, llvm::Value* pointer, llvm::Align alignment);
  void storeContiguous(const Parts& values, llvm::Value* pointer, llvm::Align alignment);
  Parts gather(llvm::Type* type, const Parts& pointers, llvm::Align alignment);
  void scatter(const Parts& values, const Parts& pointers, llvm::Align alignment);
  Parts safePointers(const Parts& pointers);
  void emitMemoryIntrinsic(llvm::MemIntrinsic& call);

  // vectorise_rows.cpp
  bool mayBeRows(const llvm::Value* pointer, llvm::Type* type) const;
  llvm::Value* areRows(const Parts& pointers, llvm::Type* type);
  Parts loadRows(llvm::Type* type, const Parts& pointers, llvm::Align alignment);
  void storeRows(const Parts& values, const Parts& pointers, llvm::Align alignment);
  Parts frozenLanes(const llvm::Value* value);

  // vectorise_exchange.cpp
  void emitExchange(llvm::CallBase& call, const air::PrimitiveCall& primitive);
  void emitVote(llvm::CallBase& call, bool isAll, unsigned width);
  void emitBroadcast(llvm::CallBase& call, unsigned width);
  llvm::Value* combine(air::ReduceOp op, bool isSigned, llvm::Value* a, llvm::Value* b);
  Parts activeLanes(const llvm::Value* value, llvm::Constant* idle);
  llvm::Value* reduce(air::ReduceOp op, bool isSigned, Parts values);
  Parts reduceQuads(air::ReduceOp op, bool isSigned, Parts values);
  Parts scan(const air::PrimitiveCall& call, Parts values, unsigned width);
  Parts laneNumbers();
  Parts shuffleBy(air::ShuffleMode mode, const Parts& values, const llvm::Value* amount,
                  unsigned width);
  Parts shuffleAndFill(air::ShuffleMode mode, const Parts& values, const Parts& fill,
                       const llvm::Value* delta, const llvm::Value* modulo, unsigned width);
  Parts firstOfQuads(const Parts& values);
  Parts quadBits(const Parts& set);
  Parts isFirst(unsigned width);

  // vectorise_matrix.cpp
  void emitMatrixFma(llvm::CallBase& call);

  // vectorise_atomics.cpp
  void emitAtomic(llvm::Instruction& atomic);
  void emitAtomicPerLane(llvm::Instruction& atomic);
  bool combineAtomic(llvm::AtomicRMWInst& atomic);

  // vectorise_groups.cpp
  bool emitInGroup(llvm::Instruction& access);
  llvm::SmallVector<RunPlan, 0> planRuns(const AccessGroup& group);
  bool canDoRuns(const AccessGroup& group, const RunPlan& plan) const;
  llvm::Value* elementMask(const RunPlan& plan, unsigned part, unsigned padded);
  llvm::Value* loadRuns(const AccessGroup& group, const RunPlan& plan, unsigned part,
                        llvm::Value* start);
  llvm::Value* joinPieces(llvm::SmallVectorImpl<llvm::Value*>& pieces,
                          llvm::ArrayRef<unsigned> sizes, unsigned widest, unsigned total);
  llvm::SmallVector<Parts, 2> loadGroup(const AccessGroup& group, llvm::ArrayRef<RunPlan> plans,
                                        llvm::Value* start);
  void storeGroup(const AccessGroup& group, llvm::ArrayRef<RunPlan> plans,
                  llvm::ArrayRef<Parts> values, llvm::Value* start);
  llvm::Value* groupCondition(const AccessGroup& group);
  Parts memberLanes(const AccessGroup& group, const AccessGroup::Member& member);
  /// By group: the plan of each part; none where members are done one by one.
  llvm::DenseMap<const AccessGroup*, llvm::SmallVector<RunPlan, 0>> runPlans;

  llvm::Value* idleSlot = nullptr; ///< Stack memory that idle lanes may load from and store to.
};

} // namespace metalloid::cpu
