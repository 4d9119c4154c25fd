// SPDX-License-Identifier: Apache-2.0
// Loads or stores of one block that belong together: the same lane differences, addresses at
// constant distances, nothing between them that could tell. A thread that reads four neighbours
// makes such a group; the SIMD-group then reads one run of memory.
#pragma once

#include <memory>
#include <vector>

#include "cpu/shapes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

namespace metalloid::cpu {

/// base + extension(index + inner) * scale + outer, in bytes.
struct AddressParts {
  const llvm::Value* base = nullptr;
  const llvm::Value* index = nullptr; ///< Null: none.
  unsigned extension = 0;             ///< Instruction::ZExt or SExt; 0: the index has 64 bits.
  int64_t scale = 0;
  int64_t inner = 0;
  int64_t outer = 0;
  bool exact = true; ///< Adding `inner` is known not to wrap in active lanes.

  int64_t offset() const { return inner * scale + outer; }
};
AddressParts takeApart(const llvm::Value* pointer, const llvm::DataLayout& layout);

struct AccessGroup {
  struct Member {
    llvm::Instruction* access;
    AddressParts address;
    int64_t distance; ///< Bytes from the key's address.
  };
  std::vector<Member> members; ///< By growing address.
  llvm::Instruction* key;      ///< Where the group is done: the first load, the last store.
  llvm::Type* type;
  bool isStore;
  uint32_t pattern;            ///< Of every member's pointer.
  llvm::Align alignment;       ///< Of every member.
  bool mayWrap = false;        ///< Distances hold only where index + inner wraps for no member …
  int64_t least = 0, most = 0; ///< … inner being in this range.
};

class AccessGroups {
public:
  AccessGroups(llvm::Function& thread, const ShapeAnalysis& shapes);
  /// The group of a load or store through a Pattern pointer, or null where none was made.
  const AccessGroup* of(const llvm::Instruction* access) const { return groups.lookup(access); }

private:
  const ShapeAnalysis& shapes;
  const llvm::DataLayout& layout;
  std::vector<std::unique_ptr<AccessGroup>> owned;
  llvm::DenseMap<const llvm::Instruction*, AccessGroup*> groups;
  using Members = std::vector<AccessGroup::Member>;
  std::vector<Members> openLoads, openStores; ///< Each of one key.

  void scan(llvm::BasicBlock& block);
  bool isCandidate(const llvm::Instruction& access) const;
  void add(std::vector<Members>& open, llvm::Instruction& access);
  bool belongs(const AccessGroup::Member& a, const AccessGroup::Member& b) const;
  void close(std::vector<Members>& open);
  int64_t windowOf(const llvm::Instruction& access) const;
  void make(llvm::ArrayRef<AccessGroup::Member> members);
};

} // namespace metalloid::cpu
