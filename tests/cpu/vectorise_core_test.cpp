// SPDX-License-Identifier: Apache-2.0
// Vectorised kernels equal the same kernels run thread by thread, bit for bit: arithmetic, control
// flow, memory and positions, at every vector width.
#include <gtest/gtest.h>

#include "kernel_runner.h"

namespace metalloid::cpu::test {
namespace {

/// in: `count` pseudo-random words; out: as many words of 0xCD bytes.
Memory words(uint32_t count, uint32_t n = 0) {
  Memory memory;
  memory.n = n;
  std::vector<uint32_t> values(count);
  uint32_t state = 12345;
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
      Memory found = runVectorised(kernel, way, memory);
      EXPECT_EQ(found.out, expected.out) << "chunk " << way.chunk << ", " << way.cpu;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "chunk " << way.chunk << ": " << error.what();
    }
  }
}

TEST(Vectorise, AddsArrays) {
  Kernel kernel{R"(
    %i = call i32 @cpu.grid.x()
    %w = zext i32 %i to i64
    %p = getelementptr i32, ptr %in, i64 %w
    %a = load i32, ptr %p
    %b = add i32 %a, %i
    %q = getelementptr i32, ptr %out, i64 %w
    store i32 %b, ptr %q
    ret void)",
                {{64, 1, 1}}};
  expectSame(kernel, words(64));
  EXPECT_NE(vectorisedText(kernel, {16, ""}).find("load <16 x i32>"), std::string::npos);
  EXPECT_EQ(vectorisedText(kernel, {16, ""}).find("wraps"), std::string::npos);
}

TEST(Vectorise, RaggedGroupTouchesNothingBeyondItsThreads) {
  Kernel kernel{R"(
    %i = call i32 @cpu.thread.index()
    %w = zext i32 %i to i64
    %p = getelementptr i32, ptr %in, i64 %w
    %a = load i32, ptr %p
    %q = getelementptr i32, ptr %out, i64 %w
    store i32 %a, ptr %q
    ret void)",
                {{45, 1, 1}}};
  expectSame(kernel, words(64));
  kernel.shape = {};
  kernel.threads = {15, 3, 1};
  expectSame(kernel, words(64));
}

TEST(Vectorise, PositionsInEveryShape) {
  const char* body = R"(
    %x = call i32 @cpu.thread.x()
    %y = call i32 @cpu.thread.y()
    %z = call i32 @cpu.thread.z()
    %i = call i32 @cpu.thread.index()
    %l = call i32 @cpu.lane()
    %px = call i32 @cpu.grid.x()
    %py = call i32 @cpu.grid.y()
    %pz = call i32 @cpu.group.z()
    %a = shl i32 %y, 8
    %b = shl i32 %z, 16
    %c = add i32 %x, %a
    %d = add i32 %c, %b
    %e = mul i32 %px, 1000003
    %f = mul i32 %py, 10007
    %g = mul i32 %pz, 101
    %h = xor i32 %d, %e
    %j = xor i32 %h, %f
    %k = add i32 %j, %g
    %m = shl i32 %l, 27
    %r = xor i32 %k, %m
    %w = zext i32 %i to i64
    %q = getelementptr i32, ptr %out, i64 %w
    store i32 %r, ptr %q
    ret void)";
  for (ThreadgroupShape shape : {ThreadgroupShape{{64, 1, 1}},
                                 {{8, 1, 1}},
                                 {{16, 4, 2}},
                                 {{8, 2, 4}},
                                 {{4, 2, 12}},
                                 {{32, 3, 1}},
                                 {{7, 5, 3}},
                                 {{48, 2, 1}},
                                 {{1, 32, 2}},
                                 {{2, 64, 1}}})
    for (bool fixed : {true, false}) {
      SCOPED_TRACE(testing::Message() << shape.threads[0] << "x" << shape.threads[1] << "x"
                                      << shape.threads[2] << (fixed ? "" : " at run time"));
      Kernel kernel{body, shape, {}, {3, 5, 7}};
      if (!fixed) {
        kernel.threads = shape.threads;
        kernel.shape = {};
      }
      expectSame(kernel, words(shape.total()));
    }
  Kernel line{body, {{0, 1, 1}}, {96, 1, 1}, {9, 0, 0}};
  expectSame(line, words(96));
}

TEST(Vectorise, DivergentIfElseWithNestedIf) {
  expectSame({R"(
    %i = call i32 @cpu.thread.index()
    %w = zext i32 %i to i64
    %p = getelementptr i32, ptr %in, i64 %w
    %a = load i32, ptr %p
    %c = icmp slt i32 %a, 0
    br i1 %c, label %yes, label %no
  yes:
    %y = mul i32 %a, 3
    %odd = trunc i32 %a to i1
    br i1 %odd, label %deep, label %end
  deep:
    %y2 = xor i32 %y, 255
    %q0 = getelementptr i32, ptr %out, i64 %w
    store i32 7, ptr %q0
    br label %end
  no:
    %n1 = add i32 %a, 5
    br label %end
  end:
    %r = phi i32 [ %y, %yes ], [ %y2, %deep ], [ %n1, %no ]
    %j = add i32 %i, 64
    %wj = zext i32 %j to i64
    %q = getelementptr i32, ptr %out, i64 %wj
    store i32 %r, ptr %q
    ret void)",
              {{50, 1, 1}}},
             words(128));
}

TEST(Vectorise, EarlyReturn) {
  expectSame({R"(
    %i = call i32 @cpu.grid.x()
    %c = icmp uge i32 %i, %n
    br i1 %c, label %out.of.range, label %go
  out.of.range:
    ret void
  go:
    %w = zext i32 %i to i64
    %p = getelementptr i32, ptr %in, i64 %w
    %a = load i32, ptr %p
    %q = getelementptr i32, ptr %out, i64 %w
    store i32 %a, ptr %q
    ret void)",
              {{64, 1, 1}}},
             words(64, 39));
}

TEST(Vectorise, DivergentLoopKeepsEachLanesLastValue) {
  expectSame({R"(
    %i = call i32 @cpu.thread.index()
    %w = zext i32 %i to i64
    %p = getelementptr i32, ptr %in, i64 %w
    %a0 = load i32, ptr %p
    br label %loop
  loop:
    %a = phi i32 [ %a0, %0 ], [ %b, %more ]
    %k = phi i32 [ 0, %0 ], [ %k1, %more ]
    %k1 = add i32 %k, 1
    %low = and i32 %a, 15
    %done = icmp eq i32 %low, 3
    %over = icmp ugt i32 %k, 40
    %stop = or i1 %done, %over
    br i1 %stop, label %exit, label %more
  more:
    %m = mul i32 %a, 1664525
    %b = add i32 %m, %i
    br label %loop
  exit:
    %s = shl i32 %k1, 16
    %r = xor i32 %s, %a
    %q = getelementptr i32, ptr %out, i64 %w
    store i32 %r, ptr %q
    ret void)",
              {{64, 1, 1}}},
             words(64));
}

TEST(Vectorise, NestedLoopsWithBreakContinueAndReturn) {
  expectSame({R"(
    %i = call i32 @cpu.thread.index()
    %w = zext i32 %i to i64
    %q = getelementptr i32, ptr %out, i64 %w
    br label %outer
  outer:
    %o = phi i32 [ 0, %0 ], [ %o1, %outer.next ]
    %s = phi i32 [ %i, %0 ], [ %s3, %outer.next ]
    %o1 = add i32 %o, 1
    br label %inner
  inner:
    %k = phi i32 [ 0, %outer ], [ %k1, %inner.next ]
    %t = phi i32 [ %s, %outer ], [ %t2, %inner.next ]
    %k1 = add i32 %k, 1
    %h = mul i32 %t, 48271
    %h1 = lshr i32 %h, 4
    %bits = and i32 %h1, 31
    %return = icmp eq i32 %bits, 30
    br i1 %return, label %leave, label %go
  leave:
    store i32 %h, ptr %q
    ret void
  go:
    %skip = icmp ult i32 %bits, 6
    br i1 %skip, label %inner.next, label %work
  work:
    %t1 = add i32 %h1, %o
    %break = icmp ugt i32 %bits, 22
    br i1 %break, label %inner.end, label %inner.next
  inner.next:
    %t2 = phi i32 [ %h1, %go ], [ %t1, %work ]
    %again = icmp ult i32 %k1, %i
    br i1 %again, label %inner, label %inner.end
  inner.end:
    %s3 = phi i32 [ %t1, %work ], [ %t2, %inner.next ]
    br label %outer.next
  outer.next:
    %more = icmp ult i32 %o1, 9
    br i1 %more, label %outer, label %end
  end:
    store i32 %s3, ptr %q
    ret void)",
              {{64, 1, 1}}},
             words(64));
}

TEST(Vectorise, SwitchAndJumpIntoALoop) {
  expectSame({R"(
    %i = call i32 @cpu.thread.index()
    %w = zext i32 %i to i64
    %p = getelementptr i32, ptr %in, i64 %w
    %a = load i32, ptr %p
    %q = getelementptr i32, ptr %out, i64 %w
    %case = and i32 %i, 7
    switch i32 %case, label %other [ i32 0, label %zero
                                     i32 1, label %one
                                     i32 2, label %one
                                     i32 5, label %middle ]
  zero:
    br label %head
  one:
    %a1 = mul i32 %a, 3
    br label %other
  other:
    %b = phi i32 [ %a, %0 ], [ %a1, %one ], [ %d, %tail ]
    store i32 %b, ptr %q
    ret void
  head:
    %c = phi i32 [ %a, %zero ], [ %d, %tail ]
    %c1 = lshr i32 %c, 1
    br label %middle
  middle:
    %m = phi i32 [ %a, %0 ], [ %c1, %head ]
    br label %tail
  tail:
    %d = add i32 %m, 1
    %more = icmp ugt i32 %d, 77
    br i1 %more, label %head, label %other)",
              {{64, 1, 1}}},
             words(64));
}

TEST(Vectorise, UniformBranchesStayJumps) {
  Kernel kernel{R"(
    %i = call i32 @cpu.thread.index()
    %w = zext i32 %i to i64
    %c = icmp ugt i32 %n, 5
    br i1 %c, label %a, label %b
  a:
    br label %end
  b:
    br label %end
  end:
    %r = phi i32 [ %i, %a ], [ %n, %b ]
    %q = getelementptr i32, ptr %out, i64 %w
    store i32 %r, ptr %q
    ret void)",
                {{32, 1, 1}}};
  expectSame(kernel, words(32, 3));
  expectSame(kernel, words(32, 30));
}

TEST(Vectorise, IndicesThatWrapIn32Bits) {
  // Lanes 0 … 4 hold indices just below 2^32, the others small ones.
  const char* halo = R"(
    %i = call i32 @cpu.thread.index()
    %h = sub i32 %i, 5
    %inside = icmp ult i32 %h, %n
    br i1 %inside, label %yes, label %end
  yes:
    %w = zext i32 %h to i64
    %p = getelementptr i32, ptr %in, i64 %w
    %a = load i32, ptr %p
    %q = getelementptr i32, ptr %out, i64 %w
    store i32 %a, ptr %q
    br label %end
  end:
    ret void)";
  expectSame({halo, {{64, 1, 1}}}, words(64, 40));
  // All lanes active, and the index wraps between two of them.
  const char* around = R"(
    %i = call i32 @cpu.thread.index()
    %j = add i32 %i, %n
    %w = zext i32 %j to i64
    %low = and i64 %w, 4294967232
    %far = icmp ne i64 %low, 0
    %back = sub i64 %w, 4294967200
    %at = select i1 %far, i64 %back, i64 %w
    %p = getelementptr i32, ptr %in, i64 %w
    %p2 = getelementptr i32, ptr %p, i64 -4294967200
    %pa = select i1 %far, ptr %p2, ptr %p
    %a = load i32, ptr %pa
    %iw = zext i32 %i to i64
    %q = getelementptr i32, ptr %out, i64 %iw
    %at32 = trunc i64 %at to i32
    %r = add i32 %a, %at32
    store i32 %r, ptr %q
    ret void)";
  expectSame({around, {{32, 1, 1}}}, words(256, 4294967280u));
  // Bytes wrap at 256, signed ones at 128.
  const char* narrow = R"(
    %i = call i32 @cpu.thread.index()
    %t = trunc i32 %i to i8
    %j = add i8 %t, 100
    %z = zext i8 %j to i64
    %s = sext i8 %j to i64
    %p = getelementptr i32, ptr %in, i64 %z
    %a = load i32, ptr %p
    %p1 = getelementptr i32, ptr %in, i64 128
    %p2 = getelementptr i32, ptr %p1, i64 %s
    %b = load i32, ptr %p2
    %r = sub i32 %a, %b
    %w = zext i32 %i to i64
    %q = getelementptr i32, ptr %out, i64 %w
    store i32 %r, ptr %q
    ret void)";
  expectSame({narrow, {{256, 1, 1}}}, words(256));
}

TEST(Vectorise, PointersThatAdvanceInALoop) {
  // The start is known to be contiguous at run time only.
  expectSame({R"(
    %i = call i32 @cpu.thread.index()
    %j = add i32 %i, %n
    %w = zext i32 %j to i64
    %p0 = getelementptr i32, ptr %in, i64 %w
    br label %loop
  loop:
    %p = phi ptr [ %p0, %0 ], [ %p1, %loop ]
    %k = phi i32 [ 0, %0 ], [ %k1, %loop ]
    %s = phi i32 [ 0, %0 ], [ %s1, %loop ]
    %a = load i32, ptr %p
    %s1 = add i32 %s, %a
    %p1 = getelementptr i8, ptr %p, i64 128
    %k1 = add i32 %k, 1
    %more = icmp ult i32 %k1, 5
    br i1 %more, label %loop, label %end
  end:
    %iw = zext i32 %i to i64
    %q = getelementptr i32, ptr %out, i64 %iw
    store i32 %s1, ptr %q
    ret void)",
              {{32, 1, 1}}},
             words(256, 3));
}

TEST(Vectorise, GathersAndScattersEveryWidth) {
  for (const char* type : {"i8", "i16", "i32", "i64", "half", "float", "bfloat"}) {
    SCOPED_TRACE(type);
    std::string t = type;
    expectSame({"%i = call i32 @cpu.thread.index()\n"
                "%odd = and i32 %i, 3\n"
                "%idle = icmp eq i32 %odd, 1\n"
                "br i1 %idle, label %end, label %go\n"
                "go:\n"
                "%w = zext i32 %i to i64\n"
                "%p = getelementptr i32, ptr %in, i64 %w\n"
                "%a = load i32, ptr %p\n"
                "%j = and i32 %a, 31\n"
                "%jw = zext i32 %j to i64\n"
                "%g = getelementptr " +
                    t +
                    ", ptr %in, i64 %jw\n"
                    "%v = load " +
                    t +
                    ", ptr %g\n"
                    "%m = mul i32 %i, 5\n"
                    "%s = and i32 %m, 63\n"
                    "%sw = zext i32 %s to i64\n"
                    "%q = getelementptr " +
                    t +
                    ", ptr %out, i64 %sw\n"
                    "store " +
                    t +
                    " %v, ptr %q\n"
                    "br label %end\n"
                    "end:\n"
                    "ret void",
                {{64, 1, 1}}},
               words(128));
  }
}

TEST(Vectorise, ContiguousUnderAMaskEveryWidth) {
  for (const char* type : {"i1", "i8", "i16", "i32", "i64", "half", "float", "bfloat", "ptr"}) {
    SCOPED_TRACE(type);
    std::string t = type, memory = t == "i1" ? "i8" : t;
    expectSame({"%i = call i32 @cpu.thread.index()\n"
                "%idle = icmp ugt i32 %i, %n\n"
                "br i1 %idle, label %end, label %go\n"
                "go:\n"
                "%w = zext i32 %i to i64\n"
                "%p = getelementptr " +
                    memory +
                    ", ptr %in, i64 %w\n"
                    "%v = load " +
                    t +
                    ", ptr %p\n"
                    "%q = getelementptr " +
                    memory +
                    ", ptr %out, i64 %w\n"
                    "store " +
                    t +
                    " %v, ptr %q\n"
                    "br label %end\n"
                    "end:\n"
                    "ret void",
                {{64, 1, 1}}},
               t == "i1" ? [] {
                 Memory m = words(64, 41);
                 for (auto& b : m.in)
                   b &= 1;
                 return m;
               }()
                         : words(128, 41));
  }
}

TEST(Vectorise, DividesWhereSomeLanesWouldTrap) {
  for (const char* operation : {"udiv", "sdiv", "urem", "srem"})
    for (const char* type : {"i8", "i16", "i32", "i64"}) {
      SCOPED_TRACE(std::string(operation) + " " + type);
      std::string t = type;
      expectSame({"%i = call i32 @cpu.thread.index()\n"
                  "%w = zext i32 %i to i64\n"
                  "%p = getelementptr " +
                      t +
                      ", ptr %in, i64 %w\n"
                      "%a = load " +
                      t +
                      ", ptr %p\n"
                      "%p2 = getelementptr " +
                      t +
                      ", ptr %p, i64 64\n"
                      "%b0 = load " +
                      t +
                      ", ptr %p2\n"
                      "%b = ashr " +
                      t +
                      " %b0, 3\n"
                      "%zero = icmp eq " +
                      t +
                      " %b, 0\n"
                      "%minus = icmp eq " +
                      t +
                      " %b, -1\n"
                      "%bad = or i1 %zero, %minus\n"
                      "%three = urem i32 %i, 3\n"
                      "%third = icmp eq i32 %three, 0\n"
                      "%not = or i1 %bad, %third\n"
                      "br i1 %not, label %end, label %go\n"
                      "go:\n"
                      "%d = " +
                      operation + " " + t +
                      " %a, %b\n"
                      "%q = getelementptr " +
                      t +
                      ", ptr %out, i64 %w\n"
                      "store " +
                      t +
                      " %d, ptr %q\n"
                      "br label %end\n"
                      "end:\n"
                      "ret void",
                  {{64, 1, 1}}},
                 words(256));
    }
}

TEST(Vectorise, IntrinsicsAndFloats) {
  expectSame({R"(
    %i = call i32 @cpu.thread.index()
    %w = zext i32 %i to i64
    %p = getelementptr i32, ptr %in, i64 %w
    %a = load i32, ptr %p
    %b = call i32 @llvm.ctpop.i32(i32 %a)
    %c = call i32 @llvm.ctlz.i32(i32 %a, i1 false)
    %d = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 7)
    %e = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %d)
    %e0 = extractvalue { i32, i1 } %e, 0
    %e1 = extractvalue { i32, i1 } %e, 1
    %f = sitofp i32 %a to float
    %g = call float @llvm.fma.f32(float %f, float 0x3FE3333340000000, float 1.0)
    %h = call float @llvm.floor.f32(float %g)
    %s = call i32 @llvm.fptosi.sat.i32.f32(float %h)
    %hf = fptrunc float %g to half
    %hb = bitcast half %hf to i16
    %hz = zext i16 %hb to i32
    %r1 = select i1 %e1, i32 %e0, i32 %c
    %r2 = xor i32 %r1, %s
    %r3 = add i32 %r2, %hz
    %q = getelementptr i32, ptr %out, i64 %w
    store i32 %r3, ptr %q
    ret void)",
              {{64, 1, 1}},
              {},
              {},
              R"(
    declare i32 @llvm.ctpop.i32(i32)
    declare i32 @llvm.ctlz.i32(i32, i1)
    declare i32 @llvm.fshl.i32(i32, i32, i32)
    declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
    declare float @llvm.fma.f32(float, float, float)
    declare float @llvm.floor.f32(float)
    declare i32 @llvm.fptosi.sat.i32.f32(float))"},
             words(64));
}

TEST(Vectorise, EveryLaneStoringToOnePlaceLeavesTheLastActiveOnes) {
  expectSame({R"(
    %i = call i32 @cpu.thread.index()
    %c = icmp ult i32 %i, %n
    br i1 %c, label %go, label %end
  go:
    store i32 %i, ptr %out
    br label %end
  end:
    ret void)",
              {{32, 1, 1}}},
             words(32, 19));
}

TEST(Vectorise, MemcpyPerLane) {
  expectSame({R"(
    %i = call i32 @cpu.thread.index()
    %w = zext i32 %i to i64
    %len = and i64 %w, 7
    %a = getelementptr i64, ptr %in, i64 %w
    %b = getelementptr i64, ptr %out, i64 %w
    call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 %len, i1 false)
    ret void)",
              {{32, 1, 1}},
              {},
              {},
              "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"},
             words(64));
}

TEST(Vectorise, BarrierMeetsServiceAndFindsDivergence) {
  Kernel kernel{R"(
    %i = call i32 @cpu.thread.index()
    %c = icmp ult i32 %i, %n
    br i1 %c, label %go, label %end
  go:
    call void @cpu.barrier(i32 0)
    store i32 1, ptr %out
    call void @cpu.barrier(i32 1)
    br label %end
  end:
    ret void)",
                {{64, 1, 1}}};
  for (const Way& way : ways()) { // lanes beyond %n have returned: no fault
    runVectorised(kernel, way, words(64, 40));
    EXPECT_EQ(lastCalls().barriers, 4u);
    EXPECT_EQ(lastCalls().divergent, 0u);
  }
  kernel.body = R"(
    %i = call i32 @cpu.thread.index()
    %c = icmp ult i32 %i, %n
    br i1 %c, label %go, label %end
  go:
    call void @cpu.barrier(i32 0)
    br label %end
  end:
    call void @cpu.barrier(i32 1)
    ret void)";
  for (const Way& way : ways()) {
    runVectorised(kernel, way, words(64, 40));
    EXPECT_EQ(lastCalls().divergent, 1u);
    runVectorised(kernel, way, words(64, 64));
    EXPECT_EQ(lastCalls().divergent, 0u);
  }
}

TEST(Vectorise, CompilesForNeon) {
  Kernel kernel{R"(
    %i = call i32 @cpu.grid.x()
    %c = icmp ult i32 %i, %n
    br i1 %c, label %go, label %end
  go:
    %w = zext i32 %i to i64
    %p = getelementptr half, ptr %in, i64 %w
    %a = load half, ptr %p
    %b = fadd half %a, %a
    %q = getelementptr half, ptr %out, i64 %w
    store half %b, ptr %q
    br label %end
  end:
    ret void)",
                {{64, 1, 1}}};
  EXPECT_EQ(compileForNeon(kernel), "");
}

TEST(Vectorise, RefusesAnIndirectCallByName) {
  EXPECT_NE(vectorisedText({"call void %in()\n ret void"}, {16, ""}).find("an indirect call"),
            std::string::npos);
}

} // namespace
} // namespace metalloid::cpu::test
