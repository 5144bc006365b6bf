//===- SignalTest.cu - counting, barriers, launches -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

#include <algorithm>
#include <thread>
#include <utility>

using namespace gintest;

/// Several blocks signal several slots, of different weights; launch numbers
/// alternate the data.
static __global__ void exchange(const __grid_constant__ gin::Program program,
                                const __grid_constant__ gin::Window window,
                                const __grid_constant__ gin::Bank bank,
                                unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  const uint64_t launch = gin::launchNumber(context);
  // Each rank waits for the one before it alone, and so can be as many launches
  // ahead of the next one as there are others; it writes another buffer then.
  const uint64_t ranks = uint64_t(context.ranks);
  const uint64_t offset = 8192 * (launch % ranks) + 512 * blockIdx.x;
  const uint64_t sent = 8192 * ranks + offset;
  uint64_t *own = reinterpret_cast<uint64_t *>(window.base);
  if (threadIdx.x < 64)
    own[sent / 8 + threadIdx.x] =
        launch * 1000 + blockIdx.x * 100 + threadIdx.x + context.rank;
  gin::Block block;
  gin::put(context, block, nextOf(context), window, offset, window, sent, 512,
           {&bank, blockIdx.x, 3});
  gin::signal(context, block, nextOf(context), {&bank, blockIdx.x, 2});
  gin::wait(context, block, bank, blockIdx.x, 5);
  if (threadIdx.x < 64) {
    volatile uint64_t *word = own + offset / 8 + threadIdx.x;
    if (*word !=
        launch * 1000 + blockIdx.x * 100 + threadIdx.x + previousOf(context))
      atomicAdd(bad, 1ull);
  }
  gin::end(context);
}

GIN_TEST(ThousandLaunches) {
  Group group(ranks, {4, 16});
  Buffers buffers(group, 16384 * size_t(ranks));
  group.add(buffers);
  Counter bad(group);
  for (unsigned i = 0; i < 1000 / std::min(slowness(), 10u); ++i)
    if (!CHECK_EQUAL(group.launch(exchange, 8, 128, 0, W{0}, B{1}, C{&bad}),
                     GIN_SUCCESS))
      break;
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
  for (ginProgram_t program : group.programs)
    for (uint32_t slot = 0; slot < 16; ++slot) {
      uint64_t left = 1;
      CHECK_EQUAL(ginProgramReadSlot(program, 1, slot, &left), GIN_SUCCESS);
      CHECK_EQUAL(left, 0u);
    }
}

static __global__ void looking(const __grid_constant__ gin::Program program,
                               const __grid_constant__ gin::Bank bank,
                               unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  gin::Warp warp;
  auto expect = [&](bool holds) {
    if (!holds && warp.leader())
      atomicAdd(bad, 1ull);
  };
  // The next rank signals slot 0, but not before it hears from this one.
  expect(!gin::test(context, warp, bank, 0, 1));
  expect(!gin::waitFor(context, warp, bank, 0, 1, 50000));
  gin::signal(context, warp, nextOf(context), {&bank, 1, 7},
              gin::Strength::Relaxed);
  gin::wait(context, warp, bank, 1, 3); // 7 are coming
  while (!gin::test(context, warp, bank, 1, 7) && !context.failed)
    ;
  if (warp.leader())
    expect(gin::read(context, bank, 1) == 7);
  expect(gin::waitFor(context, warp, bank, 1, 7, 1000000));
  gin::signal(context, warp, previousOf(context), {&bank, 0, 1});
  expect(gin::waitFor(context, warp, bank, 0, 1, 0));
  gin::end(context);
}

GIN_TEST(TestReadWaitFor) {
  Group group(ranks);
  Counter bad(group);
  for (int i = 0; i < 10; ++i)
    CHECK_EQUAL(group.launch(looking, 1, 32, 0, B{0}, C{&bad}), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
}

/// Sends more than it waits for, unless `weight` is 3.
static __global__ void sends(const __grid_constant__ gin::Program program,
                             const __grid_constant__ gin::Bank bank,
                             unsigned weight) {
  gin::Context context = gin::begin(program);
  gin::Block block;
  gin::signal(context, block, nextOf(context), {&bank, 4998, weight});
  gin::wait(context, block, bank, 4998, 3);
  gin::end(context);
}

namespace {
/// Nobody hears of signals that are left over.
void destroysSilently(Group &group) {
  for (ginResult_t result : group.destroyProgram())
    CHECK_EQUAL(result, GIN_SUCCESS);
}
const std::vector<uint32_t> largeBank = {4, 5000};
} // namespace

GIN_TEST(Unconsumed) {
  Group group(ranks, largeBank);
  CHECK_EQUAL(group.launch(sends, 1, 32, 0, B{1}, 3u), GIN_SUCCESS);
  for (int i = 0; i < 2; ++i)
    CHECK_EQUAL(group.launch(sends, 1, 32, 0, B{1}, 5u), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  const std::vector<ginResult_t> results = group.destroyProgram();
  CHECK(says("test: slot 4998 of bank 1 on rank 0 has counted 4 that nobody "
             "waited for, in 3 launches; wait for it in the launch that "
             "sends it"));
  CHECK_EQUAL(results.back(), GIN_ERR_UNCONSUMED_SIGNAL);
  CHECK_EQUAL(std::count(results.begin(), results.end(), GIN_SUCCESS),
              ranks - 1);
}

GIN_TEST(UnconsumedByThreads) {
  Group group(ranks, largeBank);
  CHECK_EQUAL(group.launch(sends, 1, 32, 0, B{1}, 4u), GIN_SUCCESS);
  // Nobody waits before: the last one does.
  std::vector<ginResult_t> results(group.programs.size());
  std::vector<std::thread> threads;
  for (size_t rank = 0; rank < results.size(); ++rank)
    threads.emplace_back([&, rank] {
      results[rank] =
          ginProgramDestroy(std::exchange(group.programs[rank], nullptr));
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK_EQUAL(
      std::count(results.begin(), results.end(), GIN_ERR_UNCONSUMED_SIGNAL), 1);
  CHECK_EQUAL(std::count(results.begin(), results.end(), GIN_SUCCESS),
              ranks - 1);
}

GIN_TEST(BalanceOfWhatHasEndedAlone) {
  {
    Group group(ranks, largeBank);
    CHECK_EQUAL(group.launch(sends, 1, 32, 0, B{1}, 3u), GIN_SUCCESS);
    destroysSilently(group);
  }
  // One rank is a launch ahead: another one may yet wait for what it sent.
  if (ranks > 1) {
    Group group(ranks, largeBank);
    CHECK_EQUAL(group.launch(sends, 1, 32, 0, B{1}, 6u), GIN_SUCCESS);
    CHECK_EQUAL(group.launchRank(0, sends, 1, 32, 0, B{1}, 3u), GIN_SUCCESS);
    destroysSilently(group);
  }
  // Waits of a failed launch have moved no base.
  {
    Group group(ranks, largeBank, 10'000'000);
    CHECK_EQUAL(group.launch(sends, 1, 32, 0, B{1}, 2u), GIN_SUCCESS);
    CHECK_EQUAL(group.synchronize(), GIN_ERR_TIMEOUT);
    destroysSilently(group);
  }
  {
    Group group(ranks, largeBank);
    CHECK_EQUAL(group.launch(sends, 1, 32, 0, B{1}, 4u), GIN_SUCCESS);
    CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
    CHECK_EQUAL(ginCommAbort(group.comms[0]), GIN_SUCCESS);
    destroysSilently(group);
  }
  // A launch without its last kernel has not moved the bases.
  {
    Group group(ranks, largeBank);
    for (int rank = 0; rank < ranks; ++rank)
      CHECK_EQUAL(group.launchPart(rank, 0, true, sends, 1, 32, 0, B{1}, 3u),
                  GIN_SUCCESS);
    // The last rank knows that its launch is broken off.
    CHECK_EQUAL(
        ginLaunchOrder(group.programs.back(), group.streams.back(), 0, lanes),
        GIN_ERR_INVALID_ARGUMENT);
    const std::vector<ginResult_t> results = group.destroyProgram();
    CHECK_EQUAL(results.back(), GIN_SUCCESS);
    CHECK_EQUAL(
        std::count(results.begin(), results.end(), GIN_ERR_SIGNAL_PENDING),
        ranks - 1);
  }
}

/// Rounds of: write at the peer, barrier, read own, barrier.
template <class Coop>
static __global__ void barriers(const __grid_constant__ gin::Program program,
                                const __grid_constant__ gin::Window window,
                                unsigned rounds, unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  Coop coop;
  uint32_t *view = gin::peerView<uint32_t>(context, nextOf(context), window);
  volatile uint32_t *own = reinterpret_cast<uint32_t *>(window.base);
  for (unsigned i = 1; i <= rounds; ++i) {
    view[coop.index()] = i * 3 + context.rank;
    if (!gin::barrier(context, coop, gin::world(context)))
      break;
    if (own[coop.index()] != i * 3 + previousOf(context))
      atomicAdd(bad, 1ull);
    const gin::Team team{0, 1, context.ranks,
                         1}; // the same members, other slots
    if (!gin::barrier(context, coop, team, gin::Extent::Global))
      break;
  }
  gin::end(context);
}

GIN_TEST(Barriers) {
  Group group(ranks);
  Buffers buffers(group, 4096);
  group.add(buffers);
  Counter bad(group);
  const unsigned rounds = 2000 / slowness() + 1; // odd: parities alternate
  for (int i = 0; i < 3; ++i) {
    CHECK_EQUAL(
        group.launch(barriers<gin::Thread>, 1, 1, 0, W{0}, rounds, C{&bad}),
        GIN_SUCCESS);
    CHECK_EQUAL(
        group.launch(barriers<gin::Warp>, 1, 32, 0, W{0}, rounds, C{&bad}),
        GIN_SUCCESS);
    CHECK_EQUAL(
        group.launch(barriers<gin::Block>, 1, 256, 0, W{0}, rounds, C{&bad}),
        GIN_SUCCESS);
  }
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
}
