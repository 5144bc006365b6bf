//===- GridExtents.h - ranks arranged as a grid -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The rule of MPI_Dims_create, for the host: extents whose product is the
// number of ranks, as equal as possible, larger ones first.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_GRID_EXTENTS_H
#define GIN_DEVICE_GRID_EXTENTS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace gin {

/// An extent that the number of ranks determines.
constexpr int64_t anyExtent = INT64_MIN;

/// Replaces each `anyExtent`. False if no extents multiply to `ranks`.
inline bool balanceExtents(int64_t ranks, int64_t *extents, size_t count) {
  constexpr size_t most = 64; // with more, some would have a single rank
  if (count > most)
    return false;
  int64_t rest = ranks, free[most];
  size_t frees = 0;
  for (size_t i = 0; i < count; ++i) {
    if (extents[i] == anyExtent) {
      free[frees++] = 1;
    } else {
      if (extents[i] <= 0 || rest % extents[i] != 0)
        return false;
      rest /= extents[i];
    }
  }
  if (frees == 0)
    return rest == 1;
  // Prime factors, largest first, each to the smallest extent.
  int64_t primes[64];
  size_t found = 0;
  for (int64_t p = 2; p * p <= rest; ++p)
    for (; rest % p == 0; rest /= p)
      primes[found++] = p;
  if (rest > 1)
    primes[found++] = rest;
  while (found-- > 0)
    *std::min_element(free, free + frees) *= primes[found];
  std::sort(free, free + frees, std::greater<int64_t>());
  for (size_t i = count; i-- > 0;)
    if (extents[i] == anyExtent)
      extents[i] = free[--frees];
  return true;
}

} // namespace gin

#endif // GIN_DEVICE_GRID_EXTENTS_H
