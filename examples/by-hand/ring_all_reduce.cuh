//===- ring_all_reduce.cuh - ring-all-reduce.mlir, by hand ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/device/Gin.h"

/// Chunk k of m elements that are cut into one for each rank.
struct RingChunk {
  int64_t begin, size;
};
static __device__ RingChunk chunkOf(int64_t m, int ranks, int k) {
  const int64_t begin = k * m / ranks;
  return {begin, (k + 1) * m / ranks - begin};
}

/// Makes `y` the sum of all ranks' `x`, of m elements. Any number of blocks;
/// two slots for each rank.
static __global__ void __launch_bounds__(256)
    ring_all_reduce(const __grid_constant__ gin::Program program,
                    const float *x, const __grid_constant__ gin::Window y,
                    const __grid_constant__ gin::Bank arrived, int64_t m) {
  gin::Context context = gin::begin(program);
  const int me = context.rank, ranks = context.ranks;
  const int right = (me + 1) % ranks;
  auto *own = reinterpret_cast<float *>(y.base);
  for (int64_t i = gin::blockInGrid() * context.threads + context.thread; i < m;
       i += gin::blocksOfGrid() * context.threads)
    own[i] = x[i];
  gin::join(context, gin::Grid());
  if (gin::blockInGrid() == 0) {
    // The left neighbour adds to our y: not before our own share is there. It
    // has waited for all that we put in the last launch.
    gin::barrier(context, gin::Block(), gin::world(context));
    for (int step = 0; step < ranks - 1; ++step) {
      const RingChunk chunk = chunkOf(m, ranks, (me + ranks - step) % ranks);
      const uint64_t at = sizeof(float) * chunk.begin;
      gin::putAccumulate<float>(context, gin::Block(), right, y, at, y, at,
                                chunk.size,
                                {&arrived, static_cast<uint32_t>(step)});
      gin::wait(context, gin::Block(), arrived, step, 1);
    }
    for (int step = 0; step < ranks - 1; ++step) {
      const RingChunk chunk =
          chunkOf(m, ranks, (me + 1 + ranks - step) % ranks);
      const uint64_t at = sizeof(float) * chunk.begin;
      gin::put(context, gin::Block(), right, y, at, y, at,
               sizeof(float) * chunk.size,
               {&arrived, static_cast<uint32_t>(ranks + step)});
      gin::wait(context, gin::Block(), arrived, ranks + step, 1);
    }
  }
  gin::end(context);
}
