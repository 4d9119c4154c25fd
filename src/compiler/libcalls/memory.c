// SPDX-License-Identifier: Apache-2.0
#include "types.h"

// Sixteen bytes at any address, and one machine word.
typedef u64 Block __attribute__((vector_size(16), aligned(1), may_alias));
typedef u64 Word __attribute__((aligned(1), may_alias));

static inline Block load(const u8* from) {
  return *(const Block*)from;
}
static inline void store(u8* to, Block block) {
  *(Block*)to = block;
}

// Copies fewer than 32 bytes; all loads come before the stores, so the ranges may overlap.
static inline void moveSmall(u8* to, const u8* from, size_t size) {
  if (size >= 16) {
    Block first = load(from), last = load(from + size - 16);
    store(to, first);
    store(to + size - 16, last);
  } else if (size >= 8) {
    u64 first = *(const Word*)from, last = *(const Word*)(from + size - 8);
    *(Word*)to = first;
    *(Word*)(to + size - 8) = last;
  } else if (size != 0) {
    // 1 to 7 bytes: gathered in a register.
    u64 bytes = 0;
    for (size_t i = 0; i < size; ++i)
      bytes |= (u64)from[i] << (8 * i);
    for (size_t i = 0; i < size; ++i)
      to[i] = (u8)(bytes >> (8 * i));
  }
}

LIBCALL void* memmove(void* destination, const void* source, size_t size) {
  u8* to = destination;
  const u8* from = source;
  if (size < 32) {
    moveSmall(to, from, size);
    return destination;
  }
  if ((u64)to - (u64)from >= size) { // Forwards: `to` is not inside the source.
    Block last = load(from + size - 16);
    u8* lastTo = to + size - 16;
    for (; size > 64; size -= 64, to += 64, from += 64) {
      Block a = load(from), b = load(from + 16), c = load(from + 32), d = load(from + 48);
      store(to, a);
      store(to + 16, b);
      store(to + 32, c);
      store(to + 48, d);
    }
    for (; size > 16; size -= 16, to += 16, from += 16)
      store(to, load(from));
    store(lastTo, last);
  } else {
    Block first = load(from);
    for (; size > 16; size -= 16)
      store(to + size - 16, load(from + size - 16));
    store(to, first);
  }
  return destination;
}

LIBCALL void* memcpy(void* restrict destination, const void* restrict source, size_t size) {
  return memmove(destination, source, size);
}

LIBCALL void* memset(void* destination, int value, size_t size) {
  u8* to = destination;
  u64 word = (u64)(u8)value * 0x0101010101010101ul;
  if (size >= 16) {
    Block block = {word, word};
    store(to + size - 16, block);
    for (; size > 16; size -= 16, to += 16)
      store(to, block);
  } else if (size >= 8) {
    *(Word*)to = word;
    *(Word*)(to + size - 8) = word;
  } else {
    for (; size != 0; --size)
      *to++ = (u8)value;
  }
  return destination;
}

LIBCALL int memcmp(const void* left, const void* right, size_t size) {
  const u8 *a = left, *b = right;
  for (; size != 0; --size, ++a, ++b)
    if (*a != *b)
      return *a - *b;
  return 0;
}

LIBCALL int bcmp(const void* left, const void* right, size_t size) {
  return memcmp(left, right, size);
}
