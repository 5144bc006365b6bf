//===- Main.cpp - gin-matmul ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tools/gin-matmul/Bench.h"

#include <cstdio>

using namespace ginmatmul;

int main(int argc, char **argv) {
  const Options options = parse(argc, argv);
  Rig rig(options);
  std::printf("%s\nmedians of %u interleaved repetitions; x: time over the "
              "first's\n",
              rig.machine().c_str(), options.repetitions);
  bool right = true;
  if (options.check)
    right = check(rig);
  for (const Case &one : options.cases)
    right = run(rig, options, one) && right;
  if (!right)
    std::fprintf(stderr, "gin-matmul: results were wrong\n");
  return right ? 0 : 1;
}
