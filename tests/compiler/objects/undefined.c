// SPDX-License-Identifier: Apache-2.0
// A function that nobody defines.
int elsewhere(void);
int kernel(void) {
  return elsewhere();
}
