// SPDX-License-Identifier: Apache-2.0
// Kernels through the CPU back end, linked into this process, in one of its forms.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "support/bytes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace metalloid::test {

/// A way to compile: how barriers are met, how many lanes a vector has, size compiled in or not.
struct CpuForm {
  llvm::StringRef name;
  bool fibers;
  uint32_t chunk;
  bool fixedSize;
};

llvm::ArrayRef<CpuForm> cpuForms();

/// Once, before anything is compiled.
void initialiseCpuForms();

class CompiledForm {
public:
  static llvm::Expected<CompiledForm> make(ByteView bitcode, const std::string& kernel,
                                           const CpuForm& form, uint32_t threadsPerThreadgroup);
  CompiledForm(CompiledForm&&) noexcept;
  ~CompiledForm();

  /// Runs a grid of one dimension; buffers[n] is [[buffer(n)]].
  llvm::Error run(std::span<const std::span<std::byte>> buffers, uint32_t threads,
                  uint32_t threadsPerThreadgroup);
  /// Whether regions were asked for and could not be made.
  bool fellBack() const;

private:
  struct State;
  explicit CompiledForm(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace metalloid::test
