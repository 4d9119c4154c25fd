// SPDX-License-Identifier: Apache-2.0
    .text

// void metalloid_switch_stack(void** save, void* to)
    .globl metalloid_switch_stack
    .hidden metalloid_switch_stack
    .type metalloid_switch_stack, %function
    .p2align 4
metalloid_switch_stack:
    hint #34 // bti c
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size metalloid_switch_stack, . - metalloid_switch_stack

// The first thing on a new stack: call x20(x19). prepareStack() put both there.
    .globl metalloid_start_stack
    .hidden metalloid_start_stack
    .type metalloid_start_stack, %function
metalloid_start_stack:
    mov x0, x19
    blr x20
    brk #1
    .size metalloid_start_stack, . - metalloid_start_stack

    .section .note.GNU-stack, "", %progbits
