//===- RunTest.cu - bodies that leave, and calls that name their site -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/device/Compiled.h"
#include "test/gpu/Harness.h"

#include <cstring>

using namespace gintest;

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

/// Counts each thread's calls at its place, and leaves before the end.
static __global__ void leaves(const __grid_constant__ gin::Program program,
                              const __grid_constant__ gin::Window window,
                              const __grid_constant__ gin::Bank bank,
                              uint64_t launch, unsigned long long *bad) {
  gin::run(program, [&](gin::Context &context) {
    auto expect = [&](bool holds) {
      if (!holds)
        atomicAdd(bad, 1ull);
    };
    ++gin::elements<int32_t>(window)[gin::threadInGrid(context)];
    expect(gin::threadsOfGrid(context) == 3 * 64);
    expect(gin::launchNumber(context) == launch);
    GIN_MUST(gin::waitFor(context, gin::Block(), bank, gin::blockInGrid(), 1,
                          1000)); // which nobody signals
    expect(false);
  });
}

GIN_TEST(BodiesLeave) {
  Group group(ranks);
  Buffers places(group, 3 * 64 * sizeof(int32_t));
  group.add(places);
  places.set(0);
  Counter bad(group);
  // Only a launch whose blocks have all ended is counted.
  for (uint64_t launch = 0; launch < 3; ++launch) {
    CHECK_EQUAL(group.launch(leaves, 3, 64, 0, W{0}, B{0}, launch, C{&bad}),
                GIN_SUCCESS);
    CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  }
  CHECK_EQUAL(bad.total(), 0u);
  for (int rank = 0; rank < ranks; ++rank) {
    int32_t counts[3 * 64];
    std::memcpy(counts, places.read(rank, 0, sizeof counts).data(),
                sizeof counts);
    for (int32_t count : counts)
      CHECK_EQUAL(count, 3);
  }
}

//===----------------------------------------------------------------------===//
// Sites without defaults
//===----------------------------------------------------------------------===//

namespace {
enum class Call {
  Put,
  PutValue,
  Add,
  PutBlock,
  AddBlock,
  Signal,
  Wait,
  Barrier
};
} // namespace

/// One call that names its site; a wrong one if `isWrong`.
static __global__ void calls(const __grid_constant__ gin::Program program,
                             const __grid_constant__ gin::Window window,
                             const __grid_constant__ gin::Bank bank, Call call,
                             bool isWrong) {
  gin::run(program, [&](gin::Context &context) {
    const gin::Site site{"the call", "a.mlir", 7};
    const gin::Block block;
    const int peer = nextOf(context);
    const uint64_t at = isWrong ? window.bytes : 8;
    const uint32_t slot = isWrong ? bank.slots : 1;
    const int64_t offset = isWrong ? int64_t(window.bytes) : 2;
    if (call == Call::Put)
      gin::put(context, block, peer, window, at, window, 0, 4, site);
    else if (call == Call::PutValue)
      gin::putValue<int32_t>(context, block, peer, window, at, 5, site);
    else if (call == Call::Add)
      gin::putAccumulate<int32_t>(context, block, peer, window, at, window, 0,
                                  1, site);
    else if (call == Call::PutBlock)
      gin::putBlock<int32_t>(context, block, peer, window, offset, {2, 1},
                             window, 0, {1, 1}, {1, 1}, site);
    else if (call == Call::AddBlock)
      gin::putAccumulateBlock<int32_t>(context, block, peer, window, offset,
                                       {2, 1}, window, 0, {1, 1}, {1, 1}, site);
    else if (call == Call::Barrier)
      gin::barrier(context, block,
                   isWrong ? gin::Team{0, 1, context.ranks, 99}
                           : gin::world(context),
                   site);
    else
      gin::signal(context, block, peer,
                  {&bank, call == Call::Signal ? slot : 1}, site);
    if (call == Call::Wait)
      gin::wait(context, block, bank, slot, 1, site);
  });
}

GIN_TEST(CallsNameTheirSites) {
  for (Call call : {Call::Put, Call::PutValue, Call::Add, Call::PutBlock,
                    Call::AddBlock, Call::Signal, Call::Wait, Call::Barrier})
    for (bool isWrong : {false, true}) {
      Group group(ranks);
      Buffers words(group, 64);
      group.add(words);
      words.set(0);
      const int32_t five = 5;
      for (int rank = 0; rank < ranks; ++rank)
        words.write(rank, 0, &five, sizeof five);
      // Not launched where another rank's error is known already.
      const ginResult_t launched =
          group.launch(calls, 1, 64, 0, W{0}, B{0}, call, isWrong);
      const ginResult_t result = group.synchronize();
      ginError_t error;
      if (isWrong) {
        CHECK(result != GIN_SUCCESS);
        CHECK_EQUAL(ginCommGetAsyncError(group.comms[0], &error), result);
        CHECK_EQUAL(std::string(error.operation), "the call");
        CHECK_EQUAL(std::string(error.file), "a.mlir");
        CHECK_EQUAL(error.line, 7);
        continue;
      }
      CHECK_EQUAL(launched, GIN_SUCCESS);
      CHECK_EQUAL(result, GIN_SUCCESS);
      const bool writes = call < Call::Signal;
      for (int rank = 0; rank < ranks; ++rank) {
        CHECK_EQUAL(int(words.read(rank, 8, 1)[0]), writes ? 5 : 0);
        uint64_t count = 0;
        CHECK_EQUAL(
            ginProgramReadSlot(group.programs[size_t(rank)], 0, 1, &count),
            GIN_SUCCESS);
        // What was waited for is below the base.
        CHECK_EQUAL(count, call == Call::Signal ? 1u : 0u);
      }
      CHECK_EQUAL(group.destroyProgram().back(), call == Call::Signal
                                                     ? GIN_ERR_UNCONSUMED_SIGNAL
                                                     : GIN_SUCCESS);
    }
}
