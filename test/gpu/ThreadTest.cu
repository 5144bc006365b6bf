//===- ThreadTest.cu - blocks, warps, shared memory, small floats ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What kernels take from CUDA, and host threads imitate.
//
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

#include <cmath>
#include <cstring>

using namespace gintest;

static GIN_DEVICE void expect(bool holds, unsigned long long *bad) {
  if (!holds)
    atomicAdd(bad, 1ull);
}

/// Votes and shuffles of warps, the last of which is not full.
static __global__ void warps(const __grid_constant__ gin::Program program,
                             unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  const unsigned lane = gin::threadInBlock() & 31;
  const bool full = gin::threadInBlock() / 32 < gin::threadsOfBlock() / 32;
  const unsigned live = full ? 0xffffffffu : 0xffu;
  expect(__any_sync(live, lane == 3) != 0, bad);
  expect(__any_sync(live, lane == 40) == 0, bad);
  expect(__all_sync(live, lane < 32) != 0, bad);
  expect(__all_sync(live, lane != 3) == 0, bad);
  expect(__ballot_sync(live, lane & 1) == (0xaaaaaaaau & live), bad);
  expect(__shfl_sync(live, lane * 3, 5) == 15, bad);
  expect(__shfl_sync(live, lane + 0.5, int(lane), 8) == lane + 0.5, bad);
  expect(__shfl_xor_sync(live, lane, 4) == (lane ^ 4), bad);
  expect(__shfl_down_sync(live, lane, 2, 8) == (lane % 8 < 6 ? lane + 2 : lane),
         bad);
  expect(__shfl_up_sync(live, lane, 1, 8) == (lane % 8 ? lane - 1 : lane), bad);
  float sum = static_cast<float>(lane);
  for (int offset = 4; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(live, sum, offset);
  const unsigned group = lane / 8 * 8;
  expect(sum == static_cast<float>(8 * group + 28), bad);
  // Halves of a warp that meet on their own, differently often.
  const unsigned half = lane < 4 ? 0xfu : live & ~0xfu;
  for (unsigned i = 0; i < (lane < 4 ? 3u : 5u); ++i)
    expect(__ballot_sync(half, 1) == half, bad);
  __syncwarp(live);
  gin::end(context);
}

GIN_TEST(Warps) {
  Group group(ranks);
  Counter bad(group);
  CHECK_EQUAL(group.launch(warps, 3, 72, 0, C{&bad}), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
}

/// Reverses numbers by way of shared memory, in rounds; some threads leave.
static __global__ void blocks(const __grid_constant__ gin::Program program,
                              unsigned rounds, unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  uint32_t *shared = reinterpret_cast<uint32_t *>(gin::sharedMemory());
  expect((reinterpret_cast<uintptr_t>(shared) & 127) == 0, bad);
  const unsigned me = gin::threadInBlock(), all = gin::threadsOfBlock();
  for (unsigned round = 0; round < rounds; ++round) {
    shared[me] = gin::blockInGrid() * 1000 + me + round;
    __syncthreads();
    expect(shared[all - 1 - me] ==
               gin::blockInGrid() * 1000 + all - 1 - me + round,
           bad);
    expect(gin::syncBlockOr(me == round % all), bad);
  }
  expect(!gin::syncBlockOr(false), bad);
  expect(gin::blocksOfGrid() == gridDim.x * gridDim.y * gridDim.z, bad);
  gin::end(context);
}

GIN_TEST(BlocksOfThreeDimensions) {
  Group group(ranks);
  Counter bad(group);
  for (size_t rank = 0; rank < group.comms.size(); ++rank) {
    const ginLaunchConfig_t config =
        shape({2, 3, 2}, {4, 5, 3}, 60 * 4, group.streams[rank]);
    unsigned rounds = 20;
    unsigned long long *counter = of(group, static_cast<int>(rank), C{&bad});
    void *arguments[] = {&group.program[rank], &rounds, &counter};
    CHECK_EQUAL(
        ginLaunch(group.programs[rank], GIN_KERNEL(blocks), &config, arguments),
        GIN_SUCCESS);
  }
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
}

/// Threads that return early are not waited for.
static __global__ void leavers(const __grid_constant__ gin::Program program,
                               unsigned long long *bad) {
  (void)program;
  // Warp by warp: what a warp that has lost lanes may do depends on the GPU.
  if (threadIdx.x >= 96)
    return;
  for (int i = 0; i < 10; ++i)
    expect(__syncthreads_or(threadIdx.x == 5) != 0, bad);
  if (threadIdx.x >= 32)
    return;
  __syncthreads();
}

GIN_TEST(ThreadsThatReturn) {
  Group group(ranks);
  Counter bad(group);
  CHECK_EQUAL(group.launch(leavers, 2, 128, 0, C{&bad}), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
}

static __global__ void sums(const __grid_constant__ gin::Program program,
                            char *memory) {
  gin::Context context = gin::begin(program);
  atomicAdd(reinterpret_cast<int *>(memory), -1);
  atomicAdd(reinterpret_cast<unsigned *>(memory + 4), 2u);
  atomicAdd(reinterpret_cast<unsigned long long *>(memory + 8), 3ull);
  atomicAdd(reinterpret_cast<float *>(memory + 16), 0.5f);
  atomicAdd(reinterpret_cast<double *>(memory + 24), 0.25);
  gin::end(context);
}

GIN_TEST(AtomicsOfCuda) {
  Group group(ranks);
  Buffers buffers(group, 32);
  for (int rank = 0; rank < ranks; ++rank)
    CHECK_EQUAL(group.launchRank(rank, sums, 4, 64, 0,
                                 buffers.at[static_cast<size_t>(rank)]),
                GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<unsigned char> data = buffers.read(rank, 0, 32);
    auto at = [&](auto sample, size_t offset) {
      std::memcpy(&sample, data.data() + offset, sizeof sample);
      return sample;
    };
    CHECK_EQUAL(at(int(), 0), -256);
    CHECK_EQUAL(at(unsigned(), 4), 512u);
    CHECK_EQUAL(at(uint64_t(), 8), 768u);
    CHECK_EQUAL(at(float(), 16), 128.0f);
    CHECK_EQUAL(at(double(), 24), 64.0);
  }
}

// -- small floats -------------------------------------------------------------

template <class T>
static __global__ void convert(const __grid_constant__ gin::Program program,
                               const float *from, float *to, unsigned count) {
  gin::Context context = gin::begin(program);
  for (unsigned i = context.thread; i < count; i += context.threads)
    to[i] = gin::toFloat(gin::fromFloat<T>(from[i]));
  gin::end(context);
}

template <class T>
static void checkFloats(Group &group, const std::vector<float> &given,
                        const std::vector<float> &want) {
  const size_t bytes = given.size() * sizeof(float);
  Buffers from(group, bytes), to(group, bytes);
  for (int rank = 0; rank < group.size(); ++rank) {
    from.write(rank, 0, given.data(), bytes);
    const size_t i = static_cast<size_t>(rank);
    CHECK_EQUAL(group.launchRank(rank, convert<T>, 1, 32, 0,
                                 reinterpret_cast<const float *>(from.at[i]),
                                 reinterpret_cast<float *>(to.at[i]),
                                 static_cast<unsigned>(given.size())),
                GIN_SUCCESS);
  }
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  std::vector<float> have(given.size());
  std::memcpy(have.data(), to.read(0, 0, bytes).data(), bytes);
  for (size_t i = 0; i < have.size(); ++i) {
    const bool nan = std::isnan(want[i]);
    check(nan ? std::isnan(have[i]) : have[i] == want[i], __FILE__, __LINE__,
          std::to_string(given[i]) + " becomes " + std::to_string(have[i]) +
              ", not " + std::to_string(want[i]));
    // The host converts in the same way.
    const float own = gin::toFloat(gin::fromFloat<T>(given[i]));
    CHECK(nan ? std::isnan(own) : own == have[i]);
  }
}

GIN_TEST(SmallFloats) {
  const float inf = INFINITY, nan = NAN;
  Group group(ranks);
  // Exact, ties to even up and down, subnormal, too large, infinite, none.
  checkFloats<gin::half>(group, {1.5f, 2049, 2051, 6e-8f, 65520, -inf, nan},
                         {1.5f, 2048, 2052, 0x1p-24f, inf, -inf, nan});
  checkFloats<gin::bfloat16>(group, {1.5f, 257, 259, 0x1p-133f, 3.4e38f, nan},
                             {1.5f, 256, 260, 0x1p-133f, inf, nan});
  checkFloats<gin::float8e4m3>(
      group, {1.5f, 17, 19, 0x1p-9f, 448, 464, 465, 1000, -inf, nan},
      {1.5f, 16, 20, 0x1p-9f, 448, 448, nan, nan, nan, nan});
  checkFloats<gin::float8e5m2>(
      group, {1.5f, 9, 11, 0x1p-16f, 57344, 61440, 100000, -inf, nan},
      {1.5f, 8, 12, 0x1p-16f, 57344, inf, inf, -inf, nan});
  checkFloats<float>(group, {1.1f}, {1.1f});
}
