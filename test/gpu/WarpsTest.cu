//===- WarpsTest.cu - warps of a block that act together ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

#include <algorithm>

using namespace gintest;

/// Two roles in each block, of two warps and of the others, which meet a
/// different number of times: in the block, and in all blocks.
static __global__ void meetings(const __grid_constant__ gin::Program program,
                                const __grid_constant__ gin::Window window,
                                unsigned rounds, unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  volatile unsigned *words = reinterpret_cast<volatile unsigned *>(window.base);
  auto expect = [&](bool holds) {
    if (!holds)
      atomicAdd(bad, 1ull);
  };
  const bool isFirst = threadIdx.x < 64;
  const gin::Warps warps(isFirst ? 0 : 2, isFirst ? 2 : blockDim.x / 32 - 2,
                         isFirst ? 1 : 2);
  const gin::Grid grid = gin::role(isFirst ? 0 : 1, 0, gridDim.x);
  expect(warps.has(context));
  for (unsigned round = 1; round <= (isFirst ? rounds : 2 * rounds); ++round) {
    auto all = [&](unsigned block, unsigned value) {
      for (unsigned i = 0; i < warps.size(); ++i)
        expect(words[block * blockDim.x + warps.begin + i] == value);
    };
    const unsigned own = blockIdx.x * blockDim.x + threadIdx.x;
    words[own] = 2 * round;
    expect(gin::join(context, warps));
    all(blockIdx.x, 2 * round);
    expect(gin::join(context, warps));
    words[own] = 2 * round + 1;
    expect(gin::join(context, warps, grid));
    for (unsigned block = 0; block < gridDim.x; ++block)
      all(block, 2 * round + 1);
    expect(gin::join(context, warps, grid));
    const unsigned value = 1000 * blockIdx.x + threadIdx.x + round;
    expect(gin::broadcast(context, warps, value) ==
           1000 * blockIdx.x + warps.begin + round);
    expect(gin::broadcast(context, warps, grid, double(value)) ==
           double(warps.begin + round));
    expect(gin::check(context, warps, true, gin::Site{"", "", 0}));
  }
  expect(gin::join(context, gin::Block()));
  expect(gin::broadcast(context, gin::Block(), threadIdx.x + 7) == 7);
  gin::end(context);
}

GIN_TEST(WarpsMeet) {
  Group group(ranks);
  Buffers buffers(group, 9 * 192 * 4);
  group.add(buffers);
  Counter bad(group);
  const unsigned rounds = 100 / std::min(slowness(), 20u);
  for (unsigned blocks : {1u, 2u, 9u})
    CHECK_EQUAL(group.launch(meetings, blocks, 192, 128, W{0}, rounds, C{&bad}),
                GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
}

/// One role sends to the next rank, another one of the same block receives.
/// Both have the whole way of an agent: what all of its threads did is
/// signalled.
static __global__ void messages(const __grid_constant__ gin::Program program,
                                const __grid_constant__ gin::Window window,
                                const __grid_constant__ gin::Bank bank,
                                unsigned rounds, unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  constexpr uint32_t filled = 0, credit = 1;
  const gin::Warps send(0, 2, 1), receive(2, 3, 2);
  auto bytesIn = [](unsigned round) { return round % 2 ? 64u : 4096u; };
  auto byteOf = [](unsigned round, int rank, unsigned i) {
    return static_cast<char>(31 * round + 7 * unsigned(rank) + i);
  };
  char *source = window.base, *target = window.base + 4096;
  if (send.has(context)) {
    for (unsigned round = 0; round < rounds; ++round) {
      if (!gin::wait(context, send, bank, credit, round))
        break;
      for (unsigned i = send.index(); i < bytesIn(round); i += send.size())
        source[i] = byteOf(round, context.rank, i);
      gin::put(context, send, nextOf(context), window, 4096, window, 0,
               bytesIn(round), {&bank, filled});
      gin::flush(context, send);
    }
  } else if (receive.has(context)) {
    const int from = previousOf(context);
    for (unsigned round = 0; round < rounds; ++round) {
      if (!gin::wait(context, receive, bank, filled, round + 1))
        break;
      for (unsigned i = receive.index(); i < bytesIn(round);
           i += receive.size())
        if (target[i] != byteOf(round, from, i))
          atomicAdd(bad, 1ull);
      gin::signal(context, receive, from, {&bank, credit});
    }
    if (!gin::barrier(context, receive, gin::world(context)))
      atomicAdd(bad, 1ull);
  }
  // The last credit, too.
  if (gin::join(context, gin::Block()))
    gin::wait(context, gin::Block(), bank, credit, rounds);
  gin::end(context);
}

GIN_TEST(WarpsSend) {
  Group group(ranks);
  Buffers buffers(group, 8192);
  group.add(buffers);
  Counter bad(group);
  const unsigned rounds = 200 / std::min(slowness(), 20u);
  for (unsigned again = 0; again < 3; ++again)
    CHECK_EQUAL(group.launch(messages, 1, 192, 0, W{0}, B{0}, rounds, C{&bad}),
                GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
}

/// A thread of one role breaks an assertion: its role leaves at once, the other
/// one, which waits for a signal that never comes, too, and then the block.
static __global__ void leaving(const __grid_constant__ gin::Program program,
                               const __grid_constant__ gin::Bank bank,
                               unsigned long long *left) {
  gin::Context context = gin::begin(program);
  const gin::Warps check(0, 2, 1), wait(2, 1, 2);
  auto assertion = [&] {
    for (unsigned round = 0; round < 10; ++round) {
      const bool breaks = context.rank == 0 && round == 7 && blockIdx.x == 1 &&
                          threadIdx.x == 37;
      if (!gin::check(context, check, !breaks,
                      gin::Site{"a thing that holds", "program.mlir", 12}))
        return;
      if (!gin::join(context, check, gin::role(0, 0, gridDim.x)))
        return;
    }
    if (context.rank == 0)
      atomicAdd(left, 1ull);
  };
  auto waiting = [&] {
    if (!gin::wait(context, wait, bank, 0, 1))
      return;
    atomicAdd(left, 1ull);
  };
  if (check.has(context))
    assertion();
  if (wait.has(context))
    waiting();
  if (gin::join(context, gin::Block()))
    atomicAdd(left, 1ull);
  gin::end(context);
}

GIN_TEST(WarpsLeave) {
  Group group(ranks);
  Counter left(group);
  CHECK_EQUAL(group.launch(leaving, 3, 96, 128, B{0}, C{&left}), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_ERR_ASSERTION);
  ginError_t error;
  CHECK_EQUAL(ginCommGetAsyncError(group.comms[0], &error), GIN_ERR_ASSERTION);
  CHECK_EQUAL(error.block, 1u);
  CHECK_EQUAL(error.line, 12);
  CHECK_EQUAL(left.total(), 0u);
}
