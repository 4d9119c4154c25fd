// SPDX-License-Identifier: Apache-2.0
// From the module that Clang's code generation leaves to one that is AIR.
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace metalloid::msl {

/// Takes what Clang generated for annotations out of the module. First: it refers to the kernels.
void dropAnnotations(llvm::Module& module);

/// In: a module with its kernels rebuilt and described. Out: threadgroup variables uninitialised,
/// as they are in Metal, with no guards; functions other than kernels
/// internal and to be inlined; no flag that assumes NaN and infinity away; air functions that touch
/// no memory free to move. Last, because each is a property of the whole module.
void cleanUpModule(llvm::Module& module);

} // namespace metalloid::msl
