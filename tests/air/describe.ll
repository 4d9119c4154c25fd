; Arguments, nested structs, constants, limits and options come out as the metadata says.
; RUN: metalloid-opt %s --stage=describe | FileCheck %s

target triple = "air64-apple-macosx14.0.0"

@scratch = internal addrspace(3) global [33 x float] undef, align 4
@flag = internal addrspace(3) global [3 x i8] undef, align 1
@unrelated = internal addrspace(3) global [1000 x i8] undef, align 1
@limit = internal addrspace(2) externally_initialized constant i32 undef
@predicate = internal addrspace(2) global i8 0

define void @k(ptr addrspace(1) %in, ptr addrspace(2) %params, ptr addrspace(3) %tile, <3 x i32> %tid) {
  store float 0.0, ptr addrspace(3) @scratch
  store i8 0, ptr addrspace(3) @flag
  ret void
}

!air.kernel = !{!0}
!air.version = !{!12}
!air.language_version = !{!13}
!air.compile_options = !{!14, !15}
!air.function_constants = !{!11}
!air.source_file_name = !{!16}
!0 = !{ptr @k, !1, !2, !10}
!1 = !{}
!2 = !{!3, !4, !6, !7}
; CHECK: "airVersion":"2.6.0"
; CHECK-SAME: {"access":"read_write","active":true,"addressSpace":1,"arrayLength":1,"bufferSize":0,"builtIn":"","constantName":"has_in","kind":"buffer","location":4,"members":[],"name":"in","parameter":0,"typeAlign":4,"typeName":"float","typeSize":4,"unused":false}
!3 = !{i32 0, !"air.function_constant", !8, !"air.buffer", !"air.location_index", i32 4, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"in"}
; CHECK-SAME: "bufferSize":72
; CHECK-SAME: "members":[{"arrayLength":0,"members":[],"name":"M","offset":0,"size":4,"typeName":"int"},{"arrayLength":3,"members":[{"arrayLength":0,"members":[],"name":"x","offset":0,"size":4,"typeName":"float"}],"name":"inner","offset":4,"size":4,"typeName":"Inner"}],"name":"params"
!4 = !{i32 1, !"air.buffer", !"air.buffer_size", i32 72, !"air.location_index", i32 1, i32 1, !"air.read", !"air.address_space", i32 2, !"air.struct_type_info", !5, !"air.arg_type_size", i32 72, !"air.arg_type_align_size", i32 8, !"air.arg_type_name", !"Params", !"air.arg_name", !"params"}
!5 = !{i32 0, i32 4, i32 0, !"int", !"M", !"air.struct_type_info", !9, i32 4, i32 4, i32 3, !"Inner", !"inner"}
; CHECK-SAME: "kind":"threadgroup","location":0
!6 = !{i32 2, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 3, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"tile"}
; CHECK-SAME: "builtIn":"thread_position_in_grid"
; CHECK-SAME: "typeName":"uint3","typeSize":0,"unused":true
!7 = !{i32 3, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint3", !"air.arg_name", !"tid", !"air.arg_unused"}
!8 = !{ptr addrspace(2) @predicate, !"bool", !"has_in"}
!9 = !{i32 0, i32 4, i32 0, !"float", !"x"}
!10 = !{!"air.max_work_group_size", i32 128}
; CHECK-SAME: "constants":[{"index":5,"name":"limit","required":false,"typeName":"int"}]
!11 = !{ptr addrspace(2) @limit, !"int", !"limit", i32 5, i1 false}
!12 = !{i32 2, i32 6, i32 0}
!13 = !{!"Metal", i32 3, i32 1, i32 0}
!14 = !{!"air.compile.denorms_disable"}
!15 = !{!"air.compile.fast_math_enable"}
!16 = !{!"k.metal"}
; CHECK-SAME: "fastMath":true,"flushDenormals":true,"hasDebugInfo":false,"languageVersion":"3.1.0","maxTotalThreads":128,"name":"k","requiredThreads":[0,0,0],"sourceFile":"k.metal","staticThreadgroupBytes":135
