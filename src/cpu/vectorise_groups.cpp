// SPDX-License-Identifier: Apache-2.0
// Loads and stores whose lanes differ by constants, done as runs of neighbouring elements and
// shuffles: strided and interleaved accesses, tiles, rows that several lanes read.
#include <map>

#include "cpu/vectoriser.h"

#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace metalloid::cpu {

namespace {

constexpr unsigned MostRuns = 8;    ///< Loads or stores that a part may take.
constexpr int64_t WidestPiece = 64; ///< Bytes of one machine load.

} // namespace

/// The runs of each part, or none where single accesses are better. Gaps of a few elements are
/// bridged: what lies between two accessed elements that close is on their pages.
SmallVector<RunPlan, 0> Vectoriser::planRuns(const AccessGroup& group) {
  const LaneNumbers& lanes = shapes.offsets({Shape::Kind::Pattern, false, group.pattern});
  int64_t size = layout.getTypeStoreSize(group.type).getFixedValue();
  bool isWord = build.hooks.gathers && size >= 4;
  SmallVector<RunPlan, 0> plans(build.count);
  for (unsigned part = 0; part < build.count; ++part) {
    RunPlan& plan = plans[part];
    std::map<int64_t, unsigned> elementAt;
    for (const AccessGroup::Member& member : group.members)
      for (unsigned lane = 0; lane < build.chunk; ++lane)
        elementAt[lanes[part * build.chunk + lane] + member.distance] = 0;
    int64_t last = 0;
    for (auto& [offset, element] : elementAt) {
      int64_t gap = plan.runs.empty() ? 0 : offset - last;
      if (plan.runs.empty() || gap % size != 0 || gap > 8 * size)
        plan.runs.push_back({offset, 0});
      else
        plan.runs.back().elements += gap / size - 1;
      plan.elements = 0;
      for (const RunPlan::Run& run : plan.runs)
        plan.elements += run.elements;
      element = plan.elements;
      ++plan.runs.back().elements;
      last = offset;
    }
    ++plan.elements;
    plan.used = elementAt.size();
    plan.user.assign(plan.elements, -1);
    for (const AccessGroup::Member& member : group.members)
      for (unsigned lane = 0; lane < build.chunk; ++lane) {
        unsigned element = elementAt[lanes[part * build.chunk + lane] + member.distance];
        plan.user[element] = plan.place.size();
        plan.place.push_back(element);
      }
    size_t accesses = plan.place.size();
    bool tooMany = plan.runs.size() > MostRuns || 2 * plan.runs.size() > accesses;
    bool tooThin = plan.elements > (isWord ? 4 : 8) * plan.used;
    if ((tooMany && plan.runs.size() > 1) || tooThin || !canDoRuns(group, plan))
      return {};
  }
  return plans;
}

/// Masks and gaps that this target can do.
bool Vectoriser::canDoRuns(const AccessGroup& group, const RunPlan& plan) const {
  bool masks = build.hooks.masks(layout.getTypeSizeInBits(group.type));
  if (group.isStore)
    return !plan.isShared() && (masks ? plan.runs.size() == 1 || (mask->full && !plan.hasGaps())
                                      : mask->full && !plan.hasGaps());
  return mask->full || (masks && plan.runs.size() == 1 && !plan.isShared());
}

/// i1 for each element of a single run, padded to `padded`: accessed, by an active lane.
Value* Vectoriser::elementMask(const RunPlan& plan, unsigned part, unsigned padded) {
  if (mask->full) {
    SmallVector<Constant*, 64> accessed(padded, build.getFalse());
    for (unsigned element = 0; element < plan.elements; ++element)
      accessed[element] = build.getInt1(plan.user[element] >= 0);
    return ConstantVector::get(accessed);
  }
  SmallVector<int, 64> order(padded, build.chunk); // beyond the mask: a lane of zeros
  for (unsigned element = 0; element < plan.elements; ++element)
    if (plan.user[element] >= 0)
      order[element] = plan.user[element] % build.chunk;
  Value* none = Constant::getNullValue(build.vectorOf(build.getInt1Ty()));
  return build.CreateShuffleVector(mask->lanes[part], none, order);
}

/// The elements of a part's runs as one vector, in order; perhaps padded at the end.
Value* Vectoriser::loadRuns(const AccessGroup& group, const RunPlan& plan, unsigned part,
                            Value* start) {
  int64_t size = layout.getTypeStoreSize(group.type).getFixedValue();
  auto address = [&](int64_t offset) {
    return build.CreateConstGEP1_64(build.getInt8Ty(), start, offset);
  };
  auto vector = [&](unsigned elements) { return FixedVectorType::get(group.type, elements); };
  if (plan.runs.size() == 1) {
    Value* at = address(plan.runs[0].offset);
    unsigned padded = PowerOf2Ceil(plan.elements);
    if (mask->full && padded == plan.elements)
      return build.CreateAlignedLoad(vector(padded), at, group.alignment);
    if (!mask->full || build.hooks.masks(layout.getTypeSizeInBits(group.type)))
      return build.CreateMaskedLoad(vector(padded), at, group.alignment,
                                    elementMask(plan, part, padded));
  }
  // Pieces of powers of two.
  SmallVector<Value*, 16> pieces;
  SmallVector<unsigned, 16> sizes;
  unsigned widest = 1, total = 0;
  for (const RunPlan::Run& run : plan.runs)
    for (unsigned done = 0; done < run.elements;) {
      unsigned piece = std::min<unsigned>(bit_floor(run.elements - done),
                                          std::max<int64_t>(1, WidestPiece / size));
      pieces.push_back(build.CreateAlignedLoad(vector(piece), address(run.offset + done * size),
                                               commonAlignment(group.alignment, done * size)));
      sizes.push_back(piece);
      widest = std::max(widest, piece);
      done += piece;
      total += piece;
    }
  return joinPieces(pieces, sizes, widest, total);
}

/// Vectors of several lengths one after another.
Value* Vectoriser::joinPieces(SmallVectorImpl<Value*>& pieces, ArrayRef<unsigned> sizes,
                              unsigned widest, unsigned total) {
  SmallVector<int, 64> order;
  for (unsigned piece = 0; piece < pieces.size(); ++piece) {
    for (unsigned element = 0; element < sizes[piece]; ++element)
      order.push_back(piece * widest + element);
    if (sizes[piece] == widest)
      continue;
    SmallVector<int, 64> padding(widest, -1);
    for (unsigned element = 0; element < sizes[piece]; ++element)
      padding[element] = element;
    pieces[piece] = build.CreateShuffleVector(pieces[piece], padding);
  }
  Type* type = pieces[0]->getType();
  while (!isPowerOf2_64(pieces.size()))
    pieces.push_back(PoisonValue::get(type));
  Value* joined = pieces.size() == 1 ? pieces[0] : concatenateVectors(build, pieces);
  bool inOrder = true;
  for (unsigned element = 0; element < total; ++element)
    inOrder &= order[element] == int(element);
  return inOrder ? joined : build.CreateShuffleVector(joined, order);
}

SmallVector<Parts, 2> Vectoriser::loadGroup(const AccessGroup& group, ArrayRef<RunPlan> plans,
                                            Value* start) {
  SmallVector<Parts, 2> values(group.members.size(), Parts(build.count, nullptr));
  for (unsigned part = 0; part < build.count; ++part) {
    Value* elements = loadRuns(group, plans[part], part, start);
    for (unsigned member = 0; member < group.members.size(); ++member) {
      ArrayRef<unsigned> place = plans[part].place;
      SmallVector<int, 32> order(place.slice(member * build.chunk, build.chunk));
      values[member][part] = build.CreateShuffleVector(elements, order);
    }
  }
  return values;
}

void Vectoriser::storeGroup(const AccessGroup& group, ArrayRef<RunPlan> plans,
                            ArrayRef<Parts> values, Value* start) {
  for (unsigned part = 0; part < build.count; ++part) {
    const RunPlan& plan = plans[part];
    SmallVector<Value*, 16> all;
    for (const Parts& member : values)
      all.push_back(member[part]);
    while (!isPowerOf2_64(all.size()))
      all.push_back(PoisonValue::get(all[0]->getType()));
    Value* joined = all.size() == 1 ? all[0] : concatenateVectors(build, all);
    unsigned element = 0;
    for (const RunPlan::Run& run : plan.runs) {
      bool whole = mask->full && !plan.hasGaps();
      unsigned length = whole ? run.elements : PowerOf2Ceil(run.elements);
      SmallVector<int, 64> order(length, -1);
      for (unsigned at = 0; at < run.elements; ++at)
        order[at] = plan.user[element++];
      Value* ordered = build.CreateShuffleVector(joined, order);
      Value* address = build.CreateConstGEP1_64(build.getInt8Ty(), start, run.offset);
      if (whole)
        build.CreateAlignedStore(ordered, address, group.alignment);
      else
        build.CreateMaskedStore(ordered, address, group.alignment, elementMask(plan, part, length));
    }
  }
}

/// At run time: the key's lanes and the members' distances are what the plan was made from.
Value* Vectoriser::groupCondition(const AccessGroup& group) {
  const Value* pointer = getLoadStorePointerOperand(group.key);
  if (!group.mayWrap)
    return condition(pointer);
  const AddressParts& address = group.members.front().address;
  Value* holds = build.CreateAnd(condition(address.base), condition(address.index));
  bool isSigned = address.extension == Instruction::SExt;
  if (shapes.extendsExactly(address.index, isSigned, group.least, group.most))
    return holds;
  return build.CreateAnd(holds,
                         conditionOfExtension(address.index, isSigned, group.least, group.most));
}

/// The exact address of a member, also before its own pointer is emitted.
Parts Vectoriser::memberLanes(const AccessGroup& group, const AccessGroup::Member& member) {
  if (member.access == group.key || group.isStore)
    return lanes(getLoadStorePointerOperand(member.access));
  Type* bytes = build.getInt8Ty();
  if (!group.mayWrap) {
    Parts keys = lanes(getLoadStorePointerOperand(group.key));
    return build.each([&](unsigned part) {
      return build.CreateGEP(bytes, keys[part], build.getInt64(member.distance));
    });
  }
  const AddressParts& address = member.address;
  Parts bases = lanes(address.base), indices = lanes(address.index);
  return build.each([&](unsigned part) {
    Value* inner = ConstantInt::getSigned(indices[part]->getType(), address.inner);
    Value* wide =
        build.CreateCast(Instruction::CastOps(address.extension),
                         build.CreateAdd(indices[part], inner), build.vectorOf(build.getInt64Ty()));
    auto number = [&](int64_t value) { return ConstantInt::getSigned(wide->getType(), value); };
    Value* offset =
        build.CreateAdd(build.CreateMul(wide, number(address.scale)), number(address.outer));
    return build.CreateGEP(bytes, bases[part], offset);
  });
}

/// True where `access` was done, or will be, as one of a group.
bool Vectoriser::emitInGroup(Instruction& access) {
  const AccessGroup* group = groups.of(&access);
  if (!group)
    return false;
  auto [known, isFirst] = runPlans.try_emplace(group);
  if (isFirst) // decided at the first member met, for all of them
    known->second = planRuns(*group);
  if (known->second.empty())
    return false;
  if (group->key != &access)
    return true;
  const SmallVector<RunPlan, 0> plans = known->second;
  Value* start = scalar(getLoadStorePointerOperand(&access));
  if (!group->isStore) {
    SmallVector<Parts, 2> values = either(
        groupCondition(*group), [&] { return loadGroup(*group, plans, start); },
        [&] {
          SmallVector<Parts, 2> each;
          for (const AccessGroup::Member& member : group->members)
            each.push_back(gather(group->type, memberLanes(*group, member), group->alignment));
          return each;
        });
    for (auto [member, parts] : zip(group->members, values))
      setLanes(*member.access, parts);
    return true;
  }
  SmallVector<Parts, 4> values;
  for (const AccessGroup::Member& member : group->members)
    values.push_back(lanes(cast<StoreInst>(member.access)->getValueOperand()));
  either(
      groupCondition(*group),
      [&]() -> SmallVector<Parts, 2> {
        storeGroup(*group, plans, values, start);
        return {};
      },
      [&]() -> SmallVector<Parts, 2> {
        for (auto [member, parts] : zip(group->members, values))
          scatter(parts, memberLanes(*group, member), group->alignment);
        return {};
      });
  return true;
}

} // namespace metalloid::cpu
