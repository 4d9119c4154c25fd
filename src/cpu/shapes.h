// SPDX-License-Identifier: Apache-2.0
// How a value differs between the 32 lanes: not at all, by constants, or anyhow. Loads and stores
// of whole vectors come from here, so everything said here holds for every active lane; in
// particular no 32-bit index is assumed not to wrap.
#pragma once

#include <optional>
#include <vector>

#include "cpu/divergence_plan.h"
#include "cpu/lane_facts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/InstrTypes.h"

namespace metalloid::cpu {

struct Shape {
  enum class Kind : uint8_t {
    Unknown, ///< Not reached yet by the analysis.
    Uniform, ///< Equal in all active lanes; kept as one scalar.
    Pattern, ///< Lane 0's value (kept as one scalar) plus a constant a lane, modulo 2^width.
    Varying, ///< Kept as vectors.
  };
  Kind kind = Kind::Unknown;
  /// Pattern: the constants hold only where no extension to a wider type upstream met a wrap inside
  /// the SIMD-group; the vectoriser checks that at run time and has the exact value besides.
  bool conditional = false;
  uint32_t pattern = 0; ///< Number of the pattern.

  bool isUniform() const { return kind == Kind::Uniform; }
  bool isPattern() const { return kind == Kind::Pattern; }
  bool isVarying() const { return kind == Kind::Varying; }
  /// Kept as one scalar: Uniform or Pattern.
  bool isScalar() const { return isUniform() || isPattern(); }
  bool operator==(const Shape&) const = default;
};

class ShapeAnalysis {
public:
  ShapeAnalysis(llvm::Function& thread, const ThreadgroupShape& shape, const DivergencePlan& plan);

  Shape of(const llvm::Value* value) const;
  /// Differences of the lanes to lane 0; for Uniform and Pattern shapes.
  const LaneNumbers& offsets(Shape shape) const { return patterns[shape.pattern]; }
  /// The values themselves where they are known per lane at compile time, else null.
  const LaneNumbers* constants(const llvm::Value* value) const;

  /// Proven at compile time: extending `value` (Uniform or Pattern, narrower than 64 bits) plus any
  /// number from `least` to `most` commutes with adding the lane's offset and that number.
  bool extendsExactly(const llvm::Value* value, bool isSigned, int64_t least = 0,
                      int64_t most = 0) const;
  /// This `or disjoint` is an addition (its operands may overlap in idle lanes).
  bool isAddition(const llvm::Instruction& instruction) const {
    return additions.contains(&instruction);
  }
  /// A Pattern phi of a loop takes its lane differences from this incoming value.
  static const llvm::Value* loopEntryValue(const llvm::PHINode& phi, const DivergencePlan& plan);

private:
  llvm::Function& function;
  const ThreadgroupShape threads;
  const DivergencePlan& plan;
  const llvm::DataLayout& layout;
  std::vector<LaneNumbers> patterns; ///< Interned; the first is all zero.
  llvm::DenseMap<const llvm::Value*, Shape> shapes;
  llvm::DenseMap<const llvm::Value*, LaneNumbers> known;
  llvm::DenseSet<const llvm::Instruction*> additions;

  void run();
  Shape transfer(llvm::Instruction& instruction);
  Shape ofPhi(llvm::PHINode& phi);
  Shape ofCall(llvm::CallBase& call);
  Shape ofBinary(llvm::BinaryOperator& operation);
  Shape ofCast(llvm::CastInst& cast);
  Shape ofAddress(llvm::GetElementPtrInst& address);
  Shape ofOther(llvm::Instruction& instruction);

  Shape intern(const LaneNumbers& offsets, bool conditional);
  Shape join(Shape a, Shape b) const;
  bool operandsAre(const llvm::Instruction& instruction, Shape::Kind kind) const;
  std::optional<LaneNumbers> evaluate(const llvm::Instruction& instruction) const;
  std::optional<LaneNumbers> lowBits(const llvm::Instruction& instruction) const;
  std::optional<LaneNumbers> numbersOf(const llvm::Value* value) const;
  std::optional<Shape> bitwise(const llvm::BinaryOperator& operation);
};

} // namespace metalloid::cpu
