//===- LaneTest.cu - launches of several kernels --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

#include <algorithm>
#include <cstring>

using namespace gintest;

static GIN_DEVICE void expect(bool holds, unsigned long long *bad) {
  if (!holds)
    atomicAdd(bad, 1ull);
}

//===----------------------------------------------------------------------===//
// Kernels one after the other
//===----------------------------------------------------------------------===//

/// Each block signals the next rank's, and waits for the `count`-th signal of
/// this launch.
static __global__ void step(const __grid_constant__ gin::Program program,
                            const __grid_constant__ gin::Bank bank,
                            uint64_t launch, uint64_t count,
                            unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  gin::signal(context, gin::Block(), nextOf(context), {&bank, blockIdx.x});
  gin::wait(context, gin::Block(), bank, blockIdx.x, count);
  expect(gin::launchNumber(context) == launch, bad);
  gin::end(context);
}

GIN_TEST(KernelsOfOneLaunch) {
  Group group(ranks, {5});
  Counter bad(group);
  const uint64_t launches = 2000 / std::min(slowness(), 20u);
  // The last kernel has less blocks, and does not look at all slots.
  for (uint64_t launch = 0; launch < launches; ++launch)
    for (int rank = 0; rank < ranks; ++rank) {
      CHECK_EQUAL(group.launchPart(rank, 0, true, step, 5, 64, 0, B{0}, launch,
                                   uint64_t(1), C{&bad}),
                  GIN_SUCCESS);
      CHECK_EQUAL(group.launchPart(rank, 0, false, step, 3, 32, 0, B{0}, launch,
                                   uint64_t(2), C{&bad}),
                  GIN_SUCCESS);
    }
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
  for (int rank = 0; rank < ranks; ++rank)
    for (uint32_t slot = 0; slot < 5; ++slot) {
      uint64_t count = 1;
      CHECK_EQUAL(
          ginProgramReadSlot(group.programs[size_t(rank)], 0, slot, &count),
          GIN_SUCCESS);
      CHECK_EQUAL(count, 0u);
    }
}

//===----------------------------------------------------------------------===//
// Kernels at once
//===----------------------------------------------------------------------===//

/// In each round, what one lane's blocks do together, and then a signal to and
/// from the other lane of the neighbours, on slots of one bank.
static __global__ void meeting(const __grid_constant__ gin::Program program,
                               const __grid_constant__ gin::Window window,
                               const __grid_constant__ gin::Bank bank,
                               unsigned lane, unsigned rounds,
                               unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  volatile unsigned *words =
      reinterpret_cast<volatile unsigned *>(window.base) + 64 * lane;
  const gin::Warps warps(threadIdx.x / 32, 1, 1 + threadIdx.x / 32);
  const gin::Grid role = gin::role(threadIdx.x / 32, 0, gridDim.x);
  for (unsigned round = 1; round <= rounds; ++round) {
    if (threadIdx.x % 32 == 0)
      words[2 * blockIdx.x + threadIdx.x / 32] = round + lane;
    expect(gin::join(context, warps, role), bad);
    for (unsigned i = threadIdx.x / 32; i < 2 * gridDim.x; i += 2)
      expect(words[i] == round + lane, bad);
    expect(gin::join(context, gin::Grid()), bad);
    expect(gin::broadcast(context, gin::Grid(), 2 * lane + blockIdx.x) ==
               2 * lane,
           bad);
    gin::signal(context, gin::Block(),
                lane == 0 ? nextOf(context) : previousOf(context),
                {&bank, 2 * blockIdx.x + 1 - lane});
    expect(gin::wait(context, gin::Block(), bank, 2 * blockIdx.x + lane, round),
           bad);
  }
  gin::end(context);
}

/// Sees what both lanes have left.
static __global__ void last(const __grid_constant__ gin::Program program,
                            const __grid_constant__ gin::Window window,
                            unsigned rounds, uint64_t launch,
                            unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  const unsigned *words = reinterpret_cast<const unsigned *>(window.base);
  for (unsigned i = threadIdx.x; i < 6; i += blockDim.x)
    for (unsigned lane = 0; lane < 2; ++lane)
      expect(words[64 * lane + i] == rounds + lane, bad);
  expect(gin::launchNumber(context) == launch, bad);
  gin::end(context);
}

GIN_TEST(LanesAtOnce) {
  Group group(ranks);
  Buffers buffers(group, 4096);
  group.add(buffers);
  Counter bad(group);
  const unsigned rounds = 200 / std::min(slowness(), 20u);
  group.preload({GIN_KERNEL(meeting), GIN_KERNEL(last)}, 32);
  for (uint64_t launch = 0; launch < 5; ++launch)
    for (int rank = 0; rank < ranks; ++rank) {
      CHECK_EQUAL(group.order(rank, 0, 1), GIN_SUCCESS);
      // On a single rank each lane answers the other: both have to run.
      for (unsigned lane = 0; lane < 2; ++lane)
        CHECK_EQUAL(group.launchPart(rank, lane, true, meeting, 3, 64, 32, W{0},
                                     B{0}, lane, rounds, C{&bad}),
                    GIN_SUCCESS);
      CHECK_EQUAL(group.order(rank, 1, 0), GIN_SUCCESS);
      CHECK_EQUAL(group.launchPart(rank, 0, false, last, 2, 32, 0, W{0}, rounds,
                                   launch, C{&bad}),
                  GIN_SUCCESS);
    }
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
}

/// Orders between others than lane 0, and of a lane after itself.
static __global__ void append(const __grid_constant__ gin::Program program,
                              const __grid_constant__ gin::Window window,
                              int value) {
  gin::Context context = gin::begin(program);
  int *words = reinterpret_cast<int *>(window.base);
  words[++words[0]] = value;
  gin::end(context);
}

GIN_TEST(OrdersBetweenLanes) {
  Group group(ranks);
  Buffers buffers(group, 4096);
  group.add(buffers);
  const unsigned path[] = {2, 1, 2, 0};
  const int launches = 10;
  for (int launch = 0; launch < launches; ++launch)
    for (int rank = 0; rank < ranks; ++rank) {
      unsigned before = 0;
      for (unsigned lane : path) {
        CHECK_EQUAL(group.order(rank, before, lane), GIN_SUCCESS);
        CHECK_EQUAL(group.order(rank, lane, lane), GIN_SUCCESS);
        CHECK_EQUAL(group.launchPart(rank, lane, lane != 0, append, 1, 1, 0,
                                     W{0}, 10 * launch + int(lane)),
                    GIN_SUCCESS);
        before = lane;
      }
    }
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  for (int rank = 0; rank < ranks; ++rank) {
    int words[1 + 4 * launches];
    std::memcpy(words, buffers.read(rank, 0, sizeof words).data(),
                sizeof words);
    CHECK_EQUAL(words[0], 4 * launches);
    for (int i = 0; i < 4 * launches; ++i)
      CHECK_EQUAL(words[1 + i], 10 * (i / 4) + int(path[i % 4]));
  }
}
