// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cpu/region_cuts.h"
#include "cpu/split_regions.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace metalloid::cpu {

class Uniformity;

/// A value that one region computes and another uses. `variable` stands for it in the kernel's
/// code once RegionValues has been made.
struct SavedValue {
  enum Kind : uint8_t { Uniform, PerSimdgroup, PerThread };
  Kind kind;
  llvm::AllocaInst* variable;
  llvm::Type* type;
  uint32_t index; ///< Among the uniforms, or among the arrays in scratch.
};

/// The 32 lanes' copies of a private array (cpu.private).
struct PrivateArray {
  llvm::CallInst* call;
  uint64_t bytes; ///< A SIMD-group.
  bool inScratch; ///< Outlives the region that uses it.
  uint32_t index; ///< Among the arrays in scratch, where it is in scratch.
};

/// What a region does with a saved value.
struct RegionUse {
  bool touches = false; ///< Mentions it.
  bool reads = false;   ///< Needs the value from before the region.
  bool writes = false;  ///< Makes a value that a later region needs.
};

/// What a kernel's regions hand to each other.
class RegionValues {
public:
  /// Rewrites `thread`: what crosses from region to region is recomputed or goes through memory.
  RegionValues(llvm::Function& thread, const ThreadgroupShape& shape, const RegionCuts& cuts);

  llvm::ArrayRef<SavedValue> saved() const { return saved_; }
  llvm::ArrayRef<PrivateArray> privateArrays() const { return privateArrays_; }
  llvm::ArrayRef<llvm::Type*> uniformTypes() const { return uniformTypes_; }

  RegionUse useIn(unsigned region, const SavedValue& value) const;
  bool uses(unsigned region, const PrivateArray& array) const;
  /// Index of the uniform that decides which way a uniform branch goes.
  uint32_t conditionOf(const Cut& cut) const;

  /// Checks, in the code of one region, that what `stores` save is equal for all threads of the
  /// threadgroup or SIMD-group: cutting a loop open can break what held in the whole kernel.
  llvm::Error
  proveUniform(llvm::Function& region,
               llvm::ArrayRef<std::pair<llvm::StoreInst*, SavedValue::Kind>> stores) const;

  /// Fills in the uniforms and the layout of scratch.
  void layOut(Regions& regions) const;

private:
  void saveConditions(llvm::Function& thread);
  void saveCrossingValues(llvm::Function& thread,
                          const llvm::DenseSet<llvm::Value*>& perThreadgroup,
                          const llvm::DenseSet<llvm::Value*>& perSimdgroup);
  void save(llvm::AllocaInst* variable, llvm::Type* type, SavedValue::Kind kind);
  void findPrivateArrays(llvm::Function& thread);
  void findUses(llvm::Function& thread);
  bool runsAgain(unsigned region) const;
  uint32_t addArray(uint64_t bytesPerSimdgroup);

  const ThreadgroupShape shape_;
  const RegionCuts& cuts_;
  std::vector<SavedValue> saved_;
  std::vector<PrivateArray> privateArrays_;
  std::vector<llvm::Type*> uniformTypes_;
  std::vector<uint64_t> arrayBytes_; ///< A SIMD-group.
  llvm::DenseMap<const llvm::BasicBlock*, uint32_t> conditions_;
  std::vector<std::vector<RegionUse>> uses_; ///< [region][index in saved_]
  std::vector<std::vector<llvm::BasicBlock*>> blocks_;
};

/// How a value lies in memory: a bool as a byte.
llvm::Type* storedType(llvm::Type* type);
llvm::Value* toStored(llvm::IRBuilderBase& builder, llvm::Value* value, llvm::Type* type);
llvm::Value* fromStored(llvm::IRBuilderBase& builder, llvm::Value* value, llvm::Type* type);

} // namespace metalloid::cpu
