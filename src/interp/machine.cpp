// SPDX-License-Identifier: Apache-2.0
#include "interp/machine.h"

#include <fmt/format.h>

#include "interp/built_ins.h"
#include "interp/simdgroup.h"

using namespace llvm;

namespace metalloid::interp {
namespace {

class Machine {
public:
  Machine(air::Prepared& kernel, const Dispatch& dispatch) : kernel_(kernel), dispatch_(dispatch) {}

  llvm::Error run() {
    if (llvm::Error error = checkSizes())
      return error;
    auto program = Program::load(*kernel_.module, memory_, kernel_.reflection.flushDenormals);
    if (!program)
      return program.takeError();
    program_ = std::move(*program);
    if (llvm::Error error = bindBuffers())
      return error;
    steps_ = dispatch_.steps;
    std::array<uint32_t, 3> groups;
    for (unsigned axis = 0; axis < 3; ++axis)
      groups[axis] = (dispatch_.threads[axis] + dispatch_.threadsPerThreadgroup[axis] - 1) /
                     dispatch_.threadsPerThreadgroup[axis];
    for (uint32_t z = 0; z < groups[2]; ++z)
      for (uint32_t y = 0; y < groups[1]; ++y)
        for (uint32_t x = 0; x < groups[0]; ++x)
          if (llvm::Error error = runThreadgroup({x, y, z}, groups))
            return error;
    return llvm::Error::success();
  }

private:
  llvm::Error fail(const std::string& what) {
    return createStringError("interp: kernel \"" + kernel_.reflection.name + "\": " + what);
  }

  llvm::Error checkSizes() {
    uint64_t total = 1;
    for (uint32_t extent : dispatch_.threadsPerThreadgroup)
      total *= extent;
    if (total == 0 || total > kernel_.reflection.maxTotalThreads)
      return fail(fmt::format("a threadgroup of {} threads; it takes 1 to {}", total,
                              kernel_.reflection.maxTotalThreads));
    return llvm::Error::success();
  }

  /// Regions for the caller's buffers, which stay for the whole run.
  llvm::Error bindBuffers() {
    for (const air::Argument& argument : kernel_.reflection.arguments) {
      if (argument.kind == air::ArgumentKind::BuiltIn || !argument.active ||
          argument.kind == air::ArgumentKind::ThreadgroupMemory)
        continue;
      if (argument.kind != air::ArgumentKind::Buffer)
        return fail("argument \"" + argument.name + "\" is no buffer, which is not supported");
      auto bound = dispatch_.buffers.find(static_cast<uint32_t>(argument.location));
      if (bound == dispatch_.buffers.end()) {
        if (!argument.unused)
          return fail(fmt::format("nothing is bound to buffer({}), \"{}\"", argument.location,
                                  argument.name));
        continue;
      }
      if (bound->second.size() < argument.bufferSize)
        return fail(fmt::format("buffer({}), \"{}\", has {} bytes of {}", argument.location,
                                argument.name, bound->second.size(), argument.bufferSize));
      pointers_[argument.parameter] = memory_.addBuffer(
          fmt::format("buffer({}), \"{}\"", argument.location, argument.name), bound->second);
    }
    return llvm::Error::success();
  }

  void addThreadgroupMemory() {
    program_->addThreadgroupVariables(memory_);
    for (const air::Argument& argument : kernel_.reflection.arguments) {
      if (argument.kind != air::ArgumentKind::ThreadgroupMemory || !argument.active)
        continue;
      auto length = dispatch_.threadgroupLengths.find(static_cast<uint32_t>(argument.location));
      uint32_t bytes = length == dispatch_.threadgroupLengths.end() ? 0 : length->second;
      pointers_[argument.parameter] = memory_.add(
          Memory::Kind::Threadgroup,
          fmt::format("threadgroup({}), \"{}\"", argument.location, argument.name), bytes);
    }
  }

  /// The SIMD-groups of a threadgroup with their arguments set.
  llvm::Expected<std::vector<Simdgroup>> makeSimdgroups(const Position& position) {
    std::vector<Simdgroup> simdgroups;
    uint32_t total = position.threadsPerThreadgroup[0] * position.threadsPerThreadgroup[1] *
                     position.threadsPerThreadgroup[2];
    for (uint32_t first = 0; first < total; first += Lanes) {
      uint32_t lanes = std::min<uint32_t>(total - first, Lanes);
      LaneMask live = lanes == Lanes ? ~LaneMask(0) : (LaneMask(1) << lanes) - 1;
      Simdgroup& simdgroup = simdgroups.emplace_back(*program_, memory_, *kernel_.kernel, live);
      for (uint32_t lane = 0; lane < lanes; ++lane)
        for (const air::Argument& argument : kernel_.reflection.arguments) {
          SmallVector<Bits, 3> scalars;
          if (argument.kind != air::ArgumentKind::BuiltIn)
            scalars.push_back(pointers_[argument.parameter]);
          else if (!builtInValue(argument.builtIn,
                                 *kernel_.kernel->getArg(argument.parameter)->getType(), position,
                                 first + lane, scalars))
            return fail("the value [[" + argument.builtIn + "]] is not supported");
          simdgroup.setArgument(argument.parameter, lane, scalars);
        }
    }
    return simdgroups;
  }

  llvm::Error runThreadgroup(std::array<uint32_t, 3> group, std::array<uint32_t, 3> groups) {
    Position position{.threadgroup = group,
                      .threadgroups = groups,
                      .threads = dispatch_.threads,
                      .dispatchThreadsPerThreadgroup = dispatch_.threadsPerThreadgroup,
                      .threadsPerThreadgroup = {}};
    for (unsigned axis = 0; axis < 3; ++axis)
      position.threadsPerThreadgroup[axis] =
          std::min(dispatch_.threadsPerThreadgroup[axis],
                   dispatch_.threads[axis] - group[axis] * dispatch_.threadsPerThreadgroup[axis]);
    size_t kept = memory_.count();
    addThreadgroupMemory();
    auto simdgroups = makeSimdgroups(position);
    if (!simdgroups)
      return simdgroups.takeError();
    while (true) {
      auto goesOn = runToBarrier(*simdgroups, group);
      if (!goesOn)
        return goesOn.takeError();
      if (!*goesOn)
        break;
    }
    memory_.truncate(kept);
    return llvm::Error::success();
  }

  /// Runs every SIMD-group to the next barrier; false where all have finished.
  llvm::Expected<bool> runToBarrier(std::vector<Simdgroup>& simdgroups,
                                    const std::array<uint32_t, 3>& group) {
    const Instruction* barrier = nullptr;
    for (size_t i = 0; i < simdgroups.size(); ++i) {
      auto place = [&] {
        return fmt::format("threadgroup ({}, {}, {}), SIMD-group {}: ", group[0], group[1],
                           group[2], i);
      };
      switch (simdgroups[i].run(steps_)) {
      case Simdgroup::Stop::Finished:
        break;
      case Simdgroup::Stop::Fault:
        return fail(place() + simdgroups[i].fault());
      case Simdgroup::Stop::Barrier:
        if (barrier && barrier != simdgroups[i].barrier())
          return fail(place() + "it stands at another barrier than the SIMD-groups before it");
        barrier = simdgroups[i].barrier();
        break;
      }
    }
    return barrier != nullptr;
  }

  air::Prepared& kernel_;
  const Dispatch& dispatch_;
  Memory memory_;
  std::unique_ptr<Program> program_;
  std::map<uint32_t, Address> pointers_; ///< By parameter; what is not bound stays null.
  uint64_t steps_ = 0;
};

} // namespace

llvm::Error run(air::Prepared& kernel, const Dispatch& dispatch) {
  return Machine(kernel, dispatch).run();
}

} // namespace metalloid::interp
