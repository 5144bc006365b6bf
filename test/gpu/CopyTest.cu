//===- CopyTest.cu - copies as parts of launches --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Copies.h"

#include <utility>

using namespace gintest;

static GIN_DEVICE void expect(bool holds, unsigned long long *bad) {
  if (!holds)
    atomicAdd(bad, 1ull);
}

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

/// A launch of one rank: lane 1 puts and signals, lane 2 gets meanwhile.
static void launchCopies(const Copies &copies, Group &group, Counter &bad,
                         int rank) {
  const int next = (rank + 1) % group.size();
  CHECK_EQUAL(group.launchPart(rank, 0, true, fill, 1, 128, 0, W{0}),
              GIN_SUCCESS);
  for (unsigned lane : {1, 2})
    CHECK_EQUAL(group.order(rank, 0, lane), GIN_SUCCESS);
  ginCopy_t get = copies.put(rank, next, 7, 4096, 24);
  std::swap(get.window, get.local);
  get.get = 1;
  CHECK_EQUAL(copies.launch(rank, Copies::inRows(get, 10, 64, 32), 2),
              GIN_SUCCESS);
  for (const ginCopy_t &copy :
       {copies.put(rank, next, 5, 3, 1000),
        Copies::inRows(copies.put(rank, next, 2048, 7, 24), 10, 100, 64),
        Copies::inRows(copies.put(rank, next, 6144, 0, 24), 10, 24, 24),
        copies.put(rank, rank, 8192, 0, 1000),
        // Nothing, at the ends of the windows.
        Copies::inRows(copies.put(rank, next, 10240, 1024, 0), 10, 1, 1)})
    CHECK_EQUAL(copies.launch(rank, copy, 1), GIN_SUCCESS);
  CHECK_EQUAL(group.order(rank, 2, 1), GIN_SUCCESS);
  CHECK_EQUAL(
      group.launchPart(rank, 1, true, arrived, 1, 128, 0, W{1}, B{0}, C{&bad}),
      GIN_SUCCESS);
  CHECK_EQUAL(group.order(rank, 1, 0), GIN_SUCCESS);
  CHECK_EQUAL(group.launchPart(rank, 0, false, nothing, 1, 32, 0), GIN_SUCCESS);
}

/// 100 launches, of which two in three are replays of a graph where there are
/// graphs.
GIN_TEST(CopiesInLanes) {
  Copies copies(ranks);
  Group &group = copies.group;
  Counter bad(group);
  ginBackend_t backend;
  CHECK_EQUAL(ginCommBackend(group.comms[0], &backend), GIN_SUCCESS);
  std::vector<void *> graphs(group.comms.size());
  group.preload({GIN_KERNEL(fill), GIN_KERNEL(arrived), GIN_KERNEL(nothing)});
  if (backend == GIN_BACKEND_CUDA)
    for (int rank = 0; rank < ranks; ++rank) {
      const size_t i = static_cast<size_t>(rank);
      graphs[i] = recordGraph(group.comms[i], group.streams[i],
                              [&] { launchCopies(copies, group, bad, rank); });
      CHECK(graphs[i] != nullptr);
    }
  for (int launch = 0; launch < 100; ++launch)
    for (int rank = 0; rank < ranks; ++rank) {
      const size_t i = static_cast<size_t>(rank);
      if (launch % 3 != 0 && graphs[i])
        CHECK(replayGraph(group.comms[i], group.streams[i], graphs[i]));
      else
        launchCopies(copies, group, bad, rank);
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
  for (void *graph : graphs)
    if (graph)
      destroyGraph(graph);
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
    CHECK_EQUAL(copies.launch(0, copy, 0), result);
    CHECK(says(std::string("test: ") + words));
  };
  // As a launch of its own, since a part that fails breaks off an open one.
  auto succeeds = [&](const ginCopy_t &copy) {
    CHECK_EQUAL(copies.launch(0, copy, 0), GIN_SUCCESS);
    CHECK_EQUAL(copies.group.launchRank(0, nothing, 1, 32, 0), GIN_SUCCESS);
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
        "a copy has rows of 16 bytes, of which the next begins 15 bytes later");
  fails(Copies::inRows(good, 2, 16, 0), GIN_ERR_INVALID_ARGUMENT,
        "a copy has rows of 16 bytes, of which the next begins 0 bytes later");
  auto onto = [&](uint64_t offset) {
    return with([&](ginCopy_t &copy) {
      copy.peer = 0;
      copy.window = copy.local = copies.group.handle(0, W{0});
      copy.offset = offset;
      copy.localOffset = 32;
    });
  };
  const char *overlap = "a copy's source and target overlap, on rank 0";
  for (uint64_t offset : {17, 47})
    fails(onto(offset), GIN_ERR_INVALID_ARGUMENT, overlap);
  for (uint64_t offset : {16, 32, 48})
    succeeds(onto(offset));
  // Rows between each other, from 32, 72, 112 on.
  for (uint64_t offset : {17, 39, 57, 79, 112, 127})
    fails(Copies::inRows(onto(offset), 3, 40, 40), GIN_ERR_INVALID_ARGUMENT,
          overlap);
  for (uint64_t offset : {8, 16, 32, 48, 56, 128})
    succeeds(Copies::inRows(onto(offset), 3, 40, 40));
  fails(Copies::inRows(onto(0), 3, 24, 40), GIN_ERR_INVALID_ARGUMENT, overlap);
  fails(Copies::inRows(onto(17), 3, 90, 40), GIN_ERR_INVALID_ARGUMENT, overlap);
  succeeds(Copies::inRows(onto(48), 2, 40, 200));
  fails(Copies::inRows(onto(32), 2, 40, 200), GIN_ERR_INVALID_ARGUMENT,
        overlap);
  // Sources have no rights, and no other rank's part.
  ginWindow_t local = nullptr;
  CHECK_EQUAL(
      ginWindowRegisterLocal(copies.group.comms[0], memory.at[0], 4096, &local),
      GIN_SUCCESS);
  fails(with([&](ginCopy_t &copy) { copy.window = local; }), GIN_ERR_ACCESS,
        "window 4 is registered without GIN_RIGHT_WRITE");
  succeeds(with([&](ginCopy_t &copy) { copy.local = local; }));
  ginWindow_t half = nullptr;
  CHECK_EQUAL(ginWindowRegister(copies.group.comms[0], memory.at[0], 4096,
                                GIN_RIGHT_ALL, &half),
              GIN_SUCCESS);
  CHECK_EQUAL(
      copies.launch(0, with([&](ginCopy_t &copy) { copy.window = half; }), 0),
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
