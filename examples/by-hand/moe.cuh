//===- moe.cuh - moe.mlir, written by hand ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/device/Gin.h"

constexpr int moeExperts = 2, moeChoices = 2, moeCapacity = 8, moeRows = 256;

/// Dispatch, experts and combine, for `tokens` tokens of `h` elements. Any
/// number of blocks; two slots for each rank. The windows between are buffers
/// of [rank, expert, place, element], `sent` and `counts` of [rank, expert].
static __global__ void __launch_bounds__(256)
    moe(const __grid_constant__ gin::Program program,
        const __grid_constant__ gin::Window x, const int32_t *table,
        const float *gates, const float *w, float *y, int32_t *positions,
        const __grid_constant__ gin::Window counts,
        const __grid_constant__ gin::Window received,
        const __grid_constant__ gin::Window results,
        const __grid_constant__ gin::Window returned,
        const __grid_constant__ gin::Window sent,
        const __grid_constant__ gin::Bank arrived, int64_t tokens, int64_t h) {
  gin::Context context = gin::begin(program);
  const int me = context.rank, ranks = context.ranks;
  const bool first = gin::blockInGrid() == 0;
  const int64_t place = gin::blockInGrid() * context.threads + context.thread;
  const int64_t places = gin::blocksOfGrid() * context.threads;
  const int64_t token = sizeof(float) * h, expert = moeCapacity * token;
  const int64_t row =
      me * tokens < moeRows - tokens ? me * tokens : moeRows - tokens;
  const int32_t *chosen = table +
                          ((ranks < 8 ? ranks : 8) - 1) * moeRows * moeChoices +
                          row * moeChoices;
  auto *taken = reinterpret_cast<int32_t *>(sent.base);
  auto *count = reinterpret_cast<int32_t *>(counts.base);
  auto *in = reinterpret_cast<float *>(received.base);
  auto *out = reinterpret_cast<float *>(results.base);
  auto *back = reinterpret_cast<float *>(returned.base);

  if (first) {
    for (int i = context.thread; i < ranks * moeExperts; i += context.threads)
      taken[i] = 0;
    // Who reads counts of the last launch has not necessarily finished.
    gin::barrier(context, gin::Block(), gin::world(context));
    for (int64_t i = 0; i < tokens * moeChoices; ++i) {
      const int to = chosen[i], at = taken[to];
      const bool fits = at < moeCapacity;
      if (fits)
        gin::put(context, gin::Block(), to / moeExperts, received,
                 (me * moeExperts + to % moeExperts) * expert + at * token, x,
                 i / moeChoices * token, token);
      gin::syncBlock(); // all have read `taken`
      if (context.thread == 0) {
        positions[i] = fits ? at : -1;
        taken[to] = at + fits;
      }
      gin::syncBlock();
    }
    for (int k = 0; k < ranks; ++k) {
      const int peer = (me + k) % ranks, size = moeExperts * sizeof(int32_t);
      gin::put(context, gin::Block(), peer, counts, me * size, sent,
               peer * size, size);
      gin::signal(context, gin::Block(), peer,
                  {&arrived, static_cast<uint32_t>(me)});
    }
  }

  for (int k = 0; k < ranks; ++k) {
    const int source = (me + ranks - k) % ranks;
    if (first)
      gin::wait(context, gin::Block(), arrived, source, 1);
    if (!gin::join(context, gin::Grid()))
      break;
    for (int e = 0; e < moeExperts; ++e) {
      const int64_t at = (source * moeExperts + e) * moeCapacity * h;
      for (int64_t i = place; i < count[source * moeExperts + e] * h;
           i += places) {
        float sum = 0;
        for (int64_t j = 0; j < h; ++j)
          sum += in[at + i / h * h + j] * w[(e * h + j) * h + i % h];
        out[at + i] = sum;
      }
    }
    if (!gin::join(context, gin::Grid()))
      break;
    if (!first)
      continue;
    for (int e = 0; e < moeExperts; ++e)
      gin::put(context, gin::Block(), source, returned,
               (me * moeExperts + e) * expert, results,
               (source * moeExperts + e) * expert,
               count[source * moeExperts + e] * token);
    gin::signal(context, gin::Block(), source,
                {&arrived, static_cast<uint32_t>(ranks + me)});
  }

  if (first)
    for (int source = 0; source < ranks; ++source)
      gin::wait(context, gin::Block(), arrived, ranks + source, 1);
  gin::join(context, gin::Grid());
  for (int64_t i = place; i < tokens * h; i += places) {
    float sum = 0;
    for (int64_t k = i / h * moeChoices; k < (i / h + 1) * moeChoices; ++k)
      if (positions[k] >= 0)
        sum += gates[k] *
               back[(chosen[k] * moeCapacity + positions[k]) * h + i % h];
    y[i] = sum;
  }
  gin::end(context);
}
