; Integer operations that C++ leaves undefined get the results of docs/numeric-contract.md.
; RUN: metalloid-opt %s --stage=integers | FileCheck %s

target triple = "air64-apple-macosx14.0.0"

; CHECK-LABEL: @quotient
; CHECK-NEXT: [[ZERO:%.*]] = icmp eq i32 %y, 0
; CHECK-NEXT: [[MIN:%.*]] = icmp eq i32 %x, -2147483648
; CHECK-NEXT: [[ONE:%.*]] = icmp eq i32 %y, -1
; CHECK-NEXT: [[BOTH:%.*]] = and i1 [[MIN]], [[ONE]]
; CHECK-NEXT: [[BAD:%.*]] = or i1 [[ZERO]], [[BOTH]]
; CHECK-NEXT: [[SAFE:%.*]] = select i1 [[BAD]], i32 1, i32 %y
; CHECK-NEXT: %q = sdiv i32 %x, [[SAFE]]
; CHECK-NEXT: [[R:%.*]] = select i1 [[ZERO]], i32 0, i32 %q
; CHECK-NEXT: ret i32 [[R]]
define i32 @quotient(i32 %x, i32 %y) {
  %q = sdiv exact i32 %x, %y
  ret i32 %q
}

; A remainder by the replaced divisor 1 is 0 by itself.
; CHECK-LABEL: @remainder
; CHECK-NEXT: [[ZERO:%.*]] = icmp eq <2 x i64> %y, zeroinitializer
; CHECK-NEXT: [[SAFE:%.*]] = select <2 x i1> [[ZERO]], <2 x i64> splat (i64 1), <2 x i64> %y
; CHECK-NEXT: %r = urem <2 x i64> %x, [[SAFE]]
; CHECK-NEXT: ret <2 x i64> %r
define <2 x i64> @remainder(<2 x i64> %x, <2 x i64> %y) {
  %r = urem <2 x i64> %x, %y
  ret <2 x i64> %r
}

; CHECK-LABEL: @harmless
; CHECK-NEXT: %a = sdiv i32 %x, 7
; CHECK-NEXT: %b = udiv i32 %a, -1
; CHECK-NEXT: %c = shl i32 %b, 31
; CHECK-NEXT: ret i32 %c
define i32 @harmless(i32 %x) {
  %a = sdiv i32 %x, 7
  %b = udiv i32 %a, -1
  %c = shl i32 %b, 31
  ret i32 %c
}

; CHECK-LABEL: @shift
; CHECK-NEXT: [[N:%.*]] = and i16 %y, 15
; CHECK-NEXT: %s = ashr i16 %x, [[N]]
; CHECK-NEXT: %t = shl i16 %s, 1
define i16 @shift(i16 %x, i16 %y) {
  %s = ashr i16 %x, %y
  %t = shl i16 %s, 17
  ret i16 %t
}

; CHECK-LABEL: @convert
; CHECK-NEXT: %i = call i32 @llvm.fptosi.sat.i32.f32(float %x)
; CHECK-NEXT: %u = call i8 @llvm.fptoui.sat.i8.f16(half %y)
define i32 @convert(float %x, half %y) {
  %i = fptosi float %x to i32
  %u = fptoui half %y to i8
  %w = zext i8 %u to i32
  %r = add i32 %i, %w
  ret i32 %r
}

; CHECK-LABEL: @counts
; CHECK-NEXT: call i32 @llvm.ctlz.i32(i32 %x, i1 false)
; CHECK-NEXT: call i32 @llvm.abs.i32(i32 %a, i1 false)
define i32 @counts(i32 %x) {
  %a = call i32 @llvm.ctlz.i32(i32 %x, i1 true)
  %b = call i32 @llvm.abs.i32(i32 %a, i1 true)
  ret i32 %b
}

; CHECK-LABEL: @element
; CHECK-NEXT: [[IN:%.*]] = icmp ult i32 %i, 3
; CHECK-NEXT: [[J:%.*]] = select i1 [[IN]], i32 %i, i32 0
; CHECK-NEXT: %w = insertelement <3 x float> %v, float 1.000000e+00, i32 [[J]]
; CHECK-NEXT: [[W:%.*]] = select i1 [[IN]], <3 x float> %w, <3 x float> %v
; CHECK: %r = extractelement <3 x float> [[W]], i32
; CHECK-NEXT: [[R:%.*]] = select i1 {{%.*}}, float %r, float 0.000000e+00
; CHECK-NEXT: %s = extractelement <3 x float> [[W]], i32 2
define float @element(<3 x float> %v, i32 %i) {
  %w = insertelement <3 x float> %v, float 1.0, i32 %i
  %r = extractelement <3 x float> %w, i32 %i
  %s = extractelement <3 x float> %w, i32 2
  %t = fadd float %r, %s
  ret float %t
}
