//===- all_to_all.cuh - all-to-all.mlir, written by hand --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/device/Gin.h"

/// Row q of `x` on rank p becomes row p of `y` on rank q. One block; a slot for
/// each rank.
static __global__ void __launch_bounds__(256)
    all_to_all(const __grid_constant__ gin::Program program,
               const __grid_constant__ gin::Window x,
               const __grid_constant__ gin::Window y,
               const __grid_constant__ gin::Bank arrived, int64_t m) {
  gin::Context context = gin::begin(program);
  const int me = context.rank, ranks = context.ranks;
  const int64_t row = sizeof(float) * m;
  // Who reads y of the last launch has not necessarily finished.
  gin::barrier(context, gin::Block(), gin::world(context));
  for (int k = 0; k < ranks; ++k) {
    const int peer = (me + k) % ranks;
    gin::put(context, gin::Block(), peer, y, row * me, x, row * peer, row,
             {&arrived, static_cast<uint32_t>(me)});
  }
  for (int source = 0; source < ranks; ++source)
    gin::wait(context, gin::Block(), arrived, source, 1);
  gin::end(context);
}
