// SPDX-License-Identifier: Apache-2.0
// Packing of float and half vectors into one word, and back.
// RUN: metalloid-msl %s | grep ^declare | FileCheck %s
// RUN: metalloid-msl %s > %t.ll && metalloid-opt %t.ll --stage=verify
#include <metal_pack>
using namespace metal;

#define BOTH_WAYS(format, N)                                                                       \
  out[0] += pack_float_to_##format(f##N[0]) + pack_half_to_##format(h##N[0]);                      \
  f##N[1] = unpack_##format##_to_float(out[1]);                                                    \
  h##N[1] = unpack_##format##_to_half(out[2]);

kernel void pack(device uint* out, device float2* f2, device float3* f3, device float4* f4,
                 device half2* h2, device half3* h3, device half4* h4) {
  BOTH_WAYS(unorm4x8, 4)
  BOTH_WAYS(snorm4x8, 4)
  BOTH_WAYS(srgb_unorm4x8, 4)
  BOTH_WAYS(unorm2x16, 2)
  BOTH_WAYS(snorm2x16, 2)
  BOTH_WAYS(unorm10a2, 4)
  BOTH_WAYS(unorm565, 3)
}
kernel void pack_packed(device uint* out, device packed_float4* p) {
  out[0] = pack_float_to_unorm4x8(p[0]);
}

// CHECK-DAG: declare i32 @air.pack.unorm4x8.v4f32(<4 x float>)
// CHECK-DAG: declare <4 x float> @air.unpack.unorm4x8.v4f32(i32)
// CHECK-DAG: declare i32 @air.pack.unorm4x8.v4f16(<4 x half>)
// CHECK-DAG: declare <4 x half> @air.unpack.unorm4x8.v4f16(i32)
// CHECK-DAG: declare i32 @air.pack.snorm4x8.v4f32(<4 x float>)
// CHECK-DAG: declare <4 x float> @air.unpack.snorm4x8.v4f32(i32)
// CHECK-DAG: declare i32 @air.pack.snorm4x8.v4f16(<4 x half>)
// CHECK-DAG: declare <4 x half> @air.unpack.snorm4x8.v4f16(i32)
// CHECK-DAG: declare i32 @air.pack.unorm4x8.srgb.v4f32(<4 x float>)
// CHECK-DAG: declare <4 x float> @air.unpack.unorm4x8.srgb.v4f32(i32)
// CHECK-DAG: declare i32 @air.pack.unorm4x8.srgb.v4f16(<4 x half>)
// CHECK-DAG: declare <4 x half> @air.unpack.unorm4x8.srgb.v4f16(i32)
// CHECK-DAG: declare i32 @air.pack.unorm2x16.v2f32(<2 x float>)
// CHECK-DAG: declare <2 x float> @air.unpack.unorm2x16.v2f32(i32)
// CHECK-DAG: declare i32 @air.pack.unorm2x16.v2f16(<2 x half>)
// CHECK-DAG: declare <2 x half> @air.unpack.unorm2x16.v2f16(i32)
// CHECK-DAG: declare i32 @air.pack.snorm2x16.v2f32(<2 x float>)
// CHECK-DAG: declare <2 x float> @air.unpack.snorm2x16.v2f32(i32)
// CHECK-DAG: declare i32 @air.pack.snorm2x16.v2f16(<2 x half>)
// CHECK-DAG: declare <2 x half> @air.unpack.snorm2x16.v2f16(i32)
// CHECK-DAG: declare i32 @air.pack.unorm.rgb10a2.v4f32(<4 x float>)
// CHECK-DAG: declare <4 x float> @air.unpack.unorm.rgb10a2.v4f32(i32)
// CHECK-DAG: declare i32 @air.pack.unorm.rgb10a2.v4f16(<4 x half>)
// CHECK-DAG: declare <4 x half> @air.unpack.unorm.rgb10a2.v4f16(i32)
// CHECK-DAG: declare {{.*}}i16 @air.pack.unorm.rgb565.v3f32(<3 x float>)
// CHECK-DAG: declare <3 x float> @air.unpack.unorm.rgb565.v3f32(i16{{[a-z ]*}})
// CHECK-DAG: declare {{.*}}i16 @air.pack.unorm.rgb565.v3f16(<3 x half>)
// CHECK-DAG: declare <3 x half> @air.unpack.unorm.rgb565.v3f16(i16{{[a-z ]*}})
