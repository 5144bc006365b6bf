//===- ErrorTest.cu - time-outs, bounds, aborts, bad arguments ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

#include <chrono>
#include <cstring>
#include <thread>

using namespace gintest;

static const int waitLine = __LINE__ + 7;
static __global__ void
waitForNobody(const __grid_constant__ gin::Program program,
              const __grid_constant__ gin::Bank bank,
              unsigned long long *ended) {
  gin::Context context = gin::begin(program);
  if (gin::world(context).size > 1)
    gin::wait(context, gin::Block(), bank, blockIdx.x, 2);
  // Nothing of this happens any more.
  gin::signal(context, gin::Block(), 1 - context.rank, {&bank, 63});
  gin::end(context);
  if (threadIdx.x == 0)
    atomicAdd_system(ended, 1ull);
}

GIN_TEST(TimeOutNamesItsSite) {
  Pair pair({64}, 20'000'000);
  Counter ended;
  CHECK_EQUAL(pair.launch(waitForNobody, 4, 128, 0, B{0}, C{&ended}),
              GIN_SUCCESS);
  CHECK_EQUAL(pair.synchronize(), cudaSuccess);
  CHECK_EQUAL(ended.total(), 8u);
  ginError_t error;
  CHECK_EQUAL(ginCommGetAsyncError(pair.comms[0], &error), GIN_ERR_TIMEOUT);
  note(error.message);
  CHECK_EQUAL(std::string(error.operation), "wait");
  CHECK_EQUAL(error.line, waitLine);
  CHECK(std::strstr(error.file, "ErrorTest.cu") != nullptr);
  CHECK_EQUAL(error.want, 2u);
  CHECK_EQUAL(error.have, 0u);
  CHECK_EQUAL(error.slot, uint64_t(error.block));
  // The first error is the answer of every later launch.
  CHECK_EQUAL(pair.launch(waitForNobody, 4, 128, 0, B{0}, C{&ended}),
              GIN_ERR_TIMEOUT);
  uint64_t left = 1;
  CHECK_EQUAL(ginProgramReadSlot(pair.programs[0], 0, 63, &left), GIN_SUCCESS);
  CHECK_EQUAL(left, 0u);
}

/// Rank 1 does nothing: rank 0 times out, and that ends rank 1's endless wait.
static __global__ void oneSided(const __grid_constant__ gin::Program program,
                                const __grid_constant__ gin::Bank bank) {
  gin::Context context = gin::begin(program);
  gin::wait(context, gin::Thread(), bank, 0, 1,
            context.rank == 0 ? 10'000'000 : 0, GIN_SITE("tile 7"));
  gin::end(context);
}

GIN_TEST(FailureOfOneEndsTheOther) {
  Pair pair({1}, 0);
  CHECK_EQUAL(pair.launch(oneSided, 1, 32, 0, B{0}), GIN_SUCCESS);
  CHECK_EQUAL(pair.synchronize(), cudaSuccess);
  ginError_t error;
  CHECK_EQUAL(ginCommGetAsyncError(pair.comms[1], &error), GIN_ERR_TIMEOUT);
  CHECK_EQUAL(error.rank, 0);
  CHECK_EQUAL(std::string(error.operation), "tile 7");
}

GIN_TEST(Abort) {
  Pair pair({64}, 0);
  Counter ended;
  CHECK_EQUAL(pair.launch(waitForNobody, 16, 256, 0, B{0}, C{&ended}),
              GIN_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK_EQUAL(cudaStreamQuery(pair.streams[0]), cudaErrorNotReady);
  CHECK_EQUAL(ginCommGetAsyncError(pair.comms[0], nullptr), GIN_SUCCESS);
  const auto begun = std::chrono::steady_clock::now();
  CHECK_EQUAL(ginCommAbort(pair.comms[1]), GIN_SUCCESS);
  CHECK_EQUAL(pair.synchronize(), cudaSuccess);
  const double ms = std::chrono::duration<double, std::milli>(
                        std::chrono::steady_clock::now() - begun)
                        .count();
  note("all blocks left " + std::to_string(ms) + " ms after ginCommAbort");
  CHECK(ms < 100);
  CHECK_EQUAL(ended.total(), 32u);
  ginError_t error;
  CHECK_EQUAL(ginCommGetAsyncError(pair.comms[0], &error), GIN_ERR_ABORTED);
  CHECK_EQUAL(error.line, waitLine);
  CHECK_EQUAL(pair.launch(waitForNobody, 4, 128, 0, B{0}, C{&ended}),
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
  Pair pair({64}, 0);
  CHECK_EQUAL(pair.launch(testForEver, 4, 64, 0, B{0}), GIN_SUCCESS);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK_EQUAL(cudaStreamQuery(pair.streams[0]), cudaErrorNotReady);
  CHECK_EQUAL(ginCommAbort(pair.comms[0]), GIN_SUCCESS);
  CHECK_EQUAL(pair.synchronize(), cudaSuccess);
  ginError_t error;
  CHECK_EQUAL(ginCommGetAsyncError(pair.comms[0], &error), GIN_ERR_ABORTED);
  CHECK_EQUAL(std::string(error.operation), "test");
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

GIN_TEST(ErrorsOfOperations) {
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
  Buffers buffers(8192);
  for (const auto &one : cases) {
    Pair pair;
    buffers.set(0);
    pair.add(buffers.at[0], 8192, buffers.at[1], 4096);
    pair.add(buffers, 0);
    CHECK_EQUAL(pair.launch(faulty, 1, 64, 0, W{0}, W{1}, B{0}, one.fault),
                GIN_SUCCESS);
    CHECK_EQUAL(pair.synchronize(), cudaSuccess);
    ginError_t error;
    CHECK_EQUAL(ginCommGetAsyncError(pair.comms[0], &error), one.result);
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

GIN_TEST(OverlappingLaunches) {
  Pair pair({64}, 1'000'000'000);
  Counter ended;
  cudaStream_t other;
  cudaSetDevice(0);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  CHECK_EQUAL(pair.launchRank(0, nothing, 1, 32, 0), GIN_SUCCESS);
  CHECK_EQUAL(pair.synchronize(), cudaSuccess);
  CHECK_EQUAL(
      gin::launch(pair.programs[0], nothing, 1, 32, 0, other, pair.program[0]),
      GIN_SUCCESS);
  cudaStreamSynchronize(other);
  CHECK_EQUAL(pair.launchRank(0, waitForNobody, 1, 32, 0, B{0}, C{&ended}),
              GIN_SUCCESS);
  CHECK_EQUAL(
      gin::launch(pair.programs[0], nothing, 1, 32, 0, other, pair.program[0]),
      GIN_ERR_SIGNAL_PENDING);
  CHECK_EQUAL(ginCommAbort(pair.comms[0]), GIN_SUCCESS);
  CHECK_EQUAL(pair.synchronize(), cudaSuccess);
  cudaStreamDestroy(other);
}

GIN_TEST(Residency) {
  Pair pair;
  CHECK_EQUAL(pair.launchRank(0, nothing, 100000, 1024, 0),
              GIN_ERR_NOT_RESIDENT);
  CHECK_EQUAL(pair.launchRank(0, nothing, 1, 32, size_t(1) << 20),
              GIN_ERR_NOT_RESIDENT);
  CHECK_EQUAL(pair.launchRank(0, nothing, 1, 2048, 0),
              GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(pair.launchRank(0, nothing, 132, 1024, 0), GIN_SUCCESS);
  CHECK_EQUAL(pair.synchronize(), cudaSuccess);
}

GIN_TEST(BadArguments) {
  ginComm_t comms[3];
  const int twice[] = {0, 0}, absent[] = {0, 1000};
  CHECK_EQUAL(ginCommCreateAll(twice, 2, comms), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(ginCommCreateAll(absent, 2, comms), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(ginCommCreateAll(nullptr, 0, comms), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(ginCommCreateAll(nullptr, 2, comms), GIN_SUCCESS);
  Buffers buffers(1 << 21);
  ginWindow_t window, other;
  auto add = [&](void *base, size_t bytes) {
    return ginWindowRegister(comms[0], base, bytes, GIN_RIGHT_ALL, &window);
  };
  CHECK_EQUAL(add(nullptr, 16), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(add(buffers.at[0] + 8, 16), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(add(buffers.at[1], 16), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(add(&window, 16), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(add(buffers.at[0] + 1024, buffers.bytes),
              GIN_ERR_INVALID_ARGUMENT);
  CHECK(std::strstr(ginGetLastError(), "1024 bytes after") != nullptr);
  // One rank first: the window cannot be used yet.
  CHECK_EQUAL(add(buffers.at[0], 4096), GIN_SUCCESS);
  gin::Window device;
  CHECK_EQUAL(gin::getDevice(window, device), GIN_ERR_INCOMPLETE);
  CHECK_EQUAL(
      ginWindowRegister(comms[1], buffers.at[1], 64, GIN_RIGHT_READ, &other),
      GIN_ERR_MISMATCH);
  const uint32_t slots = 1;
  const ginProgramConfig_t config = {1, &slots, 0, 0};
  ginProgram_t program;
  CHECK_EQUAL(ginProgramCreate(comms[1], &config, &program), GIN_ERR_MISMATCH);
  CHECK_EQUAL(
      ginWindowRegister(comms[1], buffers.at[1], 64, GIN_RIGHT_ALL, &other),
      GIN_SUCCESS);
  CHECK_EQUAL(gin::getDevice(window, device), GIN_SUCCESS);
  CHECK_EQUAL(device.direct[1].bytes, 64u);
  CHECK_EQUAL(ginWindowGetDevice(window, &device, 8), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(ginProgramCreate(comms[0], &config, &program), GIN_SUCCESS);
  gin::Program incomplete;
  CHECK_EQUAL(gin::getDevice(program, incomplete), GIN_ERR_INCOMPLETE);
  // Any order of destruction.
  ginCommDestroy(comms[0]);
  ginProgramDestroy(program);
  ginWindowDestroy(other);
  ginCommDestroy(comms[1]);
  ginWindowDestroy(window);
}

GIN_TEST(NothingIsLeaked) {
  auto used = [] {
    size_t free[2], total;
    for (int device = 0; device < 2; ++device) {
      cudaSetDevice(device);
      cudaMemGetInfo(&free[device], &total);
    }
    return free[0] + free[1];
  };
  {
    Pair warm({1 << 16});
  }
  const size_t before = used();
  for (int i = 0; i < 50; ++i)
    Pair pair({1 << 16});
  CHECK_EQUAL(used(), before);
}
