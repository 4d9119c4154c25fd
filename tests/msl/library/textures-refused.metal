// SPDX-License-Identifier: Apache-2.0
// Textures and samplers can be declared; what would use them is refused where it stands.
// RUN: not metalloid-msl %s 2>&1 | FileCheck %s
#include <metal_stdlib>
using namespace metal;

constexpr sampler smooth(coord::normalized, address::clamp_to_edge, filter::linear);

float4 look(texture2d<float> image, float2 at) {
  // CHECK: :[[#@LINE+1]]:16: error: 'sample' is unavailable: textures are not supported
  return image.sample(smooth, at);
}
void put(texture2d<half, access::write> image, uint2 at) {
  // CHECK: :[[#@LINE+1]]:9: error: 'write' is unavailable: textures are not supported
  image.write(half4(1), at);
}
float get(depth2d<float, access::read> image, uint2 at) {
  // CHECK: :[[#@LINE+1]]:16: error: 'read' is unavailable: textures are not supported
  return image.read(at);
}
uint size(texture3d<float> image) {
  // CHECK: :[[#@LINE+1]]:16: error: 'get_depth' is unavailable: textures are not supported
  return image.get_depth();
}
