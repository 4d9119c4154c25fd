// SPDX-License-Identifier: Apache-2.0
// Data that a kernel could change.
static int count = 3;
int kernel(void) {
  return ++count;
}
