// SPDX-License-Identifier: Apache-2.0
// The user's side of the compiler process: starts it on the first miss, keeps it while busy, turns
// its crashes and limits into errors, and answers from the disk cache where it can.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "air/reflection.h"
#include "cpu/launch.h"
#include "msl/compile.h"
#include "support/bytes.h"
#include "support/error.h"
#include "support/sha256.h"

namespace metalloid::runtime {

/// AIR bitcode that somebody keeps alive: a compiled source, or one entry of a mapped archive.
struct Module {
  std::shared_ptr<const void> owner;
  ByteView bitcode;
  Sha256 hash; ///< Of `bitcode`, computed by us.
};

/// What the front end made of a source string.
struct CompiledSource {
  Module module;
  std::vector<std::string> kernels; ///< Names in source order, host_name applied.
  std::vector<msl::Diagnostic> diagnostics;
  std::string diagnosticText;
};

/// An image to be made: which kernel of which module for which threadgroup size.
struct ImageRequest {
  Module module;
  std::string kernel;
  std::vector<air::ConstantValue> constants;
  std::array<uint32_t, 3> threads = {0, 0, 0}; ///< As cpu::Options::threads.
};

/// A kernel mapped into this process, ready to be called.
class Image {
public:
  virtual ~Image() = default;
  virtual cpu::Entry entry() const = 0;
  virtual const cpu::Traits& traits() const = 0;
  virtual const air::Reflection& reflection() const = 0;
  /// Where its code lies: a fault at an address outside is not the kernel's.
  virtual ByteView code() const = 0;
};

/// From the disk cache, else from the compiler process. A refused source is an Error of kind
/// CompileFailed whose message is the diagnostic text. Thread-safe.
Expected<CompiledSource> compileSource(const msl::Source& source);

/// Reflection of one kernel as its metadata says, before specialisation.
Expected<air::Reflection> describe(const Module& module, const std::string& kernel);

/// Reflection of the kernel with its constants given: arguments that they leave out are inactive.
/// Checks that every required constant has a value, that the kernel verifies, and that every air
/// function it calls exists.
Expected<air::Reflection> specialise(const Module& module, const std::string& kernel,
                                     std::span<const air::ConstantValue> constants);

/// From memory, the disk cache, or the compiler process. Thread-safe; equal requests share one
/// image.
Expected<std::shared_ptr<const Image>> loadImage(const ImageRequest& request);

/// Text or bytes for the command line: what is "air" (textual IR of the module), "prepared",
/// "asm", or "ir:PASS".
Expected<std::string> emit(const ImageRequest& request, const std::string& what);

} // namespace metalloid::runtime
