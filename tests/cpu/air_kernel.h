// SPDX-License-Identifier: Apache-2.0
// Kernels from AIR text or from an archive, compiled by src/cpu and run by src/runtime, without the
// compiler process between.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "air/reflection.h"
#include "cpu/compile.h"
#include "runtime/cpu_pipeline.h"
#include "runtime/grid.h"
#include "support/bytes.h"

namespace metalloid::cpu::test {

/// A kernel that is not compiled yet.
struct KernelSource {
  Bytes bitcode;
  std::string name;
  std::vector<air::ConstantValue> constants;
};

/// The kernel of a module in textual AIR; the file's path, as the tests' folder has it.
Expected<KernelSource> readKernelText(const std::string& path, const std::string& kernel);

/// Kernel `name` of the archive at `path`.
Expected<KernelSource> readArchiveKernel(const std::string& path, const std::string& name,
                                         std::vector<air::ConstantValue> constants = {});

/// A bool or int function constant by index.
air::ConstantValue constant(int32_t index, const std::string& type, uint64_t value);

/// A kernel compiled in one form, its objects made into shared objects and loaded.
class RunnableKernel {
public:
  /// Compiles for threadgroups of options.threads (0: any). `options.level` must run here.
  static Expected<RunnableKernel> compile(const KernelSource& source, const Options& options);

  /// Runs a grid of `threads`; buffers[n] is [[buffer(n)]], null where nothing is bound;
  /// threadgroupBytes[n] the size of [[threadgroup(n)]]. Compiles again for ragged threadgroups of
  /// a kernel whose size is compiled in.
  Expected<void> run(std::span<const std::span<std::byte>> buffers, runtime::Extent threads,
                     runtime::Size3 threadgroup, std::vector<uint64_t> threadgroupBytes = {}) const;

  const Traits& traits() const { return traits_; }

private:
  std::shared_ptr<runtime::CpuPipeline> pipeline_;
  Traits traits_;
};

} // namespace metalloid::cpu::test
