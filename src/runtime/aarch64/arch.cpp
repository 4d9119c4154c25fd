// SPDX-License-Identifier: Apache-2.0
#include "runtime/arch.h"

#include <ucontext.h>

namespace metalloid::runtime::arch {

std::vector<Level> levels() {
  return {{"neon", true}};
}

std::string_view vectorName() {
  return "NEON";
}

void relax() {
  asm volatile("yield");
}

uint64_t enterFloatingPoint(bool flushDenormals) {
  constexpr uint64_t flushToZero = 1u << 24;
  uint64_t before;
  asm volatile("mrs %0, fpcr" : "=r"(before));
  asm volatile("msr fpcr, %0" ::"r"(flushDenormals ? flushToZero : uint64_t(0)));
  return before;
}

void restoreFloatingPoint(uint64_t state) {
  asm volatile("msr fpcr, %0" ::"r"(state));
}

extern "C" void metalloid_start_stack();

void* prepareStack(void* top, void (*function)(void*), void* argument) {
  // What metalloid_switch_stack loads: x19 … x30, then d8 … d15: 20 words.
  auto* slot = reinterpret_cast<void**>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t(63)) - 24;
  for (int i = 0; i < 24; ++i)
    slot[i] = nullptr;
  slot[0] = argument;
  slot[1] = reinterpret_cast<void*>(function);
  slot[11] = reinterpret_cast<void*>(metalloid_start_stack);
  return slot;
}

uintptr_t programCounter(const void* context) {
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
}

void redirect(void* context, void (*function)(), void* stackTop) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext;
  registers.pc = reinterpret_cast<uintptr_t>(function);
  registers.sp = reinterpret_cast<uintptr_t>(stackTop) & ~uintptr_t(15);
}

} // namespace metalloid::runtime::arch
