// SPDX-License-Identifier: Apache-2.0
// The library's bitcode as read-only data. AIR_LIBRARY_FILE comes from CMake.
        .section .rodata
        .global metalloid_air_library_begin
        .hidden metalloid_air_library_begin
        .global metalloid_air_library_end
        .hidden metalloid_air_library_end
        .balign 16
metalloid_air_library_begin:
        .incbin AIR_LIBRARY_FILE
metalloid_air_library_end:
        .byte 0
        .section .note.GNU-stack, "", %progbits
