// SPDX-License-Identifier: Apache-2.0
// lld names every target of LLVM for link-time optimisation, which images do not use. These empty
// bodies stand for the targets that are not linked into the compiler.

#define ABSENT(Part)                                                                               \
  extern "C" void LLVMInitialize##Part() {}
#define ABSENT_TARGET(Name)                                                                        \
  ABSENT(Name##TargetInfo)                                                                         \
  ABSENT(Name##Target)                                                                             \
  ABSENT(Name##TargetMC)                                                                           \
  ABSENT(Name##AsmPrinter)                                                                         \
  ABSENT(Name##AsmParser)

ABSENT_TARGET(AMDGPU)
ABSENT_TARGET(ARM)
ABSENT_TARGET(AVR)
ABSENT_TARGET(BPF)
ABSENT_TARGET(Hexagon)
ABSENT_TARGET(Lanai)
ABSENT_TARGET(LoongArch)
ABSENT_TARGET(M68k)
ABSENT_TARGET(MSP430)
ABSENT_TARGET(Mips)
ABSENT_TARGET(NVPTX)
ABSENT_TARGET(PowerPC)
ABSENT_TARGET(RISCV)
ABSENT_TARGET(SPIRV)
ABSENT_TARGET(Sparc)
ABSENT_TARGET(SystemZ)
ABSENT_TARGET(VE)
ABSENT_TARGET(WebAssembly)
ABSENT_TARGET(XCore)
ABSENT_TARGET(Xtensa)
// Ours are linked, but nothing parses assembly text.
ABSENT(AArch64AsmParser)
ABSENT(X86AsmParser)

// Link-time optimisation also names Polly, whose archive Debian does not ship. Mangled by hand: its
// type is of no interest.
extern "C" [[noreturn]] void pollyIsAbsent() __asm__("_Z18getPollyPluginInfov");
void pollyIsAbsent() {
  __builtin_trap();
}
