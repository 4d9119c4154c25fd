// SPDX-License-Identifier: Apache-2.0
// `private` is C++'s word, not OpenCL's address space.
// RUN: metalloid-msl %s
#include <metal_stdlib>
using namespace metal;

class Counter {
public:
  Counter(int start) : value(start) {}
  int next() { return ++value; }

protected:
  int spare = 0;

private:
  int value;
};
kernel void count(device int* out) {
  Counter counter(3);
  out[0] = counter.next();
}
