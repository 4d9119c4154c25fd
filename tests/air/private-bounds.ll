; Private arrays read as 0 and drop writes out of range; what is provably in range stays as it is.
; RUN: metalloid-opt %s --stage=bounds | FileCheck %s

target triple = "air64-apple-macosx14.0.0"

; CHECK-LABEL: @dynamic
; CHECK-NEXT: %a = alloca [5 x float], align 4
; CHECK: [[IN:%.*]] = icmp ule i64 [[I:%.*]], 3
; CHECK-NEXT: [[J:%.*]] = select i1 [[IN]], i64 [[I]], i64 4
; CHECK-NEXT: [[P:%.*]] = getelementptr inbounds float, ptr %a, i64 [[J]]
; CHECK-NEXT: store float 1.000000e+00, ptr [[P]]
; CHECK: [[P2:%.*]] = getelementptr inbounds float, ptr %a, i64
; CHECK-NEXT: %x = load float, ptr [[P2]]
; CHECK-NEXT: [[X:%.*]] = select i1 {{%.*}}, float %x, float 0.000000e+00
; CHECK-NEXT: ret float [[X]]
define float @dynamic(i32 %i, i64 %j) {
  %a = alloca [4 x float], align 4
  %p = getelementptr inbounds [4 x float], ptr %a, i64 0, i32 %i
  store float 1.0, ptr %p
  %q = getelementptr [4 x float], ptr %a, i64 0, i64 %j
  %r = getelementptr float, ptr %q, i64 -1
  %x = load float, ptr %r
  ret float %x
}

; CHECK-LABEL: @masked
; CHECK: alloca [8 x i32]
; CHECK-NOT: select
; CHECK: ret
define i32 @masked(i32 %i) {
  %a = alloca [8 x i32]
  %j = and i32 %i, 7
  %p = getelementptr [8 x i32], ptr %a, i64 0, i32 %j
  %x = load i32, ptr %p
  ret i32 %x
}

; CHECK-LABEL: @loop
; CHECK: alloca [4 x i32]
; CHECK-NOT: select
; CHECK: ret
define void @loop() {
entry:
  %a = alloca [4 x i32]
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 %i
  store i32 1, ptr %p
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, 4
  br i1 %more, label %body, label %done
done:
  ret void
}

; CHECK-LABEL: @fixed
; CHECK-NOT: store
; CHECK: ret i32 0
define i32 @fixed() {
  %a = alloca [4 x i32]
  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 4
  store i32 1, ptr %p
  %q = getelementptr i8, ptr %a, i64 -1
  %x = load i32, ptr %q
  ret i32 %x
}

; Accesses of several sizes: elements of the common one, and room for the largest behind the end.
; CHECK-LABEL: @mixed
; CHECK-NEXT: %a = alloca [12 x i16], align 8
; CHECK: icmp ule i64 {{%.*}}, 4
; CHECK: load i64
; CHECK: icmp ule i64 {{%.*}}, 7
; CHECK: load i16
define i64 @mixed(i64 %i) {
  %a = alloca [8 x i16], align 8
  %p = getelementptr i16, ptr %a, i64 %i
  %x = load i64, ptr %p, align 2
  %y = load i16, ptr %p
  %z = zext i16 %y to i64
  %r = add i64 %x, %z
  ret i64 %r
}

; CHECK-LABEL: @copy
; CHECK: [[N:%.*]] = select i1 {{%.*}}, i64 8, i64 0
; CHECK: call void @llvm.memcpy.p0.p1.i64(ptr {{%.*}}, ptr addrspace(1) %src, i64 [[N]], i1 false)
define void @copy(i64 %i, ptr addrspace(1) %src) {
  %a = alloca [4 x i32]
  %p = getelementptr i32, ptr %a, i64 %i
  call void @llvm.memcpy.p0.p1.i64(ptr %p, ptr addrspace(1) %src, i64 8, i1 false)
  ret void
}

; An index that is itself a bounded load: the bounded value is the index, not what lies in the spare
; element.
; CHECK-LABEL: @chained
; CHECK: %first = load i32, ptr
; CHECK-NEXT: [[BOUNDED:%.*]] = select i1 {{%.*}}, i32 %first, i32 0
; CHECK: sext i32 [[BOUNDED]] to i64
; CHECK: %second = load i32, ptr
define i32 @chained(i32 %i) {
  %a = alloca [6 x i32], align 4
  store i32 1, ptr %a
  %p = getelementptr [6 x i32], ptr %a, i32 0, i32 %i
  %first = load i32, ptr %p
  %q = getelementptr [6 x i32], ptr %a, i32 0, i32 %first
  %second = load i32, ptr %q
  ret i32 %second
}
