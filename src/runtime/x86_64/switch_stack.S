// SPDX-License-Identifier: Apache-2.0
    .text

// void metalloid_switch_stack(void** save, void* to)
    .globl metalloid_switch_stack
    .hidden metalloid_switch_stack
    .type metalloid_switch_stack, @function
    .p2align 4
metalloid_switch_stack:
    endbr64
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size metalloid_switch_stack, . - metalloid_switch_stack

// The first thing on a new stack: call r13(r12). prepareStack() put both there.
    .globl metalloid_start_stack
    .hidden metalloid_start_stack
    .type metalloid_start_stack, @function
metalloid_start_stack:
    endbr64
    movq %r12, %rdi
    callq *%r13
    ud2
    .size metalloid_start_stack, . - metalloid_start_stack

    .section .note.GNU-stack, "", @progbits
