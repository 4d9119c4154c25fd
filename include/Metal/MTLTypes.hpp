// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <Foundation/NSTypes.hpp>

namespace MTL {

// Packed, as in metal-cpp: 24 bytes that may lie at any address.
struct Origin {
  Origin() = default;
  Origin(NS::UInteger x, NS::UInteger y, NS::UInteger z) : x(x), y(y), z(z) {}
  static Origin Make(NS::UInteger x, NS::UInteger y, NS::UInteger z) { return Origin(x, y, z); }

  NS::UInteger x;
  NS::UInteger y;
  NS::UInteger z;
} __attribute__((packed));

struct Size {
  Size() = default;
  Size(NS::UInteger width, NS::UInteger height, NS::UInteger depth)
      : width(width), height(height), depth(depth) {}
  static Size Make(NS::UInteger width, NS::UInteger height, NS::UInteger depth) {
    return Size(width, height, depth);
  }

  NS::UInteger width;
  NS::UInteger height;
  NS::UInteger depth;
} __attribute__((packed));

struct Region {
  Region() = default;
  Region(NS::UInteger x, NS::UInteger width) : origin(x, 0, 0), size(width, 1, 1) {}
  Region(NS::UInteger x, NS::UInteger y, NS::UInteger width, NS::UInteger height)
      : origin(x, y, 0), size(width, height, 1) {}
  Region(NS::UInteger x, NS::UInteger y, NS::UInteger z, NS::UInteger width, NS::UInteger height,
         NS::UInteger depth)
      : origin(x, y, z), size(width, height, depth) {}

  static Region Make1D(NS::UInteger x, NS::UInteger width) { return Region(x, width); }
  static Region Make2D(NS::UInteger x, NS::UInteger y, NS::UInteger width, NS::UInteger height) {
    return Region(x, y, width, height);
  }
  static Region Make3D(NS::UInteger x, NS::UInteger y, NS::UInteger z, NS::UInteger width,
                       NS::UInteger height, NS::UInteger depth) {
    return Region(x, y, z, width, height, depth);
  }

  MTL::Origin origin;
  MTL::Size size;
} __attribute__((packed));

} // namespace MTL
