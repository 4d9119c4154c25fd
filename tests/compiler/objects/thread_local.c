// SPDX-License-Identifier: Apache-2.0
// Thread-local data.
static __thread int count = 3;
int kernel(void) {
  return ++count;
}
