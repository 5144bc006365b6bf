//===- TransferTest.cu - puts and gets of every size and alignment --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

#include <cstring>

using namespace gintest;

namespace {
struct Case {
  size_t source, target, bytes;
};
enum Direction { Put, Get };
} // namespace

template <class Coop>
static __device__ void
runCases(gin::Context &context, Coop coop, const gin::Window &source,
         const gin::Window &target, const gin::Bank &bank, const Case *cases,
         unsigned count, Direction direction) {
  const int peer = nextOf(context);
  for (unsigned i = 0; i < count; ++i) {
    const Case one = cases[i];
    if (direction == Put)
      gin::put(context, coop, peer, target, one.target, source, one.source,
               one.bytes, {&bank, 0});
    else
      gin::get(context, coop, peer, source, one.source, target, one.target,
               one.bytes);
  }
  gin::flush(context, coop);
  if (direction == Put)
    gin::wait(context, coop, bank, 0, count);
}

template <class Coop>
static __global__ void __launch_bounds__(1024)
    transfer(const __grid_constant__ gin::Program program,
             const __grid_constant__ gin::Window source,
             const __grid_constant__ gin::Window target,
             const __grid_constant__ gin::Bank bank, const Case *cases,
             unsigned count, Direction direction) {
  gin::Context context = gin::begin(program);
  if constexpr (std::is_same_v<Coop, gin::BulkBlock>) {
    gin::Staging staging(gin::sharedMemory(), gin::Staging::bytesFor(8));
    runCases(context, gin::BulkBlock(staging), source, target, bank, cases,
             count, direction);
  } else {
    runCases(context, Coop(), source, target, bank, cases, count, direction);
  }
  gin::end(context);
}

static unsigned char byteAt(int rank, size_t at) {
  return static_cast<unsigned char>((at * 2654435761u + 7 * rank) >> 13);
}

static const Case *casesAt(const Buffers &list, int rank) {
  return reinterpret_cast<const Case *>(list.at[static_cast<size_t>(rank)]);
}

/// Runs cases whose targets lie apart, and compares every byte, also of the
/// gaps, with what it must be.
template <class Coop>
static void verify(const std::vector<Case> &cases, size_t sourceBytes,
                   size_t targetBytes, int ranks, unsigned threads,
                   size_t shared) {
  Group group(ranks);
  Buffers source(group, sourceBytes), target(group, targetBytes);
  group.add(source);
  group.add(target);
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<unsigned char> data(sourceBytes);
    for (size_t i = 0; i < sourceBytes; ++i)
      data[i] = byteAt(rank, i);
    source.write(rank, 0, data.data(), sourceBytes);
  }
  Buffers list(group, cases.size() * sizeof(Case));
  for (int rank = 0; rank < ranks; ++rank)
    list.write(rank, 0, cases.data(), list.bytes);
  for (Direction direction : {Put, Get}) {
    target.set(0xee);
    for (int rank = 0; rank < ranks; ++rank)
      CHECK_EQUAL(group.launchRank(rank, transfer<Coop>, 1, threads, shared,
                                   W{0}, W{1}, B{0}, casesAt(list, rank),
                                   static_cast<unsigned>(cases.size()),
                                   direction),
                  GIN_SUCCESS);
    CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
    for (int rank = 0; rank < ranks; ++rank) {
      const int from = (rank + (direction == Put ? ranks - 1 : 1)) % ranks;
      std::vector<unsigned char> want(targetBytes, 0xee);
      for (const Case &one : cases)
        for (size_t i = 0; i < one.bytes; ++i)
          want[one.target + i] = byteAt(from, one.source + i);
      std::vector<unsigned char> have = target.read(rank, 0, targetBytes);
      size_t bad = 0, first = 0;
      for (size_t i = targetBytes; i-- > 0;)
        if (have[i] != want[i]) {
          ++bad;
          first = i;
        }
      check(bad == 0, __FILE__, __LINE__,
            std::string(direction == Put ? "put" : "get") + " to rank " +
                std::to_string(rank) + ": " + std::to_string(bad) +
                " wrong bytes, the first at " + std::to_string(first));
    }
  }
}

static std::vector<Case> smallCases(size_t &sourceBytes, size_t &targetBytes) {
  std::vector<Case> cases;
  size_t at = 0;
  for (size_t bytes : {0,  1,  2,  3,  5,  7,  8,  9,   15,  16,  17,  31,
                       32, 33, 47, 48, 63, 64, 65, 100, 255, 256, 1000})
    for (size_t source = 0; source < 16; ++source)
      for (size_t target = 0; target < 16; ++target) {
        cases.push_back({source, at + target, bytes});
        at += (bytes + 16 + 31) / 16 * 16;
      }
  sourceBytes = 2048;
  targetBytes = at + 64;
  return cases;
}
static std::vector<Case> largeCases(size_t &sourceBytes, size_t &targetBytes) {
  std::vector<Case> cases;
  size_t at = 0;
  const size_t offsets[][2] = {{0, 0}, {16, 32}, {3, 3},  {8, 0},   {1, 0},
                               {0, 5}, {7, 9},   {15, 1}, {13, 13}, {4, 12}};
  for (size_t bytes : {4096, 16384, 32767, 32768, 32784, 65536, 98303, 131072,
                       262144, 1048576, 1048589})
    for (const auto &offset : offsets) {
      cases.push_back({offset[0], at + offset[1], bytes});
      at += (bytes + 64 + 31) / 16 * 16;
    }
  sourceBytes = 1048576 + 4096;
  targetBytes = at + 64;
  return cases;
}

/// Where there is little time: every so many-th. Numbers that have no factor in
/// common with those of offsets leave all of them.
static std::vector<Case> some(const std::vector<Case> &all, size_t every) {
  if (slowness() == 1)
    return all;
  std::vector<Case> chosen;
  for (size_t i = 0; i < all.size(); i += every)
    chosen.push_back(all[i]);
  return chosen;
}

GIN_TEST(SmallTransfers) {
  size_t source, target;
  const std::vector<Case> cases =
      some(smallCases(source, target), ranks == 2 ? 5 : 17);
  verify<gin::Thread>(cases, source, target, ranks, 1, 0);
  verify<gin::Warp>(cases, source, target, ranks, 32, 0);
  verify<gin::Block>(cases, source, target, ranks, 256, 0);
  verify<gin::Block>(cases, source, target, ranks, 1024, 0);
}

GIN_TEST(LargeTransfers) {
  size_t source, target;
  const std::vector<Case> cases =
      some(largeCases(source, target), ranks == 2 ? 1 : 3);
  verify<gin::Warp>(cases, source, target, ranks, 32, 0);
  verify<gin::Block>(cases, source, target, ranks, 96, 0);
  verify<gin::Block>(cases, source, target, ranks, 512, 0);
  verify<gin::BulkBlock>(cases, source, target, ranks, 64,
                         gin::Staging::bytesFor(8));
}

/// Offsets beyond 4 GiB, sizes that differ by rank, sub-allocations.
GIN_TEST_OF_TWO(FarOffsets) {
  const size_t far = (size_t(9) << 30) / 2;
  Group group(ranks);
  Buffers small(group, size_t(2) << 20);
  void *big = nullptr;
  const size_t bigBytes = far + (size_t(2) << 20);
  need(ginMemoryAlloc(group.comms[1], bigBytes, &big), "memory");
  // Rank 0 registers a part of its allocation, rank 1 all of a large one.
  group.add({small.at[0] + 1024, big}, {small.bytes - 1024, bigBytes});
  group.add(small);
  std::vector<unsigned char> data(small.bytes);
  for (size_t i = 0; i < data.size(); ++i)
    data[i] = byteAt(0, i);
  small.write(0, 0, data.data(), data.size());
  Buffers list(group, sizeof(Case));
  const Case one = {5, far + 3, (size_t(1) << 20) + 1};
  list.write(0, 0, &one, sizeof one);
  // Rank 1 puts nothing, but its signal counts.
  const Case none = {0, 0, 0};
  list.write(1, 0, &none, sizeof none);
  for (int rank = 0; rank < 2; ++rank)
    CHECK_EQUAL(group.launchRank(rank, transfer<gin::Block>, 1, 256, 0, W{1},
                                 W{0}, B{0}, casesAt(list, rank), 1u, Put),
                GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  std::vector<unsigned char> have(one.bytes + 16);
  need(ginMemoryCopy(group.comms[1], have.data(),
                     static_cast<char *>(big) + far, have.size()),
       "copy");
  size_t bad = 0;
  for (size_t i = 0; i < have.size(); ++i)
    bad += have[i] != (i >= 3 && i < 3 + one.bytes ? data[5 + i - 3] : 0);
  CHECK_EQUAL(bad, 0u);
  ginMemoryFree(group.comms[1], big);
}

// -- values, additions, views -------------------------------------------------

static __global__ void scalars(const __grid_constant__ gin::Program program,
                               const __grid_constant__ gin::Window window,
                               const __grid_constant__ gin::Bank bank) {
  gin::Context context = gin::begin(program);
  const int peer = nextOf(context);
  gin::Warp warp;
  gin::putValue(context, warp, peer, window, 0, uint8_t(0x11));
  gin::putValue(context, warp, peer, window, 2, uint16_t(0x2222));
  gin::putValue(context, warp, peer, window, 4, 1.5f);
  gin::putValue(context, warp, peer, window, 8, 2.5, {&bank, 0});
  gin::wait(context, warp, bank, 0, 1);
  // From here each rank's own part, 1024 on, is a source.
  for (unsigned i = threadIdx.x; i < 64; i += 32) {
    reinterpret_cast<int32_t *>(window.base + 1024)[i] = -static_cast<int>(i);
    reinterpret_cast<int64_t *>(window.base + 2048)[i] =
        -(int64_t(i) << 32) - 1;
    reinterpret_cast<float *>(window.base + 3072)[i] = i * 0.5f;
    reinterpret_cast<double *>(window.base + 4096)[i] = i * 0.25;
    reinterpret_cast<gin::half *>(window.base + 5120)[i] =
        gin::fromFloat<gin::half>(i);
    reinterpret_cast<gin::bfloat16 *>(window.base + 6144)[i] =
        gin::fromFloat<gin::bfloat16>(i);
  }
  for (int round = 0; round < 3; ++round) {
    gin::putAccumulate<int32_t>(context, warp, peer, window, 11024, window,
                                1024, 64);
    gin::putAccumulate<int64_t>(context, warp, peer, window, 12048, window,
                                2048, 64);
    gin::putAccumulate<float>(context, warp, peer, window, 13072, window, 3072,
                              64);
    gin::putAccumulate<double>(context, warp, peer, window, 14096, window, 4096,
                               64);
    gin::putAccumulate<gin::half>(context, warp, peer, window, 15120, window,
                                  5120, 64);
    gin::putAccumulate<gin::bfloat16>(context, warp, peer, window, 16144,
                                      window, 6144, 64);
  }
  for (int i = 0; i < 10; ++i)
    gin::atomicAdd<uint64_t>(context, warp, peer, window, 17168, 3);
  if (float *view = gin::peerView<float>(context, peer, window))
    view[18192 / 4 + threadIdx.x] = threadIdx.x + 0.5f;
  gin::signal(context, warp, peer, {&bank, 1, 5});
  gin::wait(context, warp, bank, 1, 5);
  gin::end(context);
}

GIN_TEST(ValuesAndAdditions) {
  Group group(ranks);
  Buffers buffers(group, 32768);
  group.add(buffers);
  CHECK_EQUAL(group.launch(scalars, 1, 32, 0, W{0}, B{0}), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<unsigned char> data = buffers.read(rank, 0, 32768);
    auto at = [&](auto sample, size_t offset, size_t i) {
      decltype(sample) value;
      std::memcpy(&value, data.data() + offset + i * sizeof value,
                  sizeof value);
      return value;
    };
    CHECK_EQUAL(int(data[0]), 0x11);
    CHECK_EQUAL(at(uint16_t(), 2, 0), 0x2222);
    CHECK_EQUAL(at(float(), 4, 0), 1.5f);
    CHECK_EQUAL(at(double(), 8, 0), 2.5);
    CHECK_EQUAL(at(uint64_t(), 17168, 0), 30u);
    for (unsigned i = 0; i < 64; ++i) {
      CHECK_EQUAL(at(int32_t(), 11024, i), -3 * int(i));
      CHECK_EQUAL(at(int64_t(), 12048, i), 3 * (-(int64_t(i) << 32) - 1));
      CHECK_EQUAL(at(float(), 13072, i), 1.5f * i);
      CHECK_EQUAL(at(double(), 14096, i), 0.75 * i);
      CHECK_EQUAL(gin::toFloat(at(gin::half(), 15120, i)), 3.0f * i);
      CHECK_EQUAL(gin::toFloat(at(gin::bfloat16(), 16144, i)), 3.0f * i);
    }
    for (unsigned i = 0; i < 32; ++i)
      CHECK_EQUAL(at(float(), 18192, i), i + 0.5f);
  }
}
