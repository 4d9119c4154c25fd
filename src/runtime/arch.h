// SPDX-License-Identifier: Apache-2.0
// What differs between processors: one folder an architecture implements all of this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace metalloid::runtime::arch {

/// A level of instructions that code can be made for.
struct Level {
  std::string_view name;
  bool supported; ///< By this processor.
};
std::vector<Level> levels();

/// The widest vector instructions there are: "AVX-512".
std::string_view vectorName();

/// Tells the core that this thread spins.
void relax();

/// Sets the default rounding mode with exceptions masked, denormals flushed (inputs and results)
/// or kept, and returns the caller's state for restoreFloatingPoint().
uint64_t enterFloatingPoint(bool flushDenormals);
void restoreFloatingPoint(uint64_t state);

/// Saves the callee-saved registers on the current stack, its pointer in *save, and continues
/// where the stack `to` was left.
extern "C" void metalloid_switch_stack(void** save, void* to);

/// Prepares the stack that ends at `top` so that switching to the result calls function(argument)
/// on it. The function must never return.
void* prepareStack(void* top, void (*function)(void*), void* argument);

/// The interrupted instruction of a signal handler's ucontext.
uintptr_t programCounter(const void* context);

/// Makes the signal handler return into function(), on the stack that ends at `stackTop`.
void redirect(void* context, void (*function)(), void* stackTop);

} // namespace metalloid::runtime::arch
