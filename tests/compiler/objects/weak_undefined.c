// SPDX-License-Identifier: Apache-2.0
// A function that nobody need define.
__attribute__((weak)) int elsewhere(void);
int kernel(void) {
  return elsewhere ? elsewhere() : 0;
}
