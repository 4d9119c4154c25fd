// SPDX-License-Identifier: Apache-2.0
// The road from AIR to host code, one pass after another.
#include "cpu/compile.h"

#include "air/denormals.h"
#include "cpu/drivers.h"
#include "cpu/generate.h"
#include "cpu/llvm_error.h"
#include "cpu/poll_loops.h"
#include "cpu/simplify.h"
#include "cpu/split_regions.h"
#include "cpu/target.h"
#include "cpu/thread_form.h"
#include "cpu/to_thread_form.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace metalloid::cpu {
namespace {

// Iterations between two questions whether to go on. The driver's loops go round once for each
// barrier, the kernel's own can be as short as a few instructions.
constexpr uint32_t PollInterval = 1 << 16;
constexpr uint32_t DriverPollInterval = 1 << 8;

/// One compilation: the passes and what they hand on beside the module.
class Compilation {
public:
  Compilation(air::Prepared prepared, const Options& options)
      : prepared_(std::move(prepared)), options_(options) {
    shape_.threads = options.threads;
    traits_.flushDenormals = prepared_.reflection.flushDenormals;
    std::copy(options.threads.begin(), options.threads.end(), traits_.fixedThreads);
  }

  /// Prints the module after each pass whose name contains `filter`.
  void printAfter(StringRef filter, raw_ostream& stream) {
    filter_ = filter;
    stream_ = &stream;
  }

  /// All passes that work on IR, in order.
  Error run() {
    Expected<std::unique_ptr<TargetMachine>> target = createTarget(options_.level);
    if (!target)
      return target.takeError();
    target_ = std::move(*target);
    module().setTargetTriple(target_->getTargetTriple());
    module().setDataLayout(target_->createDataLayout());
    reduceDebugInfo();

    // One scalar function over plain pointers: what one thread does.
    Expected<ThreadForm> form = toThreadForm(prepared_, shape_);
    if (!form)
      return form.takeError();
    thread_ = form->function;
    traits_.threadgroupBytes = form->threadgroupBytes;
    traits_.barriers = form->barriers;
    describeTarget();
    done("thread-form");

    // Scalars only, short loops unrolled.
    simplify(*thread_, shape_);
    done("simplify");

    // What is left of private arrays: one block for 32 lanes.
    layoutPrivateArrays(*thread_);
    done("private-arrays");

    // SIMD-group functions and the loops that run them.
    if (Error error = vectoriseKernel())
      return error;
    done("driver");

    // LLVM's own scalar optimisation of the vector code.
    describeTarget();
    optimise(module(), *target_);
    done("optimise");
    return Error::success();
  }

  Expected<Compiled> generate() {
    Expected<SmallVector<char, 0>> object = generateObject(module(), *target_);
    if (!object)
      return object.takeError();
    return Compiled{std::move(*object), traits_, fellBack_, fallbackReason_};
  }

  Expected<std::string> assembly() { return generateAssembly(module(), *target_); }

private:
  Module& module() { return *prepared_.module; }

  /// On every function, also those made since the last call: processor, and how float denormals are
  /// treated, so that constants fold to what running gives.
  void describeTarget() {
    applyTarget(module(), *target_);
    air::setDenormalMode(module(), traits_.flushDenormals);
  }

  void reduceDebugInfo() {
    if (options_.debugInfo)
      stripNonLineTableDebugInfo(module());
    else
      StripDebugInfo(module());
  }

  // How barriers are met decides the form of the whole: one function where there are none, regions
  // where the cut works, one fiber a SIMD-group where it does not.
  Error vectoriseKernel() {
    if (traits_.barriers == 0 || options_.barriers == BarrierMode::Fibers)
      return vectoriseWhole(*thread_);
    ValueToValueMapTy values;
    Function* spare = CloneFunction(thread_, values);
    Error refused = vectoriseRegions();
    if (!refused) {
      spare->eraseFromParent();
      return Error::success();
    }
    if (options_.barriers == BarrierMode::Regions) {
      spare->eraseFromParent();
      return refused;
    }
    fellBack_ = true;
    fallbackReason_ = toString(std::move(refused));
    return vectoriseWhole(*spare);
  }

  Error vectoriseWhole(Function& thread) {
    Expected<Function*> simd = vectoriseOne(thread, true);
    if (!simd)
      return simd.takeError();
    traits_.fibers = traits_.barriers != 0;
    finishDriver(*buildDriver(**simd, shape_, traits_.fibers));
    return Error::success();
  }

  Error vectoriseRegions() {
    Expected<Regions> regions = splitRegions(*thread_, shape_);
    if (!regions)
      return regions.takeError();
    done("regions");
    for (Region& region : regions->regions) {
      tidyRegion(*region.function, shape_);
      Expected<Function*> simd = vectoriseOne(*region.function, !regions->tracksLive);
      if (!simd)
        return simd.takeError();
      region.function = *simd;
    }
    traits_.scratchBytesPerSimdgroup = regions->scratchBytesPerSimdgroup;
    finishDriver(*buildRegionDriver(*regions, shape_));
    return Error::success();
  }

  Expected<Function*> vectoriseOne(Function& thread, bool startsWithAllThreads) {
    structurise(thread, shape_);
    done("structurise");
    VectoriseOptions options;
    options.shape = shape_;
    options.chunk = options_.chunk ? options_.chunk : nativeLanes(*target_);
    options.allLanesExist =
        startsWithAllThreads && shape_.isFixed() && shape_.total() % SimdWidth == 0;
    Expected<Function*> simd = vectorise(thread, options);
    if (!simd)
      return simd.takeError();
    if (pollLoops(**simd, PollInterval))
      traits_.polls = true;
    done("vectorise");
    return simd;
  }

  void finishDriver(Function& driver) {
    if (pollLoops(driver, DriverPollInterval))
      traits_.polls = true;
  }

  void done(StringRef pass) {
    if (!stream_ || !pass.contains(filter_))
      return;
    *stream_ << "; After " << pass << "\n";
    module().print(*stream_, nullptr);
  }

  air::Prepared prepared_;
  const Options& options_;
  ThreadgroupShape shape_;
  Traits traits_;
  std::unique_ptr<TargetMachine> target_;
  Function* thread_ = nullptr;
  bool fellBack_ = false;
  std::string fallbackReason_;
  StringRef filter_;
  raw_ostream* stream_ = nullptr;
};

} // namespace

Expected<Compiled> compile(air::Prepared prepared, const Options& options) {
  Compilation compilation(std::move(prepared), options);
  if (Error error = compilation.run())
    return std::move(error);
  return compilation.generate();
}

Expected<std::string> printAfter(air::Prepared prepared, const Options& options, StringRef after) {
  Compilation compilation(std::move(prepared), options);
  std::string text;
  raw_string_ostream stream(text);
  compilation.printAfter(after.empty() ? "optimise" : after, stream);
  if (Error error = compilation.run())
    return std::move(error);
  return text;
}

Expected<std::string> assembly(air::Prepared prepared, const Options& options) {
  Compilation compilation(std::move(prepared), options);
  if (Error error = compilation.run())
    return std::move(error);
  return compilation.assembly();
}

} // namespace metalloid::cpu
