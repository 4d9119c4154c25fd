// SPDX-License-Identifier: Apache-2.0
// The IR signature of a kernel.
//
// In: a kernel as Clang generates it for a generic machine, where objects of class type (uint3,
// textures, samplers) arrive by pointer. Out: the function that AIR asks for, in which they are
// plain values, `<3 x i32>` and `ptr addrspace(1)`, under the kernel's name for the host. Here,
// because metadata refers to the finished function.
#pragma once

namespace clang {
class FunctionDecl;
} // namespace clang
namespace llvm {
class Argument;
class Function;
} // namespace llvm

namespace metalloid::msl {

/// Rebuilds `function`, which is `declaration`'s; reports a call of a kernel, or a second kernel of
/// the same name, as an error. Returns the entry; `function` is gone.
llvm::Function* makeKernelEntry(llvm::Function& function, const clang::FunctionDecl& declaration);

/// Whether nothing depends on the parameter, in this function or in those that it is passed to.
bool isUnused(const llvm::Argument& argument);

} // namespace metalloid::msl
