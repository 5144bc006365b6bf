//===- ErrorTest.cu - time-outs, bounds, aborts, bad arguments ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

#include <chrono>
#include <cstring>
#include <thread>

using namespace gintest;

static const int waitLine = __LINE__ + 4;
static GIN_DEVICE void waitAndEnd(gin::Context &context, const gin::Bank &bank,
                                  unsigned long long *ended) {
  // No one signals it.
  gin::wait(context, gin::Block(), bank, blockIdx.x, 2);
  // Nothing of this happens any more.
  gin::signal(context, gin::Block(), nextOf(context), {&bank, 63});
  gin::end(context);
  if (threadIdx.x == 0)
    atomicAdd(ended, 1ull);
}
static __global__ void
waitForNobody(const __grid_constant__ gin::Program program,
              const __grid_constant__ gin::Bank bank,
              unsigned long long *ended) {
  gin::Context context = gin::begin(program);
  waitAndEnd(context, bank, ended);
}
static __global__ void timeOut(const __grid_constant__ gin::Program program,
                               const __grid_constant__ gin::Bank bank,
                               unsigned long long *ended) {
  gin::Context context = gin::begin(program);
  awaitLastLaunch(context, bank, 32);
  waitAndEnd(context, bank, ended);
}

GIN_TEST(TimeOutNamesItsSite) {
  Group group(ranks, {64}, 30'000'000);
  Counter ended(group);
  CHECK_EQUAL(group.launch(timeOut, 4, 128, 0, B{0}, C{&ended}), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_ERR_TIMEOUT);
  CHECK_EQUAL(ended.total(), 4u * unsigned(ranks));
  ginError_t error;
  CHECK_EQUAL(ginCommGetAsyncError(group.comms[0], &error), GIN_ERR_TIMEOUT);
  note(error.message);
  CHECK_EQUAL(std::string(error.operation), "wait");
  CHECK_EQUAL(error.line, waitLine);
  CHECK(std::strstr(error.file, "ErrorTest.cu") != nullptr);
  CHECK_EQUAL(error.want, 2u);
  CHECK_EQUAL(error.have, 0u);
  CHECK_EQUAL(error.slot, uint64_t(error.block));
  // The first error is the answer of every later launch.
  CHECK_EQUAL(group.launch(timeOut, 4, 128, 0, B{0}, C{&ended}),
              GIN_ERR_TIMEOUT);
  uint64_t left = 1;
  CHECK_EQUAL(ginProgramReadSlot(group.programs[0], 0, 63, &left), GIN_SUCCESS);
  CHECK_EQUAL(left, 0u);
}

/// Rank 0 times out, and that ends the endless waits of the others.
static __global__ void oneSided(const __grid_constant__ gin::Program program,
                                const __grid_constant__ gin::Bank bank) {
  gin::Context context = gin::begin(program);
  gin::wait(context, gin::Thread(), bank, 0, 1,
            context.rank == 0 ? 10'000'000 : 0, GIN_SITE("tile 7"));
  gin::end(context);
}

GIN_TEST(FailureOfOneEndsTheOther) {
  Group group(ranks, {1}, 0);
  CHECK_EQUAL(group.launch(oneSided, 1, 32, 0, B{0}), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_ERR_TIMEOUT);
  for (ginComm_t comm : group.comms) {
    ginError_t error;
    CHECK_EQUAL(ginCommGetAsyncError(comm, &error), GIN_ERR_TIMEOUT);
    CHECK_EQUAL(error.rank, 0);
    CHECK_EQUAL(std::string(error.operation), "tile 7");
  }
}

GIN_TEST(Abort) {
  Group group(ranks, {64}, 0);
  Counter ended(group);
  CHECK_EQUAL(group.launch(waitForNobody, 16, 256, 0, B{0}, C{&ended}),
              GIN_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK_EQUAL(ginCommGetAsyncError(group.comms[0], nullptr), GIN_SUCCESS);
  const auto begun = std::chrono::steady_clock::now();
  CHECK_EQUAL(ginCommAbort(group.comms.back()), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_ERR_ABORTED);
  const double ms = std::chrono::duration<double, std::milli>(
                        std::chrono::steady_clock::now() - begun)
                        .count();
  note("all blocks left " + std::to_string(ms) + " ms after ginCommAbort");
  CHECK(ms < 100 * slowness());
  CHECK_EQUAL(ended.total(), 16u * unsigned(ranks));
  ginError_t error;
  CHECK_EQUAL(ginCommGetAsyncError(group.comms[0], &error), GIN_ERR_ABORTED);
  CHECK_EQUAL(error.line, waitLine);
  CHECK_EQUAL(group.launch(waitForNobody, 4, 128, 0, B{0}, C{&ended}),
              GIN_ERR_ABORTED);
}

static __global__ void testForEver(const __grid_constant__ gin::Program program,
                                   const __grid_constant__ gin::Bank bank) {
  gin::Context context = gin::begin(program);
  while (!gin::test(context, gin::Block(), bank, 3, 1) && !context.failed)
    ;
  gin::end(context);
}

GIN_TEST(AbortEndsLoopsOfTests) {
  Group group(ranks, {64}, 0);
  CHECK_EQUAL(group.launch(testForEver, 4, 64, 0, B{0}), GIN_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK_EQUAL(ginCommAbort(group.comms[0]), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_ERR_ABORTED);
  ginError_t error;
  CHECK_EQUAL(ginCommGetAsyncError(group.comms[0], &error), GIN_ERR_ABORTED);
  CHECK_EQUAL(std::string(error.operation), "test");
}

/// One thread reads for its block.
static __global__ void readForEver(const __grid_constant__ gin::Program program,
                                   const __grid_constant__ gin::Bank bank) {
  gin::Context context = gin::begin(program);
  uint64_t count = 0;
  while (count == 0 && !context.failed) {
    if (threadIdx.x == 0)
      count = gin::read(context, bank, 3);
    count = gin::broadcast(context, gin::Block(), count);
  }
  gin::end(context);
}

GIN_TEST(AbortEndsLoopsOfReads) {
  Group group(ranks, {64}, 0);
  CHECK_EQUAL(group.launch(readForEver, 4, 64, 16, B{0}), GIN_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK_EQUAL(ginCommAbort(group.comms[0]), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_ERR_ABORTED);
  ginError_t error;
  CHECK_EQUAL(ginCommGetAsyncError(group.comms[0], &error), GIN_ERR_ABORTED);
  CHECK_EQUAL(std::string(error.operation), "read");
}

// -- arguments of operations --------------------------------------------------

namespace {
enum class Fault {
  PutEnd,
  PutOffset,
  PutWrap,
  SourceEnd,
  GetEnd,
  ValueEnd,
  Peer,
  Slot,
  WaitSlot,
  BundleSlot,
  Overlap,
  NoWrite,
  NoRead,
  NoAtomic,
  Unaligned,
  TeamIndex
};
} // namespace

static __global__ void faulty(const __grid_constant__ gin::Program program,
                              const __grid_constant__ gin::Window window,
                              const __grid_constant__ gin::Window closed,
                              const __grid_constant__ gin::Bank bank,
                              Fault fault) {
  gin::Context context = gin::begin(program);
  const gin::Block block;
  const int peer = 1 - context.rank;
  if (context.rank == 0)
    switch (fault) {
    case Fault::PutEnd: // rank 1 has 4096 bytes, rank 0 8192
      gin::put(context, block, peer, window, 4000, window, 0, 97);
      break;
    case Fault::PutOffset:
      gin::put(context, block, peer, window, 4097, window, 0, 0);
      break;
    case Fault::PutWrap:
      gin::put(context, block, peer, window, 16, window, 0, ~uint64_t(0) - 8);
      break;
    case Fault::SourceEnd:
      gin::put(context, block, peer, window, 0, window, 8000, 193);
      break;
    case Fault::GetEnd:
      gin::get(context, block, peer, window, 4090, window, 0, 7);
      break;
    case Fault::ValueEnd:
      gin::putValue(context, block, peer, window, 4096, 1u);
      break;
    case Fault::Peer:
      gin::put(context, block, 2, window, 0, window, 0, 16);
      break;
    case Fault::Slot:
      gin::signal(context, block, peer, {&bank, 64});
      break;
    case Fault::BundleSlot:
      gin::put(context, block, peer, window, 0, window, 0, 1024, {&bank, 64});
      break;
    case Fault::WaitSlot:
      gin::wait(context, block, bank, 1000, 1);
      break;
    case Fault::Overlap:
      gin::put(context, block, 0, window, 8, window, 0, 16);
      break;
    case Fault::NoWrite:
      gin::put(context, block, peer, closed, 0, window, 0, 16);
      break;
    case Fault::NoRead:
      gin::get(context, block, peer, closed, 0, window, 0, 16);
      break;
    case Fault::NoAtomic:
      gin::atomicAdd<uint32_t>(context, block, peer, closed, 0, 1);
      break;
    case Fault::Unaligned:
      gin::putValue(context, block, peer, window, 2, 1u);
      break;
    case Fault::TeamIndex:
      gin::barrier(context, block, {0, 1, 2, 2});
      break;
    }
  else
    gin::wait(context, block, bank, 0, 1); // ends by rank 0's error
  gin::end(context);
}

GIN_TEST_OF_TWO(ErrorsOfOperations) {
  const struct {
    Fault fault;
    ginResult_t result;
    uint64_t have, want;
  } cases[] = {
      {Fault::PutEnd, GIN_ERR_WINDOW_FULL, 4096, 4097},
      {Fault::PutOffset, GIN_ERR_WINDOW_FULL, 4096, 4097},
      {Fault::PutWrap, GIN_ERR_WINDOW_FULL, 4096, 7},
      {Fault::SourceEnd, GIN_ERR_WINDOW_FULL, 8192, 8193},
      {Fault::GetEnd, GIN_ERR_WINDOW_FULL, 4096, 4097},
      {Fault::ValueEnd, GIN_ERR_WINDOW_FULL, 4096, 4100},
      {Fault::Peer, GIN_ERR_INVALID_ARGUMENT, 2, 2},
      {Fault::Slot, GIN_ERR_NO_SLOT, 64, 65},
      {Fault::WaitSlot, GIN_ERR_NO_SLOT, 64, 1001},
      {Fault::BundleSlot, GIN_ERR_NO_SLOT, 64, 65},
      {Fault::Overlap, GIN_ERR_INVALID_ARGUMENT, 8, 16},
      {Fault::NoWrite, GIN_ERR_ACCESS, 0, GIN_RIGHT_WRITE},
      {Fault::NoRead, GIN_ERR_ACCESS, 0, GIN_RIGHT_READ},
      {Fault::NoAtomic, GIN_ERR_ACCESS, 0, GIN_RIGHT_ATOMIC},
      {Fault::Unaligned, GIN_ERR_INVALID_ARGUMENT, 2, 4},
      {Fault::TeamIndex, GIN_ERR_INVALID_ARGUMENT, 2, 2},
  };
  for (const auto &one : cases) {
    Group group(ranks);
    Buffers buffers(group, 8192);
    group.add({buffers.at[0], buffers.at[1]}, {8192, 4096});
    group.add(buffers, 0);
    CHECK_EQUAL(group.launch(faulty, 1, 64, 0, W{0}, W{1}, B{0}, one.fault),
                GIN_SUCCESS);
    CHECK_EQUAL(group.synchronize(), one.result);
    ginError_t error;
    CHECK_EQUAL(ginCommGetAsyncError(group.comms[0], &error), one.result);
    CHECK_EQUAL(error.rank, 0);
    CHECK_EQUAL(error.have, one.have);
    CHECK_EQUAL(error.want, one.want);
    if (one.fault == Fault::PutEnd)
      note(error.message);
    CHECK(std::strstr(error.file, "ErrorTest.cu") != nullptr);
  }
}

// -- the host's functions -----------------------------------------------------

static __global__ void nothing(const __grid_constant__ gin::Program program) {
  gin::Context context = gin::begin(program);
  gin::end(context);
}

GIN_TEST(Residency) {
  Group group(ranks);
  unsigned most = 0;
  CHECK_EQUAL(ginProgramMaxBlocks(group.programs[0], GIN_KERNEL(nothing), 1024,
                                  0, &most),
              GIN_SUCCESS);
  CHECK(most > 0);
  CHECK_EQUAL(ginProgramMaxBlocks(group.programs[0], GIN_KERNEL(nothing), 1024,
                                  size_t(1) << 20, &most),
              GIN_ERR_NOT_RESIDENT);
  CHECK_EQUAL(group.launchRank(0, nothing, most + 1, 1024, 0),
              GIN_ERR_NOT_RESIDENT);
  CHECK_EQUAL(group.launchRank(0, nothing, 1, 32, size_t(1) << 20),
              GIN_ERR_NOT_RESIDENT);
  CHECK_EQUAL(group.launchRank(0, nothing, 1, 2048, 0),
              GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(group.launchRank(0, nothing, 0, 32, 0), GIN_ERR_INVALID_ARGUMENT);
  // 2^64 + 4 blocks.
  void *arguments[] = {&group.program[0]};
  const ginLaunchConfig_t huge =
      shape({2, 2147549185, 4294836226}, {32, 1, 1}, 0, group.streams[0]);
  CHECK_EQUAL(
      ginLaunch(group.programs[0], GIN_KERNEL(nothing), &huge, arguments),
      GIN_ERR_NOT_RESIDENT);
  const ginLaunchConfig_t one =
      shape({1, 1, 1}, {32, 1, 1}, 0, group.streams[0]);
  CHECK_EQUAL(ginLaunch(group.programs[0], GIN_KERNEL(nothing), &one, nullptr),
              GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(group.launchRank(0, nothing, most, 1024, 0), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
}

GIN_TEST_OF_TWO(BadArguments) {
  ginComm_t comms[2];
  CHECK_EQUAL(createComms(0, comms), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(createComms(2, nullptr), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(createComms(2, comms), GIN_SUCCESS);
  constexpr size_t bytes = 1 << 21;
  char *memory[2];
  for (int rank = 0; rank < 2; ++rank)
    CHECK_EQUAL(ginMemoryAlloc(comms[rank], bytes,
                               reinterpret_cast<void **>(&memory[rank])),
                GIN_SUCCESS);
  ginWindow_t window, other;
  auto add = [&](void *base, size_t size) {
    return ginWindowRegister(comms[0], base, size, GIN_RIGHT_ALL, &window);
  };
  CHECK_EQUAL(add(nullptr, 16), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(add(memory[0] + 8, 16), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(add(memory[1], 16), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(add(memory[0], ~size_t(0)), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(add(memory[0] + 1024, bytes), GIN_ERR_INVALID_ARGUMENT);
  CHECK(std::strstr(ginGetLastError(), "1024 bytes after") != nullptr);
  // One rank first: the window cannot be used yet.
  CHECK_EQUAL(add(memory[0], 4096), GIN_SUCCESS);
  gin::Window device;
  CHECK_EQUAL(gin::getDevice(window, device), GIN_ERR_INCOMPLETE);
  CHECK_EQUAL(
      ginWindowRegister(comms[1], memory[1], 64, GIN_RIGHT_READ, &other),
      GIN_ERR_MISMATCH);
  const uint32_t slots = 1;
  ginProgramConfig_t config = {};
  config.banks = 1;
  config.slots = &slots;
  ginProgram_t program;
  CHECK_EQUAL(ginProgramCreate(comms[1], &config, &program), GIN_ERR_MISMATCH);
  CHECK_EQUAL(ginWindowRegister(comms[1], memory[1], 64, GIN_RIGHT_ALL, &other),
              GIN_SUCCESS);
  CHECK_EQUAL(gin::getDevice(window, device), GIN_SUCCESS);
  CHECK_EQUAL(device.direct[1].bytes, 64u);
  CHECK_EQUAL(ginWindowGetDevice(window, &device, 8), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(ginProgramCreate(comms[0], &config, &program), GIN_SUCCESS);
  gin::Program incomplete;
  CHECK_EQUAL(gin::getDevice(program, incomplete), GIN_ERR_INCOMPLETE);
  for (int rank = 0; rank < 2; ++rank)
    CHECK_EQUAL(ginMemoryFree(comms[rank], memory[rank]), GIN_SUCCESS);
  // Any order of destruction.
  ginCommDestroy(comms[0]);
  ginProgramDestroy(program);
  ginWindowDestroy(other);
  ginCommDestroy(comms[1]);
  ginWindowDestroy(window);
}
