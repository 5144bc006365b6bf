//===- Options.h - the command line of gin-matmul ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_MATMUL_OPTIONS_H
#define GIN_MATMUL_OPTIONS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ginmatmul {

/// What is computed; all matrices bf16, B stored as n x k.
enum class Mode {
  Multiply, // C[m, n] = A[m, k] B[k, n], by one GPU
  Gather,   // each GPU has A[m, k] and its own B: C = all ranks' A times B
  Scatter   // each GPU has A[m, k] and B[k, n]: rank r keeps the r-th part of
            // the rows of the sum of all ranks' products
};
const char *name(Mode mode);

struct Case {
  Mode mode;
  int64_t m, k, n;
};

struct Options {
  bool check = false;
  std::vector<Case> cases;
  unsigned repetitions = 11;
  std::vector<int> devices = {0, 1};
  // Of gin's contenders, one for each value.
  std::vector<int> columns = {0};     // of a tile; 0: as ginMatmulColumns says
  std::vector<int> ctas = {0, 4, 12}; // that communicate; 0: spare warps do
  std::vector<int> paces = {
      5300}; // cycles from a spare warp's piece to the next
  int chunkRows = 4096, chunkColumns = 2048;
  uint64_t timeout = 5'000'000'000; // of waits, in nanoseconds
};

/// Exits with a message where the command line is wrong, or asks for help.
Options parse(int argc, char **argv);

} // namespace ginmatmul

#endif // GIN_MATMUL_OPTIONS_H
