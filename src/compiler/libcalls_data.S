// SPDX-License-Identifier: Apache-2.0
// The archives of libcalls, as bytes of the compiler.
    .section .rodata

    .macro embed name, file
    .globl \name
    .globl \name\()_end
    .p2align 4
\name:
    .incbin "\file"
\name\()_end:
    .byte 0
    .endm

    embed metalloid_libcalls_x86_64_v2, "libcalls-x86-64-v2.a"
    embed metalloid_libcalls_x86_64_v3, "libcalls-x86-64-v3.a"
    embed metalloid_libcalls_x86_64_v4, "libcalls-x86-64-v4.a"
    embed metalloid_libcalls_aarch64, "libcalls-aarch64.a"

    .section .note.GNU-stack, "", %progbits
