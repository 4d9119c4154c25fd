// SPDX-License-Identifier: Apache-2.0
#include <metal_stdlib>
using namespace metal;

// y = a * x + y
kernel void axpy(device const float* x, device float* y, constant float& a,
                 uint i [[thread_position_in_grid]]) {
  y[i] += a * x[i];
}

static int average(int a, int b) { return (a + b + 1) >> 1; }

// Edge-aware demosaicing of a Bayer image. `blue` is the parity (x, y) of the blue sites. At red and
// blue sites green follows the direction in which it changes least; the outermost rows and columns
// repeat their neighbours.
kernel void demosaic(device const uchar* raw, device uchar* bgr, constant uint2& size,
                     constant uint2& blue, uint2 position [[thread_position_in_grid]]) {
  uint2 at = clamp(position, uint2(1), size - 2);
  device const uchar* p = raw + at.y * size.x + at.x;
  int left = p[-1], right = p[1], up = p[-int(size.x)], down = p[size.x], here = p[0];
  int across = average(left, right), along = average(up, down);

  uint2 parity = (at ^ blue) & 1;
  uchar3 colour; // blue, green, red
  if (parity.x == parity.y) { // a blue or a red site
    int green = abs(left - right) > abs(up - down) ? along : across;
    int diagonal = (p[-int(size.x) - 1] + p[-int(size.x) + 1] + p[size.x - 1] + p[size.x + 1] + 2) >> 2;
    colour = parity.x == 0 ? uchar3(here, green, diagonal) : uchar3(diagonal, green, here);
  } else { // a green site: its row holds blue where the y parity is blue's
    colour = parity.y == 0 ? uchar3(across, here, along) : uchar3(along, here, across);
  }
  device uchar* out = bgr + 3 * (position.y * size.x + position.x);
  out[0] = colour.x;
  out[1] = colour.y;
  out[2] = colour.z;
}
