// SPDX-License-Identifier: Apache-2.0
// One SIMD-group being run: 32 lanes, each with its own place in the program. Lanes at the same
// place run together (block_order.h); that alone decides which lanes meet at a SIMD-group function.
#pragma once

#include <array>
#include <map>
#include <string>

#include "air/primitives.h"
#include "interp/program.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

namespace metalloid::interp {

inline constexpr unsigned Lanes = 32;
using LaneMask = uint32_t;
using LaneValues = std::array<Bits, Lanes>;

/// The scalars of an operand: those of the lanes lie side by side, a constant's are all lanes'.
struct Operand {
  const Bits* data = nullptr;
  size_t scalarStride = 0;
  size_t laneStride = 0;
  Bits at(size_t scalar, unsigned lane) const {
    return data[scalar * scalarStride + lane * laneStride];
  }
};

class Simdgroup {
public:
  /// `live` has a bit set for each lane that is a thread.
  Simdgroup(Program& program, Memory& memory, llvm::Function& kernel, LaneMask live);

  /// Sets argument `parameter` of the kernel in one lane.
  void setArgument(unsigned parameter, unsigned lane, llvm::ArrayRef<Bits> scalars);

  enum class Stop {
    Finished, ///< Every lane has returned.
    Barrier,  ///< Every live lane stands at barrier().
    Fault,    ///< fault() says what went wrong.
  };
  /// Goes on from where it stopped. Takes what it runs from `steps` and stops at none.
  Stop run(uint64_t& steps);

  const llvm::Instruction* barrier() const { return barrier_; }
  const std::string& fault() const { return fault_; }

private:
  struct Frame {
    const FunctionCode* code = nullptr;
    std::vector<Bits> values;
    LaneMask live = 0;    ///< Lanes that have not returned from this function.
    LaneMask active = 0;  ///< Lanes that run `next`.
    LaneMask waiting = 0; ///< Lanes that stand at `barrier` until the others come or return.
    llvm::CallInst* barrier = nullptr;
    std::array<uint32_t, Lanes> position{};
    std::array<const llvm::BasicBlock*, Lanes> previous{};
    llvm::BasicBlock::iterator next;
    bool isInBlock = false;
    llvm::CallInst* call = nullptr; ///< In the frame below, waiting for this one.
  };

  // simdgroup.cpp: control.
  void enter(llvm::Function& function, LaneMask lanes, llvm::CallInst* call);
  void chooseBlock();
  void runPhis(llvm::BasicBlock& block);
  /// One instruction. False where the SIMD-group must stop.
  bool step(llvm::Instruction& instruction);
  void jump(llvm::Instruction& terminator);
  void leave(llvm::ReturnInst& instruction);
  bool call(llvm::CallInst& instruction);
  bool waitAtBarrier(llvm::CallInst& instruction);
  bool meetAtBarrier();
  bool fail(const llvm::Instruction& instruction, const std::string& what);

  // instructions.cpp: data.
  bool compute(llvm::Instruction& instruction);
  bool elementwise(llvm::Instruction& instruction);
  void bitcast(llvm::Instruction& instruction);
  void select(llvm::SelectInst& instruction);
  void addressOf(llvm::GetElementPtrInst& instruction);
  void allocate(llvm::AllocaInst& instruction);
  bool load(llvm::LoadInst& instruction);
  bool store(llvm::StoreInst& instruction);
  void moveScalars(llvm::Instruction& instruction);
  void moveElements(llvm::Instruction& instruction);
  bool intrinsic(llvm::IntrinsicInst& instruction);
  bool copyBlock(llvm::MemIntrinsic& instruction);
  bool overflow(llvm::WithOverflowInst& instruction);
  bool reduceVector(llvm::IntrinsicInst& instruction);

  // primitives.cpp: what air/primitives.h lists.
  bool primitive(llvm::CallInst& instruction, const air::PrimitiveCall& primitive);
  void exchange(llvm::CallInst& instruction, const air::PrimitiveCall& primitive);
  void vote(llvm::CallInst& instruction, const air::PrimitiveCall& primitive);
  bool atomic(llvm::CallInst& instruction, const air::PrimitiveCall& primitive);
  void multiplyMatrices(llvm::CallInst& instruction);
  bool moveMatrix(llvm::CallInst& instruction, bool isStore);
  void fillMatrix(llvm::CallInst& instruction, bool isDiagonal);

  // Values of the top frame.
  Frame& top() { return frames_.back(); }
  Operand operand(const llvm::Value& value);
  Bits* result(const llvm::Value& value, size_t scalar = 0);
  size_t scalarCount(const llvm::Value& value);
  /// Calls `body(lane)` for each active lane.
  template <typename Body> void forLanes(Body body) {
    for (LaneMask rest = top().active; rest; rest &= rest - 1)
      body(static_cast<unsigned>(__builtin_ctz(rest)));
  }
  /// A private variable of each active lane, the same each time `owner` is reached at this depth.
  const std::array<Address, Lanes>& privateVariable(const llvm::Value& owner, uint64_t size);
  bool memoryIsFine(const llvm::Instruction& instruction);

  Program& program_;
  Memory& memory_;
  std::vector<Frame> frames_;
  std::map<std::pair<size_t, const llvm::Value*>, std::array<Address, Lanes>> privates_;
  const llvm::Instruction* barrier_ = nullptr;
  std::string fault_;
};

} // namespace metalloid::interp
