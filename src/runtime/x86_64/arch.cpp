// SPDX-License-Identifier: Apache-2.0
#include "runtime/arch.h"

#include <immintrin.h>
#include <ucontext.h>

namespace metalloid::runtime::arch {

std::vector<Level> levels() {
  __builtin_cpu_init();
  return {{"x86-64-v2", __builtin_cpu_supports("x86-64-v2") != 0},
          {"x86-64-v3", __builtin_cpu_supports("x86-64-v3") != 0},
          {"x86-64-v4", __builtin_cpu_supports("x86-64-v4") != 0}};
}

std::string_view vectorName() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("x86-64-v4"))
    return "AVX-512";
  return __builtin_cpu_supports("x86-64-v3") ? "AVX2" : "SSE4";
}

void relax() {
  _mm_pause();
}

uint64_t enterFloatingPoint(bool flushDenormals) {
  constexpr unsigned allMasked = 0x1f80, flushToZero = 0x8000, denormalsAreZero = 0x0040;
  unsigned before = _mm_getcsr();
  _mm_setcsr(flushDenormals ? allMasked | flushToZero | denormalsAreZero : allMasked);
  return before;
}

void restoreFloatingPoint(uint64_t state) {
  _mm_setcsr(static_cast<unsigned>(state));
}

extern "C" void metalloid_start_stack();

void* prepareStack(void* top, void (*function)(void*), void* argument) {
  // What metalloid_switch_stack pops: r15 r14 r13 r12 rbx rbp, then the return address. A null
  // rbp ends the chain of frame pointers for debuggers.
  auto* slot = reinterpret_cast<void**>(reinterpret_cast<uintptr_t>(top) & ~uintptr_t(63)) - 9;
  slot[0] = slot[1] = nullptr;
  slot[2] = reinterpret_cast<void*>(function);
  slot[3] = argument;
  slot[4] = slot[5] = nullptr;
  slot[6] = reinterpret_cast<void*>(metalloid_start_stack);
  slot[7] = slot[8] = nullptr; // Keeps the stack 16-byte aligned at the call.
  return slot;
}

uintptr_t programCounter(const void* context) {
  return static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
}

void redirect(void* context, void (*function)(), void* stackTop) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  registers[REG_RIP] = reinterpret_cast<greg_t>(function);
  // As after a call: 8 below a multiple of 16.
  registers[REG_RSP] = (reinterpret_cast<greg_t>(stackTop) & ~greg_t(15)) - 8;
  registers[REG_EFL] &= ~greg_t(0x400); // The direction flag.
}

} // namespace metalloid::runtime::arch
