// SPDX-License-Identifier: Apache-2.0
// Whole kernels in AIR's text, one feature each, against what docs/numeric-contract.md says.
#include <bit>

#include <gtest/gtest.h>

#include "interp/machine.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

using namespace metalloid;

namespace {

using Words = std::vector<uint32_t>;

/// A kernel of the parameters (device uint *out, uint i = thread_position_in_grid), given its body
/// and what stands outside it.
std::string kernelText(const std::string& body, const std::string& outside = "") {
  return R"(
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64"
target triple = "air64-apple-macosx14.0.0"
declare void @air.wg.barrier(i32, i32)
declare i32 @air.simd_sum.u.i32(i32)
declare float @air.simd_sum.f32(float)
declare float @air.simd_min.f32(float)
declare i32 @air.simd_shuffle_up.u.i32(i32, i16)
declare i32 @air.simd_prefix_exclusive_sum.u.i32(i32)
declare i64 @air.simd_ballot.i64(i1)
declare i32 @air.quad_sum.u.i32(i32)
declare i32 @air.atomic.global.add.u.i32(ptr addrspace(1), i32, i32, i32, i1)
)" + outside +
         R"(
define void @k(ptr addrspace(1) %out, i32 %i) {
entry:
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %i
)" + body +
         R"(
}
!air.kernel = !{!0}
!0 = !{ptr @k, !1, !2}
!1 = !{}
!2 = !{!3, !4}
!3 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_name", !"uint", !"air.arg_name", !"out"}
!4 = !{i32 1, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"i"}
)";
}

Bytes assemble(const std::string& text) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(text, problem, context);
  EXPECT_TRUE(module) << problem.getMessage().str() << " at line " << problem.getLineNo();
  llvm::SmallVector<char, 0> bitcode;
  llvm::BitcodeWriter writer(bitcode);
  writer.writeModule(*module);
  writer.writeSymtab();
  writer.writeStrtab();
  ByteView view = asBytes(std::string_view(bitcode.data(), bitcode.size()));
  return Bytes(view.begin(), view.end());
}

struct Outcome {
  Words out;
  std::string error;
};

/// Runs the kernel both ways: as it stands and lowered for back ends, which must agree.
Outcome run(const std::string& text, uint32_t threads, uint32_t threadsPerThreadgroup = 64,
            uint64_t steps = 1 << 20) {
  Bytes bitcode = assemble(text);
  Outcome outcomes[2];
  for (bool lowered : {false, true}) {
    Outcome& outcome = outcomes[lowered];
    outcome.out.resize(threads);
    llvm::LLVMContext context;
    auto kernel = (lowered ? air::prepare : air::prepareUnlowered)(context, bitcode, "k", {});
    if (!kernel) {
      outcome.error = llvm::toString(kernel.takeError());
      continue;
    }
    interp::Dispatch dispatch{.threads = {threads, 1, 1},
                              .threadsPerThreadgroup = {threadsPerThreadgroup, 1, 1},
                              .buffers = {{0, std::as_writable_bytes(std::span(outcome.out))}},
                              .threadgroupLengths = {},
                              .steps = steps};
    if (llvm::Error error = interp::run(*kernel, dispatch))
      outcome.error = llvm::toString(std::move(error));
  }
  EXPECT_EQ(outcomes[0].out, outcomes[1].out);
  EXPECT_EQ(outcomes[0].error.empty(), outcomes[1].error.empty())
      << outcomes[0].error << outcomes[1].error;
  return outcomes[0];
}

TEST(Interp, RaggedGridsRunEachThreadOnce) {
  auto [out, error] = run(kernelText("store i32 %i, ptr addrspace(1) %p\n ret void"), 100);
  EXPECT_EQ(error, "");
  for (uint32_t i = 0; i < 100; ++i)
    EXPECT_EQ(out[i], i);
}

TEST(Interp, LanesMeetAgainAfterSomeReturned) {
  // Odd lanes go through a block in which lane 3 returns; all others sum together afterwards.
  auto [out, error] = run(kernelText(R"(
  %bit = and i32 %i, 1
  %odd = icmp eq i32 %bit, 1
  br i1 %odd, label %inside, label %join
inside:
  %third = icmp eq i32 %i, 3
  br i1 %third, label %gone, label %join
gone:
  ret void
join:
  %sum = call i32 @air.simd_sum.u.i32(i32 1)
  store i32 %sum, ptr addrspace(1) %p
  ret void)"),
                          32, 32);
  EXPECT_EQ(error, "");
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i == 3 ? 0u : 31u) << i;
}

TEST(Interp, EachTurnOfALoopMeetsByItself) {
  // Lane i adds the number of lanes still looping, i + 1 times: `continue` skips odd turns.
  auto [out, error] = run(kernelText(R"(
  br label %loop
loop:
  %turn = phi i32 [ 0, %entry ], [ %next, %skip ], [ %next, %count ]
  %sum = phi i32 [ 0, %entry ], [ %sum, %skip ], [ %more, %count ]
  %next = add i32 %turn, 1
  %done = icmp ugt i32 %turn, %i
  br i1 %done, label %exit, label %body
body:
  %differs = add i32 %turn, %i
  %bit = and i32 %differs, 1
  %odd = icmp eq i32 %bit, 1
  br i1 %odd, label %skip, label %count
skip:
  br label %loop
count:
  %here = call i32 @air.simd_sum.u.i32(i32 1)
  %more = add i32 %sum, %here
  br label %loop
exit:
  store i32 %sum, ptr addrspace(1) %p
  ret void)"),
                          32, 32);
  EXPECT_EQ(error, "");
  for (uint32_t i = 0; i < 32; ++i) {
    uint32_t expected = 0;
    for (uint32_t turn = 0; turn <= i; ++turn)
      if ((turn + i) % 2 == 0)
        for (uint32_t other = turn; other < 32; ++other)
          expected += (turn + other) % 2 == 0;
    EXPECT_EQ(out[i], expected) << i;
  }
}

TEST(Interp, BarriersOrderThreadgroupMemory) {
  auto [out, error] = run(kernelText(R"(
  %local = and i32 %i, 63
  %mine = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 %local
  store i32 %i, ptr addrspace(3) %mine
  call void @air.wg.barrier(i32 2, i32 1)
  %mirrored = sub i32 63, %local
  %theirs = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 %mirrored
  %value = load i32, ptr addrspace(3) %theirs
  store i32 %value, ptr addrspace(1) %p
  ret void)",
                                     "@tile = internal addrspace(3) global [64 x i32] undef"),
                          128);
  EXPECT_EQ(error, "");
  for (uint32_t i = 0; i < 128; ++i)
    EXPECT_EQ(out[i], i / 64 * 64 + 63 - i % 64);
}

TEST(Interp, ThreadsThatReturnedAreNotMissedAtABarrier) {
  auto [out, error] = run(kernelText(R"(
  %late = icmp ugt i32 %i, 40
  br i1 %late, label %gone, label %stay
gone:
  ret void
stay:
  call void @air.wg.barrier(i32 2, i32 1)
  store i32 1, ptr addrspace(1) %p
  ret void)"),
                          64);
  EXPECT_EQ(error, "");
  EXPECT_EQ(out[40], 1u);
  EXPECT_EQ(out[41], 0u);
}

TEST(Interp, LanesAtDifferentBarriersAreAnError) {
  auto outcome = run(kernelText(R"(
  %low = icmp ult i32 %i, 5
  br i1 %low, label %wait, label %join
wait:
  call void @air.wg.barrier(i32 2, i32 1)
  br label %join
join:
  call void @air.wg.barrier(i32 2, i32 1)
  ret void)"),
                     64);
  EXPECT_NE(outcome.error.find("lanes 0x0000001f at another"), std::string::npos) << outcome.error;
}

TEST(Interp, SimdgroupsAtDifferentBarriersAreAnError) {
  auto outcome = run(kernelText(R"(
  %low = icmp ult i32 %i, 32
  br i1 %low, label %one, label %two
one:
  call void @air.wg.barrier(i32 2, i32 1)
  ret void
two:
  call void @air.wg.barrier(i32 2, i32 1)
  ret void)"),
                     64);
  EXPECT_NE(outcome.error.find("another barrier"), std::string::npos) << outcome.error;
}

TEST(Interp, LeavingABufferIsAnError) {
  auto outcome = run(kernelText(R"(
  %q = getelementptr i32, ptr addrspace(1) %p, i64 1
  store i32 1, ptr addrspace(1) %q
  ret void)"),
                     32);
  EXPECT_NE(
      outcome.error.find("writes 4 bytes at offset 128 of buffer(0), \"out\", which has 128 bytes"),
      std::string::npos)
      << outcome.error;
}

TEST(Interp, EndlessLoopsMeetTheLimit) {
  auto outcome = run(kernelText("br label %loop\nloop:\n br label %loop"), 1, 1, 1000);
  EXPECT_NE(outcome.error.find("limit of steps"), std::string::npos) << outcome.error;
}

TEST(Interp, PrivateArraysKeepToTheirBounds) {
  // Elements 0 to 3 are written as 1; reads at i - 2 give 0 outside.
  auto [out, error] = run(kernelText(R"(
  %a = alloca [4 x i32]
  br label %fill
fill:
  %n = phi i32 [ -3, %entry ], [ %next, %fill ]
  %q = getelementptr [4 x i32], ptr %a, i32 0, i32 %n
  store i32 1, ptr %q
  %next = add i32 %n, 1
  %more = icmp slt i32 %next, 9
  br i1 %more, label %fill, label %read
read:
  %at = sub i32 %i, 2
  %r = getelementptr [4 x i32], ptr %a, i32 0, i32 %at
  %x = load i32, ptr %r
  store i32 %x, ptr addrspace(1) %p
  ret void)"),
                          8, 8);
  EXPECT_EQ(error, "");
  EXPECT_EQ(out, (Words{0, 0, 1, 1, 1, 1, 0, 0}));
}

TEST(Interp, IntegerResultsAreDefined) {
  auto [out, error] = run(kernelText(R"(
  %q = udiv i32 7, %i
  %r = urem i32 7, %i
  %amount = add i32 %i, 33
  %s = shl i32 1, %amount
  %min = sub i32 -2147483648, %i
  %minusone = sub i32 %i, 1
  %w = sdiv i32 %min, %minusone
  %f = uitofp i32 %i to float
  %big = fsub float 0x4415AF1D80000000, %f
  %c = fptosi float %big to i32
  %zero = fdiv float %f, %f
  %n = fptoui float %zero to i32
  %t1 = add i32 %q, %r
  %t2 = add i32 %t1, %s
  %t3 = xor i32 %t2, %w
  %t4 = xor i32 %t3, %c
  %t5 = add i32 %t4, %n
  store i32 %t5, ptr addrspace(1) %p
  ret void)"),
                          1, 1);
  EXPECT_EQ(error, "");
  EXPECT_EQ(out[0], (0u + 0u + 2u) ^ 0x80000000u ^ 0x7fffffffu);
}

TEST(Interp, FloatSumsFollowTheTree) {
  // (i / 3)^2 in lanes 0 to 19; the others count as -0.0.
  auto [out, error] = run(kernelText(R"(
  %x = uitofp i32 %i to float
  %y = fmul float %x, 0x3FD5555560000000
  %z = fmul float %y, %y
  %sum = call float @air.simd_sum.f32(float %z)
  %bits = bitcast float %sum to i32
  store i32 %bits, ptr addrspace(1) %p
  ret void)"),
                          20, 32);
  EXPECT_EQ(error, "");
  float lanes[32];
  for (int l = 0; l < 32; ++l) {
    float y = static_cast<float>(l) * std::bit_cast<float>(0x3eaaaaabu);
    lanes[l] = l < 20 ? y * y : -0.0f;
  }
  for (int d = 16; d > 0; d /= 2) {
    float before[32];
    std::copy(lanes, lanes + 32, before);
    for (int l = 0; l < 32; ++l)
      lanes[l] = before[l & ~d] + before[l | d];
  }
  for (uint32_t i = 0; i < 20; ++i)
    EXPECT_EQ(out[i], std::bit_cast<uint32_t>(lanes[0]));
}

TEST(Interp, LanesExchangeValues) {
  auto [out, error] = run(kernelText(R"(
  %up = call i32 @air.simd_shuffle_up.u.i32(i32 %i, i16 3)
  %before = call i32 @air.simd_prefix_exclusive_sum.u.i32(i32 1)
  %bit = and i32 %i, 3
  %zero = icmp eq i32 %bit, 0
  %ballot = call i64 @air.simd_ballot.i64(i1 %zero)
  %low = trunc i64 %ballot to i32
  %masked = and i32 %low, 255
  %quad = call i32 @air.quad_sum.u.i32(i32 %i)
  %a = mul i32 %up, 1
  %b = mul i32 %before, 100
  %c = mul i32 %masked, 10000
  %d = mul i32 %quad, 10000000
  %s = add i32 %a, %b
  %t = add i32 %s, %c
  %u = add i32 %t, %d
  store i32 %u, ptr addrspace(1) %p
  ret void)"),
                          8, 8);
  EXPECT_EQ(error, "");
  for (uint32_t i = 0; i < 8; ++i)
    EXPECT_EQ(out[i], (i < 3 ? i : i - 3) + i * 100 + 0x11 * 10000 + (i < 4 ? 6u : 22u) * 10000000);
}

TEST(Interp, AtomicsLoseNothing) {
  auto [out, error] = run(kernelText(R"(
  %old = call i32 @air.atomic.global.add.u.i32(ptr addrspace(1) %out, i32 %i, i32 0, i32 2, i1 true)
  ret void)"),
                          100);
  EXPECT_EQ(error, "");
  EXPECT_EQ(out[0], 4950u);
}

} // namespace
