// SPDX-License-Identifier: Apache-2.0
// An entry with what kernels need of the linker: tables of pointers (relative relocations), a jump
// table, constants and libcalls.
typedef unsigned long u64;
typedef unsigned __int128 u128;

void* memcpy(void* to, const void* from, u64 size);

static const char first[] = "first", second[] = "second";
static const char* const names[] = {first, second};

__attribute__((noinline)) static u64 add(u64 a, u64 b) {
  return a + b;
}
__attribute__((noinline)) static u64 multiply(u64 a, u64 b) {
  return a * b;
}
__attribute__((noinline)) static u64 divide(u64 a, u64 b) {
  return (u64)(((u128)a << 64 | b) / ((u128)b << 3 | 5));
}
static u64 (*const operations[])(u64, u64) = {add, multiply, divide};

static u64 byJumpTable(u64 which) {
  switch (which) {
  case 0:
    return 17;
  case 1:
    return 4;
  case 2:
    return 99;
  case 3:
    return 1000;
  case 4:
    return 31;
  case 5:
    return 7;
  default:
    return 0;
  }
}

// arguments: u64 out[4], u64 a, u64 b
__attribute__((visibility("protected"))) void kernel(const void* launch, void* worker, u64 which,
                                                     u64 size) {
  u64** arguments = *(u64***)launch;
  u64* out = arguments[0];
  u64 a = *arguments[1], b = *arguments[2];
  out[0] = operations[which % 3](a, b);
  out[1] = byJumpTable(which);
  out[2] = (u64)names[which % 2][0] << 8 | (u64)names[which % 2][1];
  memcpy(out + 3, &a, size);
}
