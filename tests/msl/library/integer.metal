// SPDX-License-Identifier: Apache-2.0
// Every function of integers, for every integer type.
// RUN: metalloid-msl %s | grep ^declare | FileCheck %s
// RUN: metalloid-msl %s > %t.ll && metalloid-opt %t.ll --stage=verify
#include <metal_stdlib>
using namespace metal;

template <typename T> void all_functions(device T* x, device vec<T, 3>* v) {
  x[0] = absdiff(x[1], x[2]);
  v[0] = absdiff(v[1], v[2]);
  x[0] = addsat(x[1], x[2]);
  v[0] = addsat(v[1], v[2]);
  x[0] = clamp(x[1], x[2], x[3]);
  v[0] = clamp(v[1], v[2], v[3]);
  x[0] = hadd(x[1], x[2]);
  v[0] = hadd(v[1], v[2]);
  x[0] = madhi(x[1], x[2], x[3]);
  v[0] = madhi(v[1], v[2], v[3]);
  x[0] = madsat(x[1], x[2], x[3]);
  v[0] = madsat(v[1], v[2], v[3]);
  x[0] = max(x[1], x[2]);
  v[0] = max(v[1], v[2]);
  x[0] = max3(x[1], x[2], x[3]);
  v[0] = max3(v[1], v[2], v[3]);
  x[0] = median3(x[1], x[2], x[3]);
  v[0] = median3(v[1], v[2], v[3]);
  x[0] = min(x[1], x[2]);
  v[0] = min(v[1], v[2]);
  x[0] = min3(x[1], x[2], x[3]);
  v[0] = min3(v[1], v[2], v[3]);
  x[0] = mulhi(x[1], x[2]);
  v[0] = mulhi(v[1], v[2]);
  x[0] = rhadd(x[1], x[2]);
  v[0] = rhadd(v[1], v[2]);
  x[0] = subsat(x[1], x[2]);
  v[0] = subsat(v[1], v[2]);
  x[0] = popcount(x[1]);
  v[0] = popcount(v[1]);
  x[0] = reverse_bits(x[1]);
  v[0] = reverse_bits(v[1]);
  x[0] = rotate(x[1], x[2]);
  v[0] = rotate(v[1], v[2]);
  x[0] = abs(x[1]);
  v[0] = abs(v[1]);
  x[0] = clz(x[1]);
  v[0] = clz(v[1]);
  x[0] = ctz(x[1]);
  v[0] = ctz(v[1]);
  x[0] = extract_bits(x[1], 2, 3);
  v[0] = extract_bits(v[1], 2, 3);
  x[0] = insert_bits(x[1], x[2], 2, 3);
  v[0] = insert_bits(v[1], v[2], 2, 3);
  v[0] = max(v[1], x[1]) + clamp(v[1], x[2], x[3]);
}

kernel void of_char(device char* x, device char3* v) { all_functions(x, v); }
kernel void of_uchar(device uchar* x, device uchar3* v) { all_functions(x, v); }
kernel void of_short(device short* x, device short3* v) { all_functions(x, v); }
kernel void of_ushort(device ushort* x, device ushort3* v) { all_functions(x, v); }
kernel void of_int(device int* x, device int3* v) { all_functions(x, v); }
kernel void of_uint(device uint* x, device uint3* v) { all_functions(x, v); }
kernel void of_long(device long* x, device long3* v) { all_functions(x, v); }
kernel void of_ulong(device ulong* x, device ulong3* v) { all_functions(x, v); }
kernel void of_24_bits(device int* x, device uint* y) {
  x[0] = mul24(x[1], x[2]) + mad24(x[1], x[2], x[3]);
  y[0] = mul24(y[1], y[2]) + mad24(y[1], y[2], y[3]);
}

// CHECK-DAG: declare {{.*}}i8 @air.abs_diff.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.add_sat.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.clamp.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.hadd.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.mad_hi.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.mad_sat.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.max.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.max3.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.median3.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.min.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.min3.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.mul_hi.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.rhadd.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.sub_sat.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.extract_bits.s.i8(i8{{[a-z ]*}}, i32, i32)
// CHECK-DAG: declare {{.*}}i8 @air.insert_bits.s.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i32, i32)
// CHECK-DAG: declare {{.*}}i8 @air.abs.s.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.abs_diff.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.add_sat.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.clamp.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.hadd.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.mad_hi.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.mad_sat.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.max.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.max3.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.median3.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.min.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.min3.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.mul_hi.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.rhadd.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.sub_sat.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.extract_bits.u.i8(i8{{[a-z ]*}}, i32, i32)
// CHECK-DAG: declare {{.*}}i8 @air.insert_bits.u.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}}, i32, i32)
// CHECK-DAG: declare {{.*}}i16 @air.abs_diff.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.add_sat.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.clamp.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.hadd.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.mad_hi.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.mad_sat.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.max.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.max3.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.median3.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.min.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.min3.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.mul_hi.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.rhadd.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.sub_sat.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.extract_bits.s.i16(i16{{[a-z ]*}}, i32, i32)
// CHECK-DAG: declare {{.*}}i16 @air.insert_bits.s.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i32, i32)
// CHECK-DAG: declare {{.*}}i16 @air.abs.s.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.abs_diff.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.add_sat.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.clamp.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.hadd.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.mad_hi.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.mad_sat.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.max.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.max3.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.median3.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.min.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.min3.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.mul_hi.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.rhadd.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.sub_sat.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.extract_bits.u.i16(i16{{[a-z ]*}}, i32, i32)
// CHECK-DAG: declare {{.*}}i16 @air.insert_bits.u.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}}, i32, i32)
// CHECK-DAG: declare i32 @air.abs_diff.s.i32(i32, i32)
// CHECK-DAG: declare i32 @air.add_sat.s.i32(i32, i32)
// CHECK-DAG: declare i32 @air.clamp.s.i32(i32, i32, i32)
// CHECK-DAG: declare i32 @air.hadd.s.i32(i32, i32)
// CHECK-DAG: declare i32 @air.mad_hi.s.i32(i32, i32, i32)
// CHECK-DAG: declare i32 @air.mad_sat.s.i32(i32, i32, i32)
// CHECK-DAG: declare i32 @air.max.s.i32(i32, i32)
// CHECK-DAG: declare i32 @air.max3.s.i32(i32, i32, i32)
// CHECK-DAG: declare i32 @air.median3.s.i32(i32, i32, i32)
// CHECK-DAG: declare i32 @air.min.s.i32(i32, i32)
// CHECK-DAG: declare i32 @air.min3.s.i32(i32, i32, i32)
// CHECK-DAG: declare i32 @air.mul_hi.s.i32(i32, i32)
// CHECK-DAG: declare i32 @air.rhadd.s.i32(i32, i32)
// CHECK-DAG: declare i32 @air.sub_sat.s.i32(i32, i32)
// CHECK-DAG: declare i32 @air.extract_bits.s.i32(i32, i32, i32)
// CHECK-DAG: declare i32 @air.insert_bits.s.i32(i32, i32, i32, i32)
// CHECK-DAG: declare i32 @air.abs.s.i32(i32)
// CHECK-DAG: declare i32 @air.abs_diff.u.i32(i32, i32)
// CHECK-DAG: declare i32 @air.add_sat.u.i32(i32, i32)
// CHECK-DAG: declare i32 @air.clamp.u.i32(i32, i32, i32)
// CHECK-DAG: declare i32 @air.hadd.u.i32(i32, i32)
// CHECK-DAG: declare i32 @air.mad_hi.u.i32(i32, i32, i32)
// CHECK-DAG: declare i32 @air.mad_sat.u.i32(i32, i32, i32)
// CHECK-DAG: declare i32 @air.max.u.i32(i32, i32)
// CHECK-DAG: declare i32 @air.max3.u.i32(i32, i32, i32)
// CHECK-DAG: declare i32 @air.median3.u.i32(i32, i32, i32)
// CHECK-DAG: declare i32 @air.min.u.i32(i32, i32)
// CHECK-DAG: declare i32 @air.min3.u.i32(i32, i32, i32)
// CHECK-DAG: declare i32 @air.mul_hi.u.i32(i32, i32)
// CHECK-DAG: declare i32 @air.rhadd.u.i32(i32, i32)
// CHECK-DAG: declare i32 @air.sub_sat.u.i32(i32, i32)
// CHECK-DAG: declare i32 @air.extract_bits.u.i32(i32, i32, i32)
// CHECK-DAG: declare i32 @air.insert_bits.u.i32(i32, i32, i32, i32)
// CHECK-DAG: declare i64 @air.abs_diff.s.i64(i64, i64)
// CHECK-DAG: declare i64 @air.add_sat.s.i64(i64, i64)
// CHECK-DAG: declare i64 @air.clamp.s.i64(i64, i64, i64)
// CHECK-DAG: declare i64 @air.hadd.s.i64(i64, i64)
// CHECK-DAG: declare i64 @air.mad_hi.s.i64(i64, i64, i64)
// CHECK-DAG: declare i64 @air.mad_sat.s.i64(i64, i64, i64)
// CHECK-DAG: declare i64 @air.max.s.i64(i64, i64)
// CHECK-DAG: declare i64 @air.max3.s.i64(i64, i64, i64)
// CHECK-DAG: declare i64 @air.median3.s.i64(i64, i64, i64)
// CHECK-DAG: declare i64 @air.min.s.i64(i64, i64)
// CHECK-DAG: declare i64 @air.min3.s.i64(i64, i64, i64)
// CHECK-DAG: declare i64 @air.mul_hi.s.i64(i64, i64)
// CHECK-DAG: declare i64 @air.rhadd.s.i64(i64, i64)
// CHECK-DAG: declare i64 @air.sub_sat.s.i64(i64, i64)
// CHECK-DAG: declare i64 @air.extract_bits.s.i64(i64, i32, i32)
// CHECK-DAG: declare i64 @air.insert_bits.s.i64(i64, i64, i32, i32)
// CHECK-DAG: declare i64 @air.abs.s.i64(i64)
// CHECK-DAG: declare i64 @air.abs_diff.u.i64(i64, i64)
// CHECK-DAG: declare i64 @air.add_sat.u.i64(i64, i64)
// CHECK-DAG: declare i64 @air.clamp.u.i64(i64, i64, i64)
// CHECK-DAG: declare i64 @air.hadd.u.i64(i64, i64)
// CHECK-DAG: declare i64 @air.mad_hi.u.i64(i64, i64, i64)
// CHECK-DAG: declare i64 @air.mad_sat.u.i64(i64, i64, i64)
// CHECK-DAG: declare i64 @air.max.u.i64(i64, i64)
// CHECK-DAG: declare i64 @air.max3.u.i64(i64, i64, i64)
// CHECK-DAG: declare i64 @air.median3.u.i64(i64, i64, i64)
// CHECK-DAG: declare i64 @air.min.u.i64(i64, i64)
// CHECK-DAG: declare i64 @air.min3.u.i64(i64, i64, i64)
// CHECK-DAG: declare i64 @air.mul_hi.u.i64(i64, i64)
// CHECK-DAG: declare i64 @air.rhadd.u.i64(i64, i64)
// CHECK-DAG: declare i64 @air.sub_sat.u.i64(i64, i64)
// CHECK-DAG: declare i64 @air.extract_bits.u.i64(i64, i32, i32)
// CHECK-DAG: declare i64 @air.insert_bits.u.i64(i64, i64, i32, i32)
// CHECK-DAG: declare {{.*}}i8 @air.popcount.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.reverse_bits.i8(i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.rotate.i8(i8{{[a-z ]*}}, i8{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.clz.i8(i8{{[a-z ]*}}, i1{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i8 @air.ctz.i8(i8{{[a-z ]*}}, i1{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.popcount.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.reverse_bits.i16(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.rotate.i16(i16{{[a-z ]*}}, i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.clz.i16(i16{{[a-z ]*}}, i1{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.ctz.i16(i16{{[a-z ]*}}, i1{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i32 @air.popcount.i32(i32)
// CHECK-DAG: declare {{.*}}i32 @air.reverse_bits.i32(i32)
// CHECK-DAG: declare {{.*}}i32 @air.rotate.i32(i32, i32)
// CHECK-DAG: declare {{.*}}i32 @air.clz.i32(i32, i1{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i32 @air.ctz.i32(i32, i1{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i64 @air.popcount.i64(i64)
// CHECK-DAG: declare {{.*}}i64 @air.reverse_bits.i64(i64)
// CHECK-DAG: declare {{.*}}i64 @air.rotate.i64(i64, i64)
// CHECK-DAG: declare {{.*}}i64 @air.clz.i64(i64, i1{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i64 @air.ctz.i64(i64, i1{{[a-z ]*}})
// CHECK-DAG: declare i32 @air.mul24.s.i32(i32, i32)
// CHECK-DAG: declare i32 @air.mad24.s.i32(i32, i32, i32)
// CHECK-DAG: declare i32 @air.mul24.u.i32(i32, i32)
// CHECK-DAG: declare i32 @air.mad24.u.i32(i32, i32, i32)
