; SPDX-License-Identifier: Apache-2.0
; Float operations that machines do differently become calls of the air functions that mean the same.
; RUN: metalloid-opt %s --stage=library | FileCheck %s

target triple = "air64-apple-macosx14.0.0"

declare bfloat @llvm.fma.bf16(bfloat, bfloat, bfloat)
declare <2 x half> @llvm.fma.v2f16(<2 x half>, <2 x half>, <2 x half>)
declare float @llvm.fma.f32(float, float, float)
declare bfloat @llvm.sqrt.bf16(bfloat)

; CHECK-LABEL: @integers(
; CHECK: call i32 @air.convert.s.i32.f.f32(float %x)
; CHECK: call <3 x i8> @air.convert.u.v3i8.f.v3f16(<3 x half> %h)
; CHECK-NOT: fpto
; CHECK: ret void
define void @integers(float %x, <3 x half> %h, ptr %p, ptr %q) {
  %i = fptosi float %x to i32
  %u = fptoui <3 x half> %h to <3 x i8>
  store i32 %i, ptr %p
  store <3 x i8> %u, ptr %q
  ret void
}

; Wider than any air function: element by element.
; CHECK-LABEL: @wide(
; CHECK-COUNT-8: call i16 @air.convert.s.i16.f.f32(float
; CHECK: ret <8 x i16>
define <8 x i16> @wide(<8 x float> %x) {
  %i = fptosi <8 x float> %x to <8 x i16>
  ret <8 x i16> %i
}

; CHECK-LABEL: @bfloats(
; CHECK: [[A:%.*]] = fpext bfloat %a to float
; CHECK: [[B:%.*]] = fpext bfloat %b to float
; CHECK: [[S:%.*]] = fadd float [[A]], [[B]]
; CHECK: %s = call bfloat @air.convert.f.bf16.f.f32(float [[S]])
; CHECK: %f = call bfloat @air.fma.bf16(bfloat %s, bfloat %a, bfloat %b)
; CHECK: call float @llvm.sqrt.f32
; CHECK: %r = call bfloat @air.convert.f.bf16.f.f32
; CHECK: %n = call bfloat @air.convert.f.bf16.s.i32(i32 %i)
; CHECK: %t = call <4 x bfloat> @air.convert.f.v4bf16.f.v4f32(<4 x float> %v)
; CHECK: fcmp olt float
define i1 @bfloats(bfloat %a, bfloat %b, i32 %i, <4 x float> %v, ptr %p, ptr %q) {
  %s = fadd bfloat %a, %b
  %f = call bfloat @llvm.fma.bf16(bfloat %s, bfloat %a, bfloat %b)
  %r = call bfloat @llvm.sqrt.bf16(bfloat %f)
  %n = sitofp i32 %i to bfloat
  %t = fptrunc <4 x float> %v to <4 x bfloat>
  store bfloat %r, ptr %p
  store <4 x bfloat> %t, ptr %q
  %c = fcmp olt bfloat %n, %b
  ret i1 %c
}

; CHECK-LABEL: @others(
; CHECK: %h = call <2 x half> @air.fma.v2f16(<2 x half> %a, <2 x half> %a, <2 x half> %a)
; CHECK: %r = call float @air.fmod.f32(float %x, float %y)
; Float's own multiply-add, and what is exact, stay.
; CHECK: sitofp i32
; CHECK: call float @llvm.fma.f32
; CHECK: fptrunc float %f to half
define half @others(<2 x half> %a, float %x, float %y, i32 %i, ptr %p) {
  %h = call <2 x half> @llvm.fma.v2f16(<2 x half> %a, <2 x half> %a, <2 x half> %a)
  %r = frem float %x, %y
  %k = sitofp i32 %i to float
  %f = call float @llvm.fma.f32(float %r, float %k, float %x)
  store <2 x half> %h, ptr %p
  %t = fptrunc float %f to half
  ret half %t
}
