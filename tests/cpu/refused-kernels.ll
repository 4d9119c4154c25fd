; SPDX-License-Identifier: Apache-2.0
; What the CPU cannot take is an error that names the argument.
; RUN: not metalloid-cpu %s --kernel=textured 2>&1 | FileCheck %s --check-prefix=TEXTURE
; RUN: not metalloid-cpu %s --kernel=unknown 2>&1 | FileCheck %s --check-prefix=UNKNOWN
target triple = "air64-apple-macosx14.0.0"

; TEXTURE: kernel 'textured': argument 'image' is a texture
define void @textured(ptr addrspace(1) %image, ptr addrspace(1) %out) {
  %width = load i32, ptr addrspace(1) %image
  store i32 %width, ptr addrspace(1) %out
  ret void
}

; UNKNOWN: kernel 'unknown': built-in value {{\[\[}}somewhere_in_grid]] of argument 'where' is not supported
define void @unknown(ptr addrspace(1) %out, i32 %where) {
  store i32 %where, ptr addrspace(1) %out
  ret void
}

!air.kernel = !{!0, !1}
!0 = !{ptr @textured, !2, !3}
!1 = !{ptr @unknown, !2, !4}
!2 = !{}
!3 = !{!5, !6}
!4 = !{!7, !8}
!5 = !{i32 0, !"air.texture", !"air.location_index", i32 0, i32 1, !"air.read", !"air.arg_name", !"image"}
!6 = !{i32 1, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_name", !"out"}
!7 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_name", !"out"}
!8 = !{i32 1, !"air.somewhere_in_grid", !"air.arg_name", !"where"}
