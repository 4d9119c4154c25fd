// SPDX-License-Identifier: Apache-2.0
// From untrusted AIR to one kernel that a back end can take: the middle of the road.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "air/reflection.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace metalloid::air {

/// A verified, specialised module that holds one kernel. What is left of air.* in it are the target
/// primitives of air/primitives.h; everything else is defined and internal.
struct Prepared {
  std::unique_ptr<llvm::Module> module;
  llvm::Function* kernel = nullptr;
  Reflection reflection;
};

/// Reads bitcode and refuses what design says must be refused: inline or module assembly, ifuncs,
/// undefined symbols that air/functions.def does not list, unbounded allocas, constructors that do
/// not evaluate. The error names the construct.
llvm::Expected<std::unique_ptr<llvm::Module>> readModule(llvm::LLVMContext& context,
                                                         ByteView bitcode);

/// Names of the kernels in `module`, in metadata order.
std::vector<std::string> kernelNames(const llvm::Module& module);

/// Arguments, constants and limits of kernel `name` as its metadata says, before specialisation.
llvm::Expected<Reflection> describe(const llvm::Module& module, llvm::StringRef name);

/// As far as meaning goes: read, verify, describe, give constants their values, extract the kernel,
/// decide fused multiply-add and fast math, link the air functions. Integer results and private
/// bounds are still to be defined, as docs/numeric-contract.md says; calls are not inlined.
llvm::Expected<Prepared> prepareUnlowered(llvm::LLVMContext& context, ByteView bitcode,
                                          llvm::StringRef name,
                                          std::span<const ConstantValue> constants);

/// The whole way: the same with every result defined in the IR itself, as one function. The list of
/// passes is in prepare.cpp.
llvm::Expected<Prepared> prepare(llvm::LLVMContext& context, ByteView bitcode, llvm::StringRef name,
                                 std::span<const ConstantValue> constants);

} // namespace metalloid::air
