/* ===- ends.c - the many ways in which a C function can fail to return ---=== *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * ===---------------------------------------------------------------------===
 */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

void ends(int64_t how) {
  static volatile int sink;
  volatile int zero = 0;
  switch (how) {
  case 0:
    exit(0);
  case 1:
    exit(7);
  case 2:
    _exit(0);
  case 3:
    _Exit(0);
  case 4:
    quick_exit(0);
  case 5:
    abort();
  case 6:
    __builtin_trap();
  case 7:
    sink = 1 / zero;
    break;
  case 8:
    sink = *(volatile int *)8;
    break;
  case 9:
    ends(how);
    sink = 1;
    break;
  }
}
