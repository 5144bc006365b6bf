//===- Launch.h - from cases to kernels -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_MATMUL_LAUNCH_H
#define GIN_MATMUL_LAUNCH_H

#include "tools/gin-matmul/Rig.h"

#include <cstdio>
#include <cstdlib>
#include <type_traits>

namespace ginmatmul {

/// A bf16 matrix without gaps; of the current device.
inline ginMatrix_t matrix(ginMatmulRole_t role, const ginMatmulShape_t &shape,
                          void *data, int64_t rows, int64_t columns) {
  ginMatrix_t result;
  need(ginMatrixMake(role, &shape, GIN_ELEMENT_BF16, data, rows, columns,
                     columns, &result),
       "matrix");
  return result;
}
inline ginMatrix_t matrix(ginMatmulRole_t role, const ginMatmulShape_t &shape,
                          const Memory &memory, int64_t rows, int64_t columns) {
  return matrix(role, shape, memory.as<void>(), rows, columns);
}

/// Calls `body` with an std::integral_constant of one of the tile widths that
/// this program's kernels have.
template <class Body>
void withColumns(int columns, Body body) {
  switch (columns) {
  case 128:
    return body(std::integral_constant<int, 128>());
  case 192:
    return body(std::integral_constant<int, 192>());
  case 224:
    return body(std::integral_constant<int, 224>());
  case 256:
    return body(std::integral_constant<int, 256>());
  case 64: // for narrow matrices, where the next is as good
    return body(std::integral_constant<int, 128>());
  default:
    std::fprintf(stderr, "gin-matmul: no kernel has tiles of %d columns\n",
                 columns);
    std::exit(2);
  }
}

/// Launches a kernel without communication on all SMs, in whole clusters.
template <class... Parameters, class... Arguments>
void launchKernel(Rig &rig, int rank, void (*kernel)(Parameters...),
                  uint32_t shared, Arguments... arguments) {
  rig.use(rank);
  need(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            static_cast<int>(shared)),
       "shared memory");
  kernel<<<static_cast<unsigned>(rig.multiprocessors) & ~1u, 384, shared,
           Rig::at(rig.streams, rank)>>>(arguments...);
  need(cudaGetLastError(), "launch");
}

} // namespace ginmatmul

#endif // GIN_MATMUL_LAUNCH_H
