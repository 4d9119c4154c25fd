// SPDX-License-Identifier: Apache-2.0
// Libcalls: functions that LLVM's code generator calls for what a level has no instruction for.
// They are linked into images, so they use no library and no globals.
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef long i64;
typedef unsigned __int128 u128;
typedef __int128 i128;
typedef __SIZE_TYPE__ size_t;

#define LIBCALL __attribute__((visibility("hidden")))

#define BITS(type, value) __builtin_bit_cast(type, value)
