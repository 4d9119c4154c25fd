// SPDX-License-Identifier: Apache-2.0
// Private arrays, atomics, matrices and strided accesses: vectorised kernels against the same
// kernels run thread by thread, or against plain C++.
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "kernel_runner.h"

namespace metalloid::cpu::test {
namespace {

Memory words(uint32_t count, uint32_t n = 0) {
  Memory memory;
  memory.n = n;
  std::vector<uint32_t> values(count);
  uint32_t state = 4242;
  for (uint32_t& value : values)
    value = state = state * 1664525u + 1013904223u;
  memory.in = Memory::bytes(values);
  memory.out.assign(count * 4, 0xCD);
  return memory;
}

void expectSame(const Kernel& kernel, const Memory& memory) {
  Memory expected = runThreads(kernel, memory);
  EXPECT_NE(expected.out, memory.out) << "the kernel stores nothing";
  for (const Way& way : ways()) {
    try {
      EXPECT_EQ(runVectorised(kernel, way, memory).out, expected.out)
          << "chunk " << way.chunk << ", " << way.cpu;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "chunk " << way.chunk << ": " << error.what();
    }
  }
}

const char* const begin = R"(
    %i = call i32 @cpu.thread.index()
    %w = zext i32 %i to i64
    %p = getelementptr i32, ptr %in, i64 %w
    %a = load i32, ptr %p
    %q = getelementptr i32, ptr %out, i64 %w
)";

TEST(PrivateArrays, DynamicIndexAndDivergentStores) {
  expectSame({std::string("%array = alloca [8 x i32]\n") + begin + R"(
    br label %fill
  fill:
    %k = phi i32 [ 0, %0 ], [ %k1, %fill ]
    %kw = zext i32 %k to i64
    %e = getelementptr [8 x i32], ptr %array, i64 0, i64 %kw
    %v = mul i32 %k, %a
    store i32 %v, ptr %e
    %k1 = add i32 %k, 1
    %more = icmp ult i32 %k1, 8
    br i1 %more, label %fill, label %next
  next:
    %j = and i32 %a, 7
    %jw = zext i32 %j to i64
    %f = getelementptr [8 x i32], ptr %array, i64 0, i64 %jw
    %odd = trunc i32 %i to i1
    br i1 %odd, label %change, label %end
  change:
    store i32 %i, ptr %f
    br label %end
  end:
    %m = lshr i32 %a, 3
    %m7 = and i32 %m, 7
    %mw = zext i32 %m7 to i64
    %g = getelementptr [8 x i32], ptr %array, i64 0, i64 %mw
    %r = load i32, ptr %g
    %r0 = load i32, ptr %f
    %s = add i32 %r, %r0
    store i32 %s, ptr %q
    ret void)",
              {{50, 1, 1}}},
             words(64));
}

TEST(PrivateArrays, AccessesOfSeveralWidths) {
  expectSame({std::string("%array = alloca [4 x i64], align 8\n") + begin + R"(
    %j = and i32 %a, 3
    %jw = zext i32 %j to i64
    %zero = getelementptr i8, ptr %array, i64 0
    call void @llvm.memset.p0.i64(ptr %zero, i8 7, i64 32, i1 false)
    %e = getelementptr i64, ptr %array, i64 %jw
    %al = sext i32 %a to i64
    store i64 %al, ptr %e
    %h = getelementptr i16, ptr %array, i64 5
    %t = trunc i32 %i to i16
    store i16 %t, ptr %h
    %b = getelementptr i8, ptr %array, i64 17
    %x = load i8, ptr %b
    %y = load double, ptr %e
    %yb = bitcast double %y to i64
    %yt = trunc i64 %yb to i32
    %z = getelementptr i32, ptr %array, i64 2
    %zv = load i32, ptr %z
    %xw = zext i8 %x to i32
    %s1 = add i32 %xw, %yt
    %s2 = xor i32 %s1, %zv
    store i32 %s2, ptr %q
    ret void)",
              {{64, 1, 1}},
              {},
              {},
              "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"},
             words(64));
}

TEST(PrivateArrays, CopiedInAndOutAndReachedThroughAPhi) {
  expectSame({std::string("%x = alloca [4 x i32]\n%y = alloca [40 x i32]\n") + begin + R"(
    %from = and i32 %i, 7
    %fw = zext i32 %from to i64
    %source = getelementptr i32, ptr %in, i64 %fw
    call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %source, i64 16, i1 false)
    call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %source, i64 160, i1 false)
    %odd = trunc i32 %a to i1
    br i1 %odd, label %one, label %two
  one:
    br label %end
  two:
    %y3 = getelementptr i32, ptr %y, i64 36
    br label %end
  end:
    %which = phi ptr [ %x, %one ], [ %y3, %two ]
    %at = getelementptr i32, ptr %which, i64 2
    %v = load i32, ptr %at
    %r = add i32 %v, %a
    store i32 %r, ptr %q
    ret void)",
              {{64, 1, 1}},
              {},
              {},
              "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"},
             words(64));
}

TEST(Atomics, OnOneAddressAndOnMany) {
  for (std::string operation : {"add", "sub", "and", "or", "xor", "min", "max", "umin", "umax"})
    for (bool same : {true, false}) {
      SCOPED_TRACE(operation + (same ? " on one address" : " on many"));
      expectSame({std::string(begin) +
                      (same ? "%place = and i64 %w, 0\n"
                            : "%low = and i32 %a, 15\n%place = zext i32 %low to i64\n") +
                      "%o = getelementptr i32, ptr %out, i64 " + (same ? "3" : "%place") + R"(
    %c = icmp ult i32 %i, %n
    br i1 %c, label %go, label %end
  go:
    %old = atomicrmw )" +
                      operation + " ptr %o, i32 %a monotonic\n" + R"(
    br label %end
  end:
    ret void)",
                  {{64, 1, 1}}},
                 words(64, 43));
    }
}

TEST(Atomics, CounterGivesEveryLaneItsOwnNumber) {
  Kernel kernel{R"(
    %i = call i32 @cpu.thread.index()
    %w = zext i32 %i to i64
    %even = and i32 %i, 1
    %c = icmp eq i32 %even, 0
    br i1 %c, label %go, label %end
  go:
    %old = atomicrmw add ptr %in, i32 3 monotonic
    %q = getelementptr i32, ptr %out, i64 %w
    store i32 %old, ptr %q
    br label %end
  end:
    ret void)",
                {{64, 1, 1}}};
  expectSame(kernel, words(64));
}

TEST(Atomics, AirFunctionsBecomeInstructions) {
  const char* globals = R"(
    declare i32 @air.atomic.global.load.i32(ptr, i32, i32, i1)
    declare void @air.atomic.global.store.i32(ptr, i32, i32, i32, i1)
    declare i32 @air.atomic.global.xchg.i32(ptr, i32, i32, i32, i1)
    declare i32 @air.atomic.local.max.s.i32(ptr, i32, i32, i32, i1)
    declare i32 @air.atomic.global.cmpxchg.weak.i32(ptr, ptr, i32, i32, i32, i32, i1)
    declare float @air.atomic.global.add.f32(ptr, float, i32, i32, i1)
    declare void @air.atomic.fence(i32, i32, i32))";
  Kernel kernel{std::string("%expected = alloca i32\n") + R"(
    %i = call i32 @cpu.thread.index()
    %w = zext i32 %i to i64
    %p = getelementptr i32, ptr %in, i64 %w
    %a = call i32 @air.atomic.global.load.i32(ptr %p, i32 0, i32 2, i1 true)
    %q = getelementptr i32, ptr %out, i64 %w
    call void @air.atomic.global.store.i32(ptr %q, i32 %i, i32 0, i32 2, i1 true)
    call void @air.atomic.fence(i32 1, i32 5, i32 2)
    %b = call i32 @air.atomic.global.xchg.i32(ptr %q, i32 %a, i32 0, i32 2, i1 true)
    %c = call i32 @air.atomic.local.max.s.i32(ptr %q, i32 77, i32 0, i32 1, i1 true)
    %odd = and i32 %i, 1
    %guess = add i32 %c, %odd
    store i32 %guess, ptr %expected
    %d = call i32 @air.atomic.global.cmpxchg.weak.i32(ptr %q, ptr %expected, i32 %b, i32 0, i32 0, i32 2, i1 true)
    %e = load i32, ptr %expected
    %s = add i32 %d, %e
    %far = add i64 %w, 64
    %q2 = getelementptr i32, ptr %out, i64 %far
    store i32 %s, ptr %q2
    %q3 = getelementptr float, ptr %q2, i64 64
    store float 1.5, ptr %q3
    %g = call float @air.atomic.global.add.f32(ptr %q3, float 2.25, i32 0, i32 2, i1 true)
    ret void)",
                {{64, 1, 1}},
                {},
                {},
                globals};
  Memory memory = words(192);
  std::vector<uint32_t> in(192);
  std::memcpy(in.data(), memory.in.data(), memory.in.size());
  for (const Way& way : ways()) {
    std::vector<uint32_t> out = runVectorised(kernel, way, memory).outAs<uint32_t>();
    for (uint32_t i = 0; i < 64; ++i) {
      // out[i]: i, then in[i]; a maximum with 77; exchanged for i where the guess (even i, or a
      // value that the maximum left alone) is right.
      int32_t greatest = std::max<int32_t>(int32_t(in[i]), 77);
      uint32_t guess = in[i] + (i & 1);
      bool exchanged = guess == uint32_t(greatest);
      EXPECT_EQ(out[i], exchanged ? i : uint32_t(greatest)) << i;
      EXPECT_EQ(out[64 + i], 2 * uint32_t(greatest)) << i;
      float sum;
      std::memcpy(&sum, &out[128 + i], 4);
      EXPECT_EQ(sum, 3.75f);
    }
  }
}

TEST(Matrices, MultiplyAccumulateLoadedAndStored) {
  const char* globals = R"(
    declare <64 x float> @air.simdgroup_matrix_8x8_load.v64f32.p1f32(ptr, i64, <2 x i64>, i1)
    declare <64 x half> @air.simdgroup_matrix_8x8_load.v64f16.p1f16(ptr, i64, <2 x i64>, i1)
    declare void @air.simdgroup_matrix_8x8_store.v64f32.p1f32(<64 x float>, ptr, i64, <2 x i64>, i1)
    declare <64 x float> @air.simdgroup_matrix_8x8_init_diag.v64f32.f32(float)
    declare <64 x float> @air.simdgroup_matrix_8x8_multiply_accumulate.v64f32.v64f32.v64f16.v64f32(<64 x float>, <64 x half>, <64 x float>))";
  Kernel kernel{R"(
    %b.at = getelementptr i8, ptr %in, i64 1024
    %a = call <64 x float> @air.simdgroup_matrix_8x8_load.v64f32.p1f32(ptr %in, i64 12, <2 x i64> <i64 1, i64 2>, i1 false)
    %b = call <64 x half> @air.simdgroup_matrix_8x8_load.v64f16.p1f16(ptr %b.at, i64 8, <2 x i64> zeroinitializer, i1 true)
    %c = call <64 x float> @air.simdgroup_matrix_8x8_init_diag.v64f32.f32(float 0.5)
    %d = call <64 x float> @air.simdgroup_matrix_8x8_multiply_accumulate.v64f32.v64f32.v64f16.v64f32(<64 x float> %a, <64 x half> %b, <64 x float> %c)
    call void @air.simdgroup_matrix_8x8_store.v64f32.p1f32(<64 x float> %d, ptr %out, i64 10, <2 x i64> zeroinitializer, i1 false)
    ret void)",
                {{32, 1, 1}},
                {},
                {},
                globals};
  Memory memory;
  std::vector<float> a(256);
  std::vector<_Float16> b(64);
  for (unsigned at = 0; at < 256; ++at)
    a[at] = std::sin(float(at));
  for (unsigned at = 0; at < 64; ++at)
    b[at] = _Float16(std::cos(float(at)));
  memory.in = Memory::bytes(a);
  std::vector<uint8_t> halves = Memory::bytes(b);
  memory.in.insert(memory.in.end(), halves.begin(), halves.end());
  memory.out.assign(80 * 4, 0);
  std::vector<float> expected(80, 0.0f);
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < 8; ++column) {
      float sum = row == column ? 0.5f : 0.0f;
      for (unsigned k = 0; k < 8; ++k)
        sum = std::fma(a[(row + 2) * 12 + k + 1], float(b[column * 8 + k]), sum);
      expected[row * 10 + column] = sum;
    }
  for (const Way& way : ways()) {
    if (way.chunk == 4)
      continue; // x86-64-v2 calls fmaf, which this test does not link
    EXPECT_EQ(runVectorised(kernel, way, memory).outAs<float>(), expected) << way.chunk;
  }
  EXPECT_EQ(compileForNeon(kernel), "");
}

/// out[index(i) + k] = in[index(i) + k] + k for each k, elements of `type`.
Kernel strided(const std::string& type, unsigned stride, const std::vector<unsigned>& members,
               bool masked, const std::string& index) {
  std::string bits = std::to_string(type == "i64"   ? 64
                                    : type == "i16" ? 16
                                    : type == "i8"  ? 8
                                                    : 32);
  std::string body = index + "%c = icmp ult i32 %i, %n\nbr i1 %c, label %go, label %end\ngo:\n";
  if (!masked)
    body = index + "br label %go\ngo:\n";
  for (unsigned k : members) {
    std::string n = std::to_string(k);
    body += "%k" + n + " = or disjoint i32 %base, " + n + "\n%w" + n + " = zext i32 %k" + n +
            " to i64\n%p" + n + " = getelementptr " + type + ", ptr %in, i64 %w" + n + "\n%v" + n +
            " = load " + type + ", ptr %p" + n + "\n";
  }
  for (unsigned k : members) {
    std::string n = std::to_string(k);
    body += "%s" + n + " = add " + type + " %v" + n + ", " + n + "\n%q" + n + " = getelementptr " +
            type + ", ptr %out, i64 %w" + n + "\nstore " + type + " %s" + n + ", ptr %q" + n + "\n";
  }
  return {body + "br label %end\nend:\nret void", {{64, 1, 1}}};
}

TEST(StridedAccesses, InterleavedMembers) {
  for (std::string type : {"i8", "i16", "i32", "i64"})
    for (unsigned stride : {2u, 4u, 8u})
      for (bool masked : {false, true})
        for (unsigned missing : {0u, 1u}) {
          SCOPED_TRACE(type + " stride " + std::to_string(stride) + (masked ? " masked" : "") +
                       (missing ? " one missing" : ""));
          std::vector<unsigned> members(stride - missing);
          std::iota(members.begin(), members.end(), 0u);
          std::string index = "%i = call i32 @cpu.thread.index()\n%base = mul i32 %i, " +
                              std::to_string(stride) + "\n";
          expectSame(strided(type, stride, members, masked, index), words(2048, 45));
        }
}

TEST(StridedAccesses, RowsAndColumnsOfLanes) {
  // Lane patterns as a tile's threads have: (i & 7) * 64 + (i >> 3) * 4, and every lane the same
  // row.
  for (bool masked : {false, true}) {
    std::string tile =
        "%i = call i32 @cpu.thread.index()\n%x = and i32 %i, 7\n%y = lshr i32 %i, 3\n"
        "%x64 = shl i32 %x, 6\n%y4 = shl i32 %y, 2\n%base = or disjoint i32 %x64, %y4\n";
    expectSame(strided("i32", 4, {0, 1, 2, 3}, masked, tile), words(2048, 45));
    expectSame(strided("i16", 4, {0, 3}, masked, tile), words(2048, 45));
  }
}

TEST(StridedAccesses, NeighboursWhoseIndexMayWrap) {
  // in[4 (i + n) + k]: contiguous as far as 4 (i + n) does not pass 2^32, which it does here.
  for (uint32_t n : {5u, 0x3FFFFFF0u}) {
    SCOPED_TRACE(n);
    Kernel kernel{R"(
    %i = call i32 @cpu.thread.index()
    %w = zext i32 %i to i64
    %j = add i32 %i, %n
    %b0 = shl i32 %j, 2
    %b1 = add i32 %b0, 1
    %b2 = add i32 %b0, 2
    %w0 = zext i32 %b0 to i64
    %w1 = zext i32 %b1 to i64
    %w2 = zext i32 %b2 to i64
    %near = icmp ult i32 %b0, 1024
    br i1 %near, label %go, label %end
  go:
    %p0 = getelementptr i32, ptr %in, i64 %w0
    %p1 = getelementptr i32, ptr %in, i64 %w1
    %p2 = getelementptr i32, ptr %in, i64 %w2
    %a = load i32, ptr %p0
    %b = load i32, ptr %p1
    %c = load i32, ptr %p2
    %ab = sub i32 %a, %b
    %r = xor i32 %ab, %c
    %q = getelementptr i32, ptr %out, i64 %w
    store i32 %r, ptr %q
    br label %end
  end:
    ret void)",
                  {{64, 1, 1}}};
    expectSame(kernel, words(1024, n));
  }
}

} // namespace
} // namespace metalloid::cpu::test
