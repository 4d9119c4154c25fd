// SPDX-License-Identifier: Apache-2.0
#include "interp/simdgroup.h"

#include <cstring>

#include <fmt/format.h>

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace metalloid::interp {
namespace {

constexpr size_t MaxDepth = 256;

std::string placeOf(const Instruction& instruction) {
  std::string place = fmt::format("function \"{}\"", instruction.getFunction()->getName().str());
  if (const DebugLoc& location = instruction.getDebugLoc())
    place += fmt::format(", {}:{}", location->getFilename().str(), location.getLine());
  return place;
}

} // namespace

Simdgroup::Simdgroup(Program& program, Memory& memory, Function& kernel, LaneMask live)
    : program_(program), memory_(memory) {
  enter(kernel, live, nullptr);
}

void Simdgroup::setArgument(unsigned parameter, unsigned lane, ArrayRef<Bits> scalars) {
  const Argument& argument = *top().code->function.getArg(parameter);
  for (auto [i, bits] : enumerate(scalars))
    result(argument, i)[lane] = bits;
}

void Simdgroup::enter(Function& function, LaneMask lanes, CallInst* call) {
  Frame frame;
  frame.code = &program_.codeOf(function);
  frame.values.resize(size_t(frame.code->rowCount) * Lanes);
  frame.live = lanes;
  frame.call = call;
  frames_.push_back(std::move(frame));
}

Simdgroup::Stop Simdgroup::run(uint64_t& steps) {
  barrier_ = nullptr;
  while (!frames_.empty()) {
    if (top().live == 0) {
      // All lanes have returned: go on behind the call.
      frames_.pop_back();
      continue;
    }
    if (!top().isInBlock) {
      if (top().live == top().waiting)
        return meetAtBarrier() ? Stop::Barrier : Stop::Fault;
      chooseBlock();
      continue;
    }
    if (steps == 0) {
      fault_ = "it ran past its limit of steps, in " + placeOf(*top().next);
      return Stop::Fault;
    }
    --steps;
    Instruction& instruction = *top().next;
    if (!instruction.isTerminator())
      ++top().next;
    if (!step(instruction))
      return Stop::Fault;
  }
  return Stop::Finished;
}

void Simdgroup::chooseBlock() {
  Frame& frame = top();
  uint32_t least = UINT32_MAX;
  LaneMask running = frame.live & ~frame.waiting;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (running >> lane & 1)
      least = std::min(least, frame.position[lane]);
  const BlockOrder::Place& place = frame.code->order.at(least);
  frame.active = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if ((running >> lane & 1) && frame.position[lane] == least)
      frame.active |= LaneMask(1) << lane;
  if (place.isMeeting) {
    forLanes(
        [&](unsigned lane) { frame.position[lane] = frame.code->order.positionOf(*place.block); });
    return;
  }
  runPhis(*place.block);
  frame.next = place.block->getFirstNonPHIIt();
  frame.isInBlock = true;
}

/// All phis of a block take their values at once, each lane's from where it came.
void Simdgroup::runPhis(BasicBlock& block) {
  SmallVector<std::pair<Bits*, Bits>> assignments;
  for (PHINode& phi : block.phis()) {
    size_t count = scalarCount(phi);
    forLanes([&](unsigned lane) {
      Operand value = operand(*phi.getIncomingValueForBlock(top().previous[lane]));
      for (size_t i = 0; i < count; ++i)
        assignments.push_back({result(phi, i) + lane, value.at(i, lane)});
    });
  }
  for (auto& [target, bits] : assignments)
    *target = bits;
}

bool Simdgroup::step(Instruction& instruction) {
  if (program_.metUnknownConstant())
    return fail(instruction, "it uses a constant that has no value here");
  if (auto* returning = dyn_cast<ReturnInst>(&instruction)) {
    leave(*returning);
    return true;
  }
  if (isa<UnreachableInst>(instruction))
    return fail(instruction, "it came to a point that the compiler took for unreachable");
  if (instruction.isTerminator()) {
    jump(instruction);
    return true;
  }
  if (auto* callee = dyn_cast<CallInst>(&instruction))
    return call(*callee);
  return compute(instruction);
}

void Simdgroup::jump(Instruction& terminator) {
  Frame& frame = top();
  const BasicBlock& from = *terminator.getParent();
  Operand condition;
  if (terminator.getNumSuccessors() > 1)
    condition = operand(*terminator.getOperand(0));
  forLanes([&](unsigned lane) {
    const BasicBlock* to = terminator.getSuccessor(0);
    if (auto* branch = dyn_cast<BranchInst>(&terminator); branch && branch->isConditional()) {
      to = branch->getSuccessor(condition.at(0, lane) & 1 ? 0 : 1);
    } else if (auto* choice = dyn_cast<SwitchInst>(&terminator)) {
      to = choice->getDefaultDest();
      APInt value(widthOf(*choice->getCondition()->getType()),
                  static_cast<uint64_t>(condition.at(0, lane)), false, true);
      for (auto& label : choice->cases())
        if (label.getCaseValue()->getValue() == value)
          to = label.getCaseSuccessor();
    }
    frame.position[lane] = frame.code->order.afterJump(from, *to);
    frame.previous[lane] = &from;
  });
  frame.isInBlock = false;
}

void Simdgroup::leave(ReturnInst& instruction) {
  Frame& frame = top();
  if (frame.call && instruction.getReturnValue()) {
    Operand value = operand(*instruction.getReturnValue());
    Frame& caller = frames_[frames_.size() - 2];
    size_t row = caller.code->rows.lookup(frame.call);
    size_t count = scalarCount(*instruction.getReturnValue());
    forLanes([&](unsigned lane) {
      for (size_t i = 0; i < count; ++i)
        caller.values[(row + i) * Lanes + lane] = value.at(i, lane);
    });
  }
  frame.live &= ~frame.active;
  frame.isInBlock = false;
}

bool Simdgroup::call(CallInst& instruction) {
  if (auto* known = dyn_cast<IntrinsicInst>(&instruction))
    return intrinsic(*known);
  Function* callee = instruction.getCalledFunction();
  if (!callee)
    return fail(instruction, "it calls through a pointer");
  if (callee->isDeclaration()) {
    auto parsed = air::parsePrimitive(callee->getName());
    if (!parsed)
      return fail(instruction, "it calls \"" + callee->getName().str() + "\", which has no body");
    return primitive(instruction, *parsed);
  }
  if (frames_.size() >= MaxDepth)
    return fail(instruction, "its calls nest too deep");

  SmallVector<Operand, 8> values;
  for (const Use& argument : instruction.args())
    values.push_back(operand(*argument));
  LaneMask lanes = top().active;
  enter(*callee, lanes, &instruction);
  top().active = lanes; // for the arguments; chooseBlock() decides anew
  for (Argument& argument : callee->args()) {
    const Operand& value = values[argument.getArgNo()];
    if (Type* copied = argument.getParamByValType()) {
      uint64_t size = program_.layouts().storeSize(*copied);
      auto& copies = privateVariable(argument, size);
      forLanes([&](unsigned lane) {
        auto source = static_cast<Address>(value.at(0, lane));
        if (const std::byte* bytes = memory_.access(source, size, false))
          std::memcpy(memory_.access(copies[lane], size, true), bytes, size);
        result(argument)[lane] = copies[lane];
      });
      continue;
    }
    for (size_t i = 0, count = scalarCount(argument); i < count; ++i)
      forLanes([&](unsigned lane) { result(argument, i)[lane] = value.at(i, lane); });
  }
  return memoryIsFine(instruction);
}

/// The active lanes stop here. Others may still return, or come by another turn of a loop.
bool Simdgroup::waitAtBarrier(CallInst& instruction) {
  Frame& frame = top();
  if (frame.barrier && frame.barrier != &instruction)
    return fail(instruction, fmt::format("lanes {:#010x} stand at this barrier, lanes {:#010x} at "
                                         "another",
                                         frame.active, frame.waiting));
  frame.barrier = &instruction;
  frame.waiting |= frame.active;
  frame.isInBlock = false;
  return true;
}

/// All lanes that have not returned stand at the barrier, or the SIMD-group has failed.
bool Simdgroup::meetAtBarrier() {
  Frame& frame = top();
  LaneMask missing = frames_.front().live & ~frame.waiting;
  if (missing)
    return fail(*frame.barrier,
                fmt::format("lanes {:#010x} stand at a barrier where lanes {:#010x} do not come; a "
                            "barrier must be reached by every thread that has not returned",
                            frame.waiting, missing));
  barrier_ = frame.barrier;
  // All go on behind it.
  frame.next = std::next(frame.barrier->getIterator());
  frame.active = frame.waiting;
  frame.waiting = 0;
  frame.barrier = nullptr;
  frame.isInBlock = true;
  return true;
}

bool Simdgroup::fail(const Instruction& instruction, const std::string& what) {
  fault_ = what + " (" + placeOf(instruction) + ")";
  return false;
}

Operand Simdgroup::operand(const Value& value) {
  if (auto* constant = dyn_cast<Constant>(&value))
    return {program_.valueOf(*constant).data(), 1, 0};
  return {&top().values[size_t(top().code->rows.lookup(&value)) * Lanes], Lanes, 1};
}

Bits* Simdgroup::result(const Value& value, size_t scalar) {
  return &top().values[(top().code->rows.lookup(&value) + scalar) * Lanes];
}

size_t Simdgroup::scalarCount(const Value& value) {
  return program_.layouts().scalarsOf(*value.getType()).size();
}

const std::array<Address, Lanes>& Simdgroup::privateVariable(const Value& owner, uint64_t size) {
  auto [entry, isNew] = privates_.try_emplace({frames_.size(), &owner});
  forLanes([&](unsigned lane) {
    if (entry->second[lane] == 0)
      entry->second[lane] = memory_.add(Memory::Kind::Private, "a private variable", size);
  });
  return entry->second;
}

bool Simdgroup::memoryIsFine(const Instruction& instruction) {
  return !memory_.fault() || fail(instruction, "it " + *memory_.fault());
}

} // namespace metalloid::interp
