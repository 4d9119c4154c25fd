// SPDX-License-Identifier: Apache-2.0
// A constructor.
static volatile int seen;
__attribute__((constructor)) static void run(void) {
  seen = 1;
}
int kernel(void) {
  return seen;
}
