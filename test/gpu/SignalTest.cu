//===- SignalTest.cu - counting, barriers, launches, graphs ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

using namespace gintest;

/// Several blocks signal several slots, of different weights; launch numbers
/// alternate the data.
static __global__ void exchange(const __grid_constant__ gin::Program program,
                                const __grid_constant__ gin::Window window,
                                const __grid_constant__ gin::Bank bank,
                                unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  const int peer = 1 - context.rank;
  const uint64_t launch = gin::launchNumber(context);
  // Two buffers: a peer that is one launch ahead writes the other one.
  const uint64_t offset = 8192 * (launch & 1) + 512 * blockIdx.x;
  const uint64_t sent = 32768 + offset;
  uint64_t *own = reinterpret_cast<uint64_t *>(window.base);
  if (threadIdx.x < 64)
    own[sent / 8 + threadIdx.x] =
        launch * 1000 + blockIdx.x * 100 + threadIdx.x + context.rank;
  gin::Block block;
  gin::put(context, block, peer, window, offset, window, sent, 512,
           {&bank, blockIdx.x, 3});
  gin::signal(context, block, peer, {&bank, blockIdx.x, 2});
  gin::wait(context, block, bank, blockIdx.x, 5);
  if (threadIdx.x < 64) {
    volatile uint64_t *word = own + offset / 8 + threadIdx.x;
    if (*word !=
        launch * 1000 + blockIdx.x * 100 + threadIdx.x + (1 - context.rank))
      atomicAdd_system(bad, 1ull);
  }
  gin::end(context);
}

/// Nothing else waits for rank 1 before rank 0's next launch overwrites.
GIN_TEST(ThousandLaunches) {
  Pair pair({4, 16});
  Buffers buffers(65536);
  pair.add(buffers);
  Counter bad;
  for (int i = 0; i < 1000; ++i)
    if (!CHECK_EQUAL(pair.launch(exchange, 8, 128, 0, W{0}, B{1}, C{&bad}),
                     GIN_SUCCESS))
      break;
  CHECK_EQUAL(pair.synchronize(), cudaSuccess);
  CHECK_EQUAL(ginCommGetAsyncError(pair.comms[0], nullptr), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
  for (int rank = 0; rank < 2; ++rank)
    for (uint32_t slot = 0; slot < 16; ++slot) {
      uint64_t left = 1;
      CHECK_EQUAL(ginProgramReadSlot(pair.programs[rank], 1, slot, &left),
                  GIN_SUCCESS);
      CHECK_EQUAL(left, 0u);
    }
}

GIN_TEST(GraphReplays) {
  Pair pair({4, 16});
  Buffers buffers(65536);
  pair.add(buffers);
  Counter bad;
  cudaGraphExec_t graphs[2];
  CHECK_EQUAL(ginProgramPreload(pair.programs[0],
                                reinterpret_cast<const void *>(exchange), 0),
              GIN_SUCCESS);
  for (int rank = 0; rank < 2; ++rank) {
    cudaSetDevice(rank);
    CHECK_EQUAL(cudaStreamBeginCapture(pair.streams[rank],
                                       cudaStreamCaptureModeThreadLocal),
                cudaSuccess);
    for (int i = 0; i < 3; ++i)
      CHECK_EQUAL(
          pair.launchRank(rank, exchange, 8, 128, 0, W{0}, B{1}, C{&bad}),
          GIN_SUCCESS);
    // Another stream of the same capture could run beside.
    cudaGraph_t graph;
    CHECK_EQUAL(cudaStreamEndCapture(pair.streams[rank], &graph), cudaSuccess);
    CHECK_EQUAL(cudaGraphInstantiate(&graphs[rank], graph, 0), cudaSuccess);
    cudaGraphDestroy(graph);
  }
  for (int i = 0; i < 1000; ++i)
    for (int rank = 0; rank < 2; ++rank) {
      cudaSetDevice(rank);
      if (!CHECK_EQUAL(cudaGraphLaunch(graphs[rank], pair.streams[rank]),
                       cudaSuccess))
        return;
    }
  // Launches and replays count on from each other.
  CHECK_EQUAL(pair.launch(exchange, 8, 128, 0, W{0}, B{1}, C{&bad}),
              GIN_SUCCESS);
  CHECK_EQUAL(pair.synchronize(), cudaSuccess);
  CHECK_EQUAL(ginCommGetAsyncError(pair.comms[0], nullptr), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
  for (cudaGraphExec_t graph : graphs)
    cudaGraphExecDestroy(graph);
}

static __global__ void looking(const __grid_constant__ gin::Program program,
                               const __grid_constant__ gin::Bank bank,
                               unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  const int peer = 1 - context.rank;
  gin::Warp warp;
  auto expect = [&](bool holds) {
    if (!holds && warp.leader())
      atomicAdd_system(bad, 1ull);
  };
  // Slot 0 is never signalled in time.
  expect(!gin::test(context, warp, bank, 0, 1));
  expect(!gin::waitFor(context, warp, bank, 0, 1, 50000));
  gin::signal(context, warp, peer, {&bank, 1, 7}, gin::Strength::Relaxed);
  gin::wait(context, warp, bank, 1, 3); // 7 are coming
  while (!gin::test(context, warp, bank, 1, 7) && !context.failed)
    ;
  if (warp.leader())
    expect(gin::read(context, bank, 1) == 7);
  expect(gin::waitFor(context, warp, bank, 1, 7, 1000000));
  gin::signal(context, warp, peer, {&bank, 0, 1});
  expect(gin::waitFor(context, warp, bank, 0, 1, 0));
  gin::end(context);
}

GIN_TEST(TestReadWaitFor) {
  Pair pair;
  Counter bad;
  for (int i = 0; i < 10; ++i)
    CHECK_EQUAL(pair.launch(looking, 1, 32, 0, B{0}, C{&bad}), GIN_SUCCESS);
  CHECK_EQUAL(pair.synchronize(), cudaSuccess);
  CHECK_EQUAL(ginCommGetAsyncError(pair.comms[0], nullptr), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
}

/// Rounds of: write at the peer, barrier, read own, barrier.
template <class Coop>
static __global__ void barriers(const __grid_constant__ gin::Program program,
                                const __grid_constant__ gin::Window window,
                                unsigned rounds, unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  Coop coop;
  uint32_t *view = gin::peerView<uint32_t>(context, 1 - context.rank, window);
  volatile uint32_t *own = reinterpret_cast<uint32_t *>(window.base);
  for (unsigned i = 1; i <= rounds; ++i) {
    view[coop.index()] = i * 3 + context.rank;
    if (!gin::barrier(context, coop, gin::world(context)))
      break;
    if (own[coop.index()] != i * 3 + (1 - context.rank))
      atomicAdd_system(bad, 1ull);
    const gin::Team team{0, 1, 2, 1}; // the same members, other slots
    if (!gin::barrier(context, coop, team, gin::Extent::Global))
      break;
  }
  gin::end(context);
}

GIN_TEST(Barriers) {
  Pair pair;
  Buffers buffers(4096);
  pair.add(buffers);
  Counter bad;
  for (int i = 0; i < 3; ++i) {
    CHECK_EQUAL(
        pair.launch(barriers<gin::Thread>, 1, 1, 0, W{0}, 2001u, C{&bad}),
        GIN_SUCCESS);
    CHECK_EQUAL(
        pair.launch(barriers<gin::Warp>, 1, 32, 0, W{0}, 2001u, C{&bad}),
        GIN_SUCCESS);
    CHECK_EQUAL(
        pair.launch(barriers<gin::Block>, 1, 256, 0, W{0}, 2001u, C{&bad}),
        GIN_SUCCESS);
  }
  CHECK_EQUAL(pair.synchronize(), cudaSuccess);
  CHECK_EQUAL(ginCommGetAsyncError(pair.comms[0], nullptr), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
}
