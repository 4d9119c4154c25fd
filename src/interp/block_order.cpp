// SPDX-License-Identifier: Apache-2.0
#include "interp/block_order.h"

#include <functional>

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace metalloid::interp {
namespace {

/// Orders one level: the blocks directly in a loop (or in none) and its inner loops, each of which
/// counts as one node that leads to where it is left for.
class Level {
public:
  Level(const LoopInfo& loops, const Loop* outer, const std::function<void(BasicBlock*)>& emit,
        const std::function<void(Loop*)>& emitLoop)
      : loops_(loops), outer_(outer), emit_(emit), emitLoop_(emitLoop) {}

  void run(BasicBlock* entry) {
    visit(entry);
    for (auto node = finished_.rbegin(); node != finished_.rend(); ++node) {
      if (Loop* inner = innerLoopOf(*node))
        emitLoop_(inner);
      else
        emit_(*node);
    }
  }

private:
  /// The loop of this level that holds `block`, or null where it stands here by itself.
  Loop* innerLoopOf(BasicBlock* block) const {
    Loop* loop = loops_.getLoopFor(block);
    while (loop && loop != outer_ && loop->getParentLoop() != outer_)
      loop = loop->getParentLoop();
    return loop == outer_ ? nullptr : loop;
  }

  SmallVector<BasicBlock*> successorsOf(BasicBlock* node) const {
    SmallVector<BasicBlock*> next;
    if (Loop* inner = innerLoopOf(node))
      inner->getExitBlocks(next);
    else
      next.assign(succ_begin(node), succ_end(node));
    return next;
  }

  /// Depth first; a node is finished when all it leads to are. The stack is our own, because
  /// functions may be long.
  void visit(BasicBlock* entry) {
    SmallVector<std::pair<BasicBlock*, SmallVector<BasicBlock*>>> stack;
    auto enter = [&](BasicBlock* block) {
      Loop* inner = innerLoopOf(block);
      BasicBlock* node = inner ? inner->getHeader() : block;
      if (seen_.insert(node).second)
        stack.push_back({node, successorsOf(node)});
    };
    enter(entry);
    while (!stack.empty()) {
      auto& [node, rest] = stack.back();
      if (rest.empty()) {
        finished_.push_back(node);
        stack.pop_back();
        continue;
      }
      BasicBlock* next = rest.pop_back_val();
      bool leavesLevel = outer_ && (!outer_->contains(next) || next == outer_->getHeader());
      if (!leavesLevel)
        enter(next);
    }
  }

  const LoopInfo& loops_;
  const Loop* outer_;
  const std::function<void(BasicBlock*)>& emit_;
  const std::function<void(Loop*)>& emitLoop_;
  SmallPtrSet<BasicBlock*, 32> seen_;
  SmallVector<BasicBlock*> finished_;
};

} // namespace

BlockOrder::BlockOrder(Function& function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  std::function<void(BasicBlock*)> emit = [&](BasicBlock* block) {
    positions_[block] = static_cast<uint32_t>(places_.size());
    places_.push_back({block, false});
  };
  std::function<void(Loop*)> emitLoop = [&](Loop* loop) {
    Level(loops, loop, emit, emitLoop).run(loop->getHeader());
    meetings_[loop->getHeader()] = static_cast<uint32_t>(places_.size());
    places_.push_back({loop->getHeader(), true});
  };
  Level(loops, nullptr, emit, emitLoop).run(&function.getEntryBlock());
}

uint32_t BlockOrder::afterJump(const BasicBlock& from, const BasicBlock& to) const {
  auto meeting = meetings_.find(&to);
  // A jump to a header from inside its loop begins the next turn.
  if (meeting != meetings_.end() && positions_.lookup(&from) >= positions_.lookup(&to) &&
      positions_.lookup(&from) < meeting->second)
    return meeting->second;
  return positions_.lookup(&to);
}

} // namespace metalloid::interp
