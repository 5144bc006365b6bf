//===- LaneTest.cu - launches of several kernels and copies ---------------===//
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

/// An order between others than lane 0, and one after nothing.
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
      CHECK_EQUAL(group.order(rank, 1, 1), GIN_SUCCESS);
      unsigned before = 0;
      for (unsigned lane : path) {
        CHECK_EQUAL(group.order(rank, before, lane), GIN_SUCCESS);
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

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static GIN_DEVICE unsigned char byteOf(uint64_t launch, int rank, unsigned i) {
  return static_cast<unsigned char>(7 * launch + 31 * unsigned(rank) + i +
                                    i / 256);
}

/// Waits for the other ranks, which may still read, fills the source, and lets
/// them read it.
static __global__ void fill(const __grid_constant__ gin::Program program,
                            const __grid_constant__ gin::Window source) {
  gin::Context context = gin::begin(program);
  gin::barrier(context, gin::Block(), gin::world(context));
  for (unsigned i = threadIdx.x; i < source.bytes; i += blockDim.x)
    source.base[i] =
        static_cast<char>(byteOf(gin::launchNumber(context), context.rank, i));
  gin::barrier(context, gin::Block(), gin::world(context));
  gin::end(context);
}

/// Signals the next rank, and sees what was copied by the previous one and by
/// itself.
static __global__ void arrived(const __grid_constant__ gin::Program program,
                               const __grid_constant__ gin::Window target,
                               const __grid_constant__ gin::Bank bank,
                               unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  gin::signal(context, gin::Block(), nextOf(context), {&bank, 0});
  gin::wait(context, gin::Block(), bank, 0, 1);
  const unsigned char *at = reinterpret_cast<unsigned char *>(target.base);
  auto same = [&](unsigned i, int rank, unsigned from) {
    expect(at[i] == byteOf(gin::launchNumber(context), rank, from), bad);
  };
  for (unsigned i = threadIdx.x; i < 1000; i += blockDim.x) {
    same(5 + i, previousOf(context), 3 + i);
    same(8192 + i, context.rank, i);
    // Rows of 24 bytes.
    const unsigned row = i / 100, column = i % 100;
    if (column < 24) {
      same(2048 + 100 * row + column, previousOf(context),
           7 + 64 * row + column);
      same(4096 + 32 * row + column, nextOf(context), 7 + 64 * row + column);
      same(6144 + 24 * row + column, previousOf(context), 24 * row + column);
    }
  }
  gin::end(context);
}

static __global__ void nothing(const __grid_constant__ gin::Program program) {
  gin::Context context = gin::begin(program);
  gin::end(context);
}

namespace {
/// Copies between the source and the target of a group's ranks.
struct Copies {
  explicit Copies(int ranks)
      : group(ranks), source(group, 1024), target(group, 10240) {
    group.add(source);
    group.add(target);
    target.set(0);
  }
  /// From `localOffset` of the own source to `offset` of `peer`'s target.
  ginCopy_t put(int rank, int peer, uint64_t offset, uint64_t localOffset,
                uint64_t bytes) const {
    ginCopy_t copy = {};
    copy.window = group.handle(rank, W{1});
    copy.offset = offset;
    copy.peer = peer;
    copy.local = group.handle(rank, W{0});
    copy.localOffset = localOffset;
    copy.bytes = bytes;
    return copy;
  }
  static ginCopy_t inRows(ginCopy_t copy, uint64_t rows, uint64_t pitch,
                          uint64_t localPitch) {
    copy.rows = rows;
    copy.pitch = pitch;
    copy.localPitch = localPitch;
    return copy;
  }
  ginResult_t launch(int rank, const ginCopy_t &copy, unsigned lane = 1) const {
    const size_t i = static_cast<size_t>(rank);
    return ginLaunchCopy(group.programs[i], &copy, group.streams[i], lane);
  }

  Group group;
  Buffers source, target;
};
} // namespace

GIN_TEST(CopiesInLanes) {
  Copies copies(ranks);
  Group &group = copies.group;
  Counter bad(group);
  for (int launch = 0; launch < 20; ++launch)
    for (int rank = 0; rank < ranks; ++rank) {
      const int next = (rank + 1) % ranks;
      CHECK_EQUAL(group.launchPart(rank, 0, true, fill, 1, 128, 0, W{0}),
                  GIN_SUCCESS);
      CHECK_EQUAL(group.order(rank, 0, 1), GIN_SUCCESS);
      ginCopy_t get = copies.put(rank, next, 7, 4096, 24);
      std::swap(get.window, get.local);
      get.get = 1;
      for (const ginCopy_t &copy :
           {copies.put(rank, next, 5, 3, 1000),
            Copies::inRows(copies.put(rank, next, 2048, 7, 24), 10, 100, 64),
            Copies::inRows(copies.put(rank, next, 6144, 0, 24), 10, 24, 24),
            Copies::inRows(get, 10, 64, 32),
            copies.put(rank, rank, 8192, 0, 1000),
            // Nothing, at the ends of the windows.
            Copies::inRows(copies.put(rank, next, 10240, 1024, 0), 10, 1, 1)})
        CHECK_EQUAL(copies.launch(rank, copy), GIN_SUCCESS);
      CHECK_EQUAL(group.launchPart(rank, 1, true, arrived, 1, 128, 0, W{1},
                                   B{0}, C{&bad}),
                  GIN_SUCCESS);
      CHECK_EQUAL(group.order(rank, 1, 0), GIN_SUCCESS);
      CHECK_EQUAL(group.launchPart(rank, 0, false, nothing, 1, 32, 0),
                  GIN_SUCCESS);
    }
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
  // Nothing else was written.
  for (int rank = 0; rank < ranks; ++rank) {
    const auto all = copies.target.read(rank, 0, 10240);
    auto isCopied = [](unsigned i) {
      return (i >= 5 && i < 1005) ||
             (i >= 2048 && i < 3048 && (i - 2048) % 100 < 24) ||
             (i >= 4096 && i < 4416 && (i - 4096) % 32 < 24) ||
             (i >= 6144 && i < 6384) || (i >= 8192 && i < 9192);
    };
    unsigned wrong = 0;
    for (unsigned i = 0; i < all.size(); ++i)
      wrong += !isCopied(i) && all[i] != 0;
    CHECK_EQUAL(wrong, 0u);
  }
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

GIN_TEST_OF_TWO(BadCopies) {
  Copies copies(2);
  Copies others(2);
  Buffers memory(copies.group, 4096);
  copies.group.add(memory, GIN_RIGHT_READ);
  copies.group.add(memory, GIN_RIGHT_WRITE);
  const ginCopy_t good = copies.put(0, 1, 0, 0, 16);
  auto fails = [&](const ginCopy_t &copy, ginResult_t result,
                   const char *words) {
    CHECK_EQUAL(copies.launch(0, copy), result);
    CHECK(says(std::string("test: ") + words));
  };
  auto with = [&](auto change) {
    ginCopy_t copy = good;
    change(copy);
    return copy;
  };
  fails(with([](ginCopy_t &copy) { copy.window = nullptr; }),
        GIN_ERR_INVALID_ARGUMENT, "a copy's window is null");
  fails(with([](ginCopy_t &copy) { copy.local = nullptr; }),
        GIN_ERR_INVALID_ARGUMENT, "a copy's window is null");
  fails(with([&](ginCopy_t &copy) {
          copy.window = others.group.handle(0, W{1});
        }),
        GIN_ERR_INVALID_ARGUMENT, "window 1 is that of another communicator");
  fails(
      with([&](ginCopy_t &copy) { copy.local = copies.group.handle(1, W{0}); }),
      GIN_ERR_INVALID_ARGUMENT,
      "window 0 is that of rank 1, and the program that of rank 0");
  for (int peer : {-1, 2})
    fails(with([&](ginCopy_t &copy) { copy.peer = peer; }),
          GIN_ERR_INVALID_ARGUMENT,
          peer < 0 ? "a copy has the peer -1, and there are 2 ranks"
                   : "a copy has the peer 2, and there are 2 ranks");
  fails(with([&](ginCopy_t &copy) {
          copy.window = copies.group.handle(0, W{2});
        }),
        GIN_ERR_ACCESS,
        "window 2 is registered without GIN_RIGHT_WRITE, which a put needs");
  fails(with([&](ginCopy_t &copy) {
          copy.window = copies.group.handle(0, W{3});
          copy.get = 1;
        }),
        GIN_ERR_ACCESS,
        "window 3 is registered without GIN_RIGHT_READ, which a get needs");
  fails(with([](ginCopy_t &copy) { copy.offset = 10225; }), GIN_ERR_WINDOW_FULL,
        "window 1 has 10240 bytes on rank 1, the copy ends at 10241");
  fails(with([](ginCopy_t &copy) { copy.localOffset = 1009; }),
        GIN_ERR_WINDOW_FULL,
        "window 0 has 1024 bytes on rank 0, the copy ends at 1025");
  fails(with([](ginCopy_t &copy) { copy.offset = 10241, copy.bytes = 0; }),
        GIN_ERR_WINDOW_FULL,
        "window 1 has 10240 bytes on rank 1, the copy ends at 10241");
  fails(Copies::inRows(good, 65, 16, 16), GIN_ERR_WINDOW_FULL,
        "window 0 has 1024 bytes on rank 0, the copy ends at 1040");
  const uint64_t much = ~uint64_t(0);
  for (const ginCopy_t &copy :
       {with([&](ginCopy_t &copy) { copy.offset = much; }),
        Copies::inRows(good, much, 16, 16), Copies::inRows(good, 2, much, 16),
        Copies::inRows(good, uint64_t(1) << 62, 16, 16)})
    fails(copy, GIN_ERR_WINDOW_FULL,
          "window 1 has 10240 bytes on rank 1, the copy ends beyond 2^64");
  fails(Copies::inRows(good, 2, 15, 16), GIN_ERR_INVALID_ARGUMENT,
        "rows of 16 bytes, of which the next begins 15 bytes later");
  fails(Copies::inRows(good, 2, 16, 0), GIN_ERR_INVALID_ARGUMENT,
        "rows of 16 bytes, of which the next begins 0 bytes later");
  auto onto = [&](uint64_t offset) {
    return with([&](ginCopy_t &copy) {
      copy.peer = 0;
      copy.window = copy.local = copies.group.handle(0, W{0});
      copy.offset = offset;
      copy.localOffset = 32;
    });
  };
  for (uint64_t offset : {17, 47})
    fails(onto(offset), GIN_ERR_INVALID_ARGUMENT,
          "a copy of 16 bytes to 15 bytes beside them overlaps itself");
  for (uint64_t offset : {16, 32, 48})
    CHECK_EQUAL(copies.launch(0, onto(offset)), GIN_SUCCESS);
  // Sources have no rights, and no other rank's part.
  ginWindow_t local = nullptr;
  CHECK_EQUAL(
      ginWindowRegisterLocal(copies.group.comms[0], memory.at[0], 4096, &local),
      GIN_SUCCESS);
  fails(with([&](ginCopy_t &copy) { copy.window = local; }), GIN_ERR_ACCESS,
        "window 4 is registered without GIN_RIGHT_WRITE");
  CHECK_EQUAL(
      copies.launch(0, with([&](ginCopy_t &copy) { copy.local = local; })),
      GIN_SUCCESS);
  ginWindow_t half = nullptr;
  CHECK_EQUAL(ginWindowRegister(copies.group.comms[0], memory.at[0], 4096,
                                GIN_RIGHT_ALL, &half),
              GIN_SUCCESS);
  CHECK_EQUAL(
      copies.launch(0, with([&](ginCopy_t &copy) { copy.window = half; })),
      GIN_ERR_INCOMPLETE);
  CHECK(says("window 5: not yet registered by rank 1"));
  CHECK_EQUAL(ginLaunchCopy(copies.group.programs[0], nullptr, nullptr, 0),
              GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(ginLaunchCopy(nullptr, &good, nullptr, 0),
              GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(copies.group.synchronize(), GIN_SUCCESS);
  ginWindowDestroy(half);
  ginWindowDestroy(local);
}

GIN_TEST_OF_TWO(BadLanes) {
  Copies copies(2);
  Group &group = copies.group;
  auto fails = [&](ginResult_t result) {
    CHECK_EQUAL(result, GIN_ERR_INVALID_ARGUMENT);
    CHECK(says("test: there is no lane 3, but 3; the program's configuration"));
  };
  fails(group.order(0, 0, 3));
  fails(group.order(0, 3, 0));
  fails(copies.launch(0, copies.put(0, 1, 0, 0, 16), 3));
  fails(group.launchPart(0, 3, true, nothing, 1, 32, 0));
  CHECK_EQUAL(ginLaunchOrder(nullptr, nullptr, 0, 0), GIN_ERR_INVALID_ARGUMENT);
  // As many as there are, and what the ranks have to agree on.
  ginProgramConfig_t config = {};
  config.name = "lanes";
  ginProgram_t programs[2] = {};
  config.lanes = GIN_MAX_LANES + 1;
  CHECK_EQUAL(ginProgramCreate(group.comms[0], &config, &programs[0]),
              GIN_ERR_INVALID_ARGUMENT);
  CHECK(says("lanes: 9 lanes, of at most 8"));
  config.lanes = 0;
  CHECK_EQUAL(ginProgramCreate(group.comms[0], &config, &programs[0]),
              GIN_SUCCESS);
  config.lanes = GIN_MAX_LANES;
  CHECK_EQUAL(ginProgramCreate(group.comms[1], &config, &programs[1]),
              GIN_ERR_MISMATCH);
  CHECK(says("8 lanes"));
  CHECK(says("1 lanes"));
  CHECK_EQUAL(ginLaunchOrder(programs[0], nullptr, 0, 0), GIN_ERR_INCOMPLETE);
  config.lanes = 1;
  CHECK_EQUAL(ginProgramCreate(group.comms[1], &config, &programs[1]),
              GIN_SUCCESS);
  for (ginProgram_t program : programs)
    ginProgramDestroy(program);
}

/// A launch that does not end: its lanes are not joined, and no kernel counts
/// it. What goes waits for all lanes.
GIN_TEST(LanesThatAreNotJoined) {
  Copies copies(ranks);
  Group &group = copies.group;
  Counter bad(group);
  copies.source.set(5);
  for (int rank = 0; rank < ranks; ++rank) {
    for (unsigned lane : {1, 2}) {
      CHECK_EQUAL(group.order(rank, 0, lane), GIN_SUCCESS);
      CHECK_EQUAL(group.launchPart(rank, lane, true, step, 1, 32, 0, B{0},
                                   uint64_t(0), uint64_t(2), C{&bad}),
                  GIN_SUCCESS);
    }
    CHECK_EQUAL(copies.launch(rank, copies.put(rank, rank, 0, 0, 1024)),
                GIN_SUCCESS);
  }
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
  for (int rank = 0; rank < ranks; ++rank) {
    CHECK_EQUAL(int(copies.target.read(rank, 1023, 1)[0]), 5);
    CHECK_EQUAL(group.launchPart(rank, 2, true, step, 1, 32, 0, B{0},
                                 uint64_t(0), uint64_t(3), C{&bad}),
                GIN_SUCCESS);
  }
  for (ginProgram_t &program : group.programs) {
    CHECK_EQUAL(ginProgramDestroy(program), GIN_SUCCESS);
    program = nullptr;
  }
  CHECK_EQUAL(bad.total(), 0u);
}

static __global__ void
waitForNobody(const __grid_constant__ gin::Program program,
              const __grid_constant__ gin::Bank bank, unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  expect(!gin::wait(context, gin::Block(), bank, 1, 1), bad);
  gin::end(context);
}

static __global__ void breaks(const __grid_constant__ gin::Program program) {
  gin::Context context = gin::begin(program);
  gin::check(context, gin::Block(), false, gin::Site{"a thing", "", 0});
  gin::end(context);
}

/// What fails in one lane ends the others, and nothing more is launched.
GIN_TEST(ErrorsInLanes) {
  for (const bool aborts : {false, true}) {
    Copies copies(ranks);
    Group &group = copies.group;
    Counter bad(group);
    const ginResult_t error = aborts ? GIN_ERR_ABORTED : GIN_ERR_ASSERTION;
    for (int rank = 0; rank < ranks; ++rank) {
      CHECK_EQUAL(group.order(rank, 0, 1), GIN_SUCCESS);
      CHECK_EQUAL(group.order(rank, 0, 2), GIN_SUCCESS);
      CHECK_EQUAL(group.launchPart(rank, 2, true, waitForNobody, 2, 64, 0, B{0},
                                   C{&bad}),
                  GIN_SUCCESS);
      CHECK_EQUAL(copies.launch(rank, copies.put(rank, rank, 0, 0, 16), 2),
                  GIN_SUCCESS);
      CHECK_EQUAL(group.order(rank, 2, 0), GIN_SUCCESS);
      CHECK_EQUAL(group.launchPart(rank, 0, false, nothing, 1, 32, 0),
                  GIN_SUCCESS);
    }
    if (aborts)
      CHECK_EQUAL(ginCommAbort(group.comms[0]), GIN_SUCCESS);
    else
      CHECK_EQUAL(group.launchPart(0, 1, true, breaks, 1, 32, 0), GIN_SUCCESS);
    CHECK_EQUAL(group.synchronize(), error);
    CHECK_EQUAL(bad.total(), 0u);
    for (int rank = 0; rank < ranks; ++rank) {
      CHECK_EQUAL(group.order(rank, 0, 1), error);
      CHECK_EQUAL(copies.launch(rank, copies.put(rank, rank, 0, 0, 16)), error);
      CHECK_EQUAL(group.launchPart(rank, 1, true, nothing, 1, 32, 0), error);
    }
  }
}
