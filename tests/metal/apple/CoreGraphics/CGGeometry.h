// SPDX-License-Identifier: Apache-2.0
#pragma once

typedef double CGFloat;
struct CGSize {
  CGFloat width, height;
};
struct CGPoint {
  CGFloat x, y;
};
struct CGRect {
  CGPoint origin;
  CGSize size;
};
