// SPDX-License-Identifier: Apache-2.0
#include "cpu/access_groups.h"

#include <algorithm>

#include "llvm/IR/Operator.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

constexpr size_t MostMembers = 16;
constexpr int64_t TileWindow = 64; ///< Bytes over which members of an irregular pattern may spread.

/// `value` = what is returned + a constant, which is added to `sum` times `scale`. `exact` becomes
/// false where that addition might wrap and `extension` would show it.
const Value* peelAddition(const Value* value, unsigned extension, int64_t& sum, bool& exact) {
  while (auto* operation = dyn_cast<BinaryOperator>(value)) {
    auto* constant = dyn_cast<ConstantInt>(operation->getOperand(1));
    if (!constant || constant->getBitWidth() > 64)
      break;
    if (operation->getOpcode() == Instruction::Add) {
      exact &= extension == 0 ||
               (extension == Instruction::ZExt && operation->hasNoUnsignedWrap() &&
                !constant->isNegative()) ||
               (extension == Instruction::SExt && operation->hasNoSignedWrap());
    } else if (auto* disjoint = dyn_cast<PossiblyDisjointInst>(operation);
               !disjoint || !disjoint->isDisjoint() || constant->isNegative()) {
      break;
    }
    sum += constant->getSExtValue();
    value = operation->getOperand(0);
  }
  return value;
}

} // namespace

AddressParts takeApart(const Value* pointer, const DataLayout& layout) {
  AddressParts parts;
  APInt constant(64, 0);
  parts.base = pointer->stripAndAccumulateConstantOffsets(layout, constant, true);
  parts.outer = constant.getSExtValue();
  auto* address = dyn_cast<GEPOperator>(parts.base);
  SmallMapVector<Value*, APInt, 4> terms;
  APInt fixed(64, 0);
  if (!address || address->getType()->isVectorTy() ||
      !address->collectOffset(layout, 64, terms, fixed) || terms.size() != 1)
    return parts;
  parts.outer += fixed.getSExtValue();
  parts.scale = terms.front().second.getSExtValue();
  parts.index = peelAddition(terms.front().first, 0, parts.inner, parts.exact);
  parts.outer += parts.inner * parts.scale; // 64-bit additions belong outside
  parts.inner = 0;
  if (isa<ZExtInst, SExtInst>(parts.index)) {
    auto* extension = cast<CastInst>(parts.index);
    parts.extension = extension->getOpcode();
    parts.index = peelAddition(extension->getOperand(0), parts.extension, parts.inner, parts.exact);
  }
  APInt below(64, 0);
  parts.base = address->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, below, true);
  parts.outer += below.getSExtValue();
  return parts;
}

AccessGroups::AccessGroups(Function& thread, const ShapeAnalysis& shapes)
    : shapes(shapes), layout(thread.getDataLayout()) {
  for (BasicBlock& block : thread)
    scan(block);
}

bool AccessGroups::isCandidate(const Instruction& access) const {
  const Value* pointer = getLoadStorePointerOperand(&access);
  if (!pointer || access.isAtomic() || access.isVolatile())
    return false;
  Type* type = getLoadStoreType(&access);
  return shapes.of(pointer).isPattern() && VectorType::isValidElementType(type) &&
         layout.typeSizeEqualsStoreSize(type) && isPowerOf2_64(layout.getTypeStoreSize(type));
}

/// A load may move up over loads, a store down over stores of its own group; over nothing else.
void AccessGroups::scan(BasicBlock& block) {
  for (Instruction& instruction : block) {
    if (!instruction.mayReadOrWriteMemory())
      continue;
    if (!isCandidate(instruction)) {
      close(openStores);
      if (instruction.mayWriteToMemory())
        close(openLoads);
    } else if (isa<LoadInst>(instruction)) {
      close(openStores);
      add(openLoads, instruction);
    } else {
      close(openLoads);
      AccessGroup::Member member{&instruction,
                                 takeApart(getLoadStorePointerOperand(&instruction), layout), 0};
      if (!openStores.empty() && !belongs(openStores.front().front(), member))
        close(openStores);
      add(openStores, instruction);
    }
  }
  close(openLoads);
  close(openStores);
}

void AccessGroups::add(std::vector<Members>& open, Instruction& access) {
  AccessGroup::Member member{&access, takeApart(getLoadStorePointerOperand(&access), layout), 0};
  for (Members& members : open)
    if (belongs(members.front(), member)) {
      members.push_back(member);
      return;
    }
  open.push_back({member});
}

bool AccessGroups::belongs(const AccessGroup::Member& a, const AccessGroup::Member& b) const {
  auto pattern = [&](const AccessGroup::Member& member) {
    return shapes.of(getLoadStorePointerOperand(member.access)).pattern;
  };
  return a.address.base == b.address.base && a.address.index == b.address.index &&
         a.address.extension == b.address.extension && a.address.scale == b.address.scale &&
         getLoadStoreType(a.access) == getLoadStoreType(b.access) && pattern(a) == pattern(b);
}

/// How far apart members of a group may lie: lanes a fixed stride apart fill that stride; lanes
/// that are neighbours need no group.
int64_t AccessGroups::windowOf(const Instruction& access) const {
  const LaneNumbers& lanes = shapes.offsets(shapes.of(getLoadStorePointerOperand(&access)));
  int64_t stride = lanes[1], size = layout.getTypeStoreSize(getLoadStoreType(&access));
  for (int64_t lane = 0; lane < 32; ++lane)
    if (lanes[lane] != lane * stride)
      return TileWindow;
  return stride <= size ? 1 : stride;
}

void AccessGroups::close(std::vector<Members>& open) {
  for (Members& members : open) {
    llvm::sort(members, [](const auto& a, const auto& b) {
      return a.address.offset() != b.address.offset() ? a.address.offset() < b.address.offset()
                                                      : a.access->comesBefore(b.access);
    });
    int64_t window = windowOf(*members.front().access);
    for (size_t first = 0; first < members.size();) {
      size_t last = first;
      while (last < members.size() && last - first < MostMembers &&
             members[last].address.offset() - members[first].address.offset() < window)
        ++last;
      make(ArrayRef(members).slice(first, last - first));
      first = last;
    }
  }
  open.clear();
}

void AccessGroups::make(ArrayRef<AccessGroup::Member> members) {
  auto group = std::make_unique<AccessGroup>();
  const Instruction& first = *members.front().access;
  group->members = members.vec();
  group->type = getLoadStoreType(&first);
  group->isStore = isa<StoreInst>(first);
  group->pattern = shapes.of(getLoadStorePointerOperand(&first)).pattern;
  group->alignment = getLoadStoreAlignment(&first);
  group->key = members.front().access;
  group->least = group->most = members.front().address.inner;
  bool exact = true;
  for (const AccessGroup::Member& member : members) {
    group->alignment = std::min(group->alignment, getLoadStoreAlignment(member.access));
    group->least = std::min(group->least, member.address.inner);
    group->most = std::max(group->most, member.address.inner);
    exact &= member.address.exact;
    if (group->isStore ? group->key->comesBefore(member.access)
                       : member.access->comesBefore(group->key))
      group->key = member.access;
  }
  group->mayWrap = !exact && group->least != group->most;
  auto key = llvm::find_if(members, [&](auto& member) { return member.access == group->key; });
  for (AccessGroup::Member& member : group->members) {
    member.distance = member.address.offset() - key->address.offset();
    groups[member.access] = group.get();
  }
  owned.push_back(std::move(group));
}

} // namespace metalloid::cpu
