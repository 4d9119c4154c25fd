// SPDX-License-Identifier: Apache-2.0
// A function that is chosen when the image is loaded.
static int one(void) {
  return 1;
}
static int two(void) {
  return 2;
}
static int (*choose(void))(void) {
  int which;
  __asm__("mov $1, %0" : "=r"(which));
  return which ? one : two;
}
__attribute__((ifunc("choose"))) int chosen(void);
int kernel(void) {
  return chosen();
}
