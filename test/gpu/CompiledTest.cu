//===- CompiledTest.cu - what emitted kernels are made of -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/device/Compiled.h"
#include "runtime/device/GridExtents.h"
#include "test/gpu/Harness.h"

#include <cstring>
#include <random>

using namespace gintest;

//===----------------------------------------------------------------------===//
// Blocks with gaps
//===----------------------------------------------------------------------===//

namespace {
struct Block {
  int64_t there, here;
  int64_t thereStrides[3], hereStrides[3], sizes[3];
};
enum class What { Put, Get, Add };
} // namespace

template <class T, class Coop>
static __global__ void __launch_bounds__(256)
    moveBlock(const __grid_constant__ gin::Program program,
              const __grid_constant__ gin::Window source,
              const __grid_constant__ gin::Window target,
              const __grid_constant__ gin::Bank bank,
              const __grid_constant__ Block block, What what) {
  gin::Context context = gin::begin(program);
  const Coop coop;
  // Others would be agents of their own.
  if (threadIdx.x < (Coop::fixedSize == 0 ? blockDim.x : Coop::fixedSize)) {
    const gin::Site site{"block", __FILE__, __LINE__};
    const int peer = nextOf(context);
    if (what == What::Put) {
      gin::putBlock<T>(context, coop, peer, target, block.there,
                       block.thereStrides, source, block.here,
                       block.hereStrides, block.sizes, {&bank, 0}, site);
    } else if (what == What::Add) {
      if constexpr (sizeof(T) >= 4)
        gin::putAccumulateBlock<T>(context, coop, peer, target, block.there,
                                   block.thereStrides, source, block.here,
                                   block.hereStrides, block.sizes, {&bank, 0},
                                   site);
    } else {
      gin::getBlock<T>(context, coop, peer, source, block.here,
                       block.hereStrides, target, block.there,
                       block.thereStrides, block.sizes, site);
      gin::flush(context, coop);
    }
    if (what != What::Get)
      gin::wait(context, coop, bank, 0, 1);
  }
  gin::end(context);
}

// More than the largest block spans.
static constexpr size_t elements = 12000;

/// A block inside of arrays of `elements` elements.
static Block randomBlock(std::mt19937 &random) {
  auto below = [&](int64_t n) { return static_cast<int64_t>(random() % n); };
  Block block;
  // Long rows, short ones, and everything contiguous.
  const int64_t inner = below(3) == 0 ? 300 : 1 + below(12);
  const int64_t outer = 1 + below(4), middle = 1 + below(4);
  const int64_t all[3] = {outer, middle, inner};
  for (int64_t (*strides)[3] : {&block.thereStrides, &block.hereStrides}) {
    const int64_t gap = below(2) * below(5), step = below(4) == 0 ? 2 : 1;
    (*strides)[2] = step;
    (*strides)[1] = inner * step + gap;
    (*strides)[0] = (*strides)[1] * middle + below(2) * below(7);
  }
  for (int i = 0; i < 3; ++i)
    block.sizes[i] = below(9) == 0 ? below(2) : all[i];
  auto last = [&](const int64_t (&strides)[3]) {
    int64_t at = 0;
    for (int i = 0; i < 3; ++i)
      at += (all[i] - 1) * strides[i];
    return at;
  };
  block.there = below(elements - last(block.thereStrides));
  block.here = below(elements - last(block.hereStrides));
  return block;
}

template <class T>
static T elementAt(int rank, size_t i) {
  return static_cast<T>(i * 37 + static_cast<size_t>(rank) * 11 + 1);
}

template <class T, class Coop>
static void verifyBlocks(int ranks, unsigned threads, unsigned seed) {
  Group group(ranks);
  Buffers source(group, elements * sizeof(T)),
      target(group, elements * sizeof(T));
  group.add(source);
  group.add(target);
  std::vector<T> data(elements);
  for (int rank = 0; rank < ranks; ++rank) {
    for (size_t i = 0; i < elements; ++i)
      data[i] = elementAt<T>(rank, i);
    source.write(rank, 0, data.data(), source.bytes);
  }
  std::mt19937 random(seed);
  const int cases = 60;
  for (int i = 0; i < cases; ++i) {
    const Block block = randomBlock(random);
    for (What what : {What::Put, What::Get, What::Add}) {
      if (what == What::Add && sizeof(T) < 4)
        continue;
      target.set(1);
      CHECK_EQUAL(group.launch(moveBlock<T, Coop>, 1, threads, 0, W{0}, W{1},
                               B{0}, block, what),
                  GIN_SUCCESS);
      if (!CHECK_EQUAL(group.synchronize(), GIN_SUCCESS))
        return;
      for (int rank = 0; rank < ranks; ++rank) {
        const int from = (rank + (what == What::Get ? 1 : ranks - 1)) % ranks;
        std::vector<T> want(elements);
        std::memset(want.data(), 1, target.bytes);
        for (int64_t x = 0; x < block.sizes[0]; ++x)
          for (int64_t y = 0; y < block.sizes[1]; ++y)
            for (int64_t z = 0; z < block.sizes[2]; ++z) {
              auto at = [&](int64_t begin, const int64_t (&strides)[3]) {
                return static_cast<size_t>(begin + x * strides[0] +
                                           y * strides[1] + z * strides[2]);
              };
              T &element = want[at(block.there, block.thereStrides)];
              const T value =
                  elementAt<T>(from, at(block.here, block.hereStrides));
              element =
                  what == What::Add ? static_cast<T>(element + value) : value;
            }
        const std::vector<unsigned char> have =
            target.read(rank, 0, target.bytes);
        check(std::memcmp(have.data(), want.data(), target.bytes) == 0,
              __FILE__, __LINE__,
              "block " + std::to_string(i) + " of rank " +
                  std::to_string(rank) + ", action " +
                  std::to_string(static_cast<int>(what)));
      }
    }
  }
}

GIN_TEST(BlocksByThreads) { verifyBlocks<int32_t, gin::Thread>(ranks, 32, 1); }
GIN_TEST(BlocksByWarps) { verifyBlocks<uint8_t, gin::Warp>(ranks, 64, 2); }
GIN_TEST(BlocksByBlocks) { verifyBlocks<double, gin::Block>(ranks, 128, 3); }
GIN_TEST(BlocksByOddBlocks) {
  verifyBlocks<uint16_t, gin::Block>(ranks, 40, 4);
}

GIN_TEST(WrongBlocks) {
  const Block fits = {10, 20, {100, 10, 1}, {100, 10, 1}, {3, 4, 5}};
  Block late = fits, long_ = fits, negative = fits, before = fits;
  late.there = elements - 5;
  long_.sizes[0] = int64_t(1) << 62;
  negative.sizes[1] = -1;
  before.here = -1;
  for (auto [block, want] : {std::pair(late, GIN_ERR_WINDOW_FULL),
                             std::pair(long_, GIN_ERR_WINDOW_FULL),
                             std::pair(negative, GIN_ERR_WINDOW_FULL),
                             std::pair(before, GIN_ERR_WINDOW_FULL)}) {
    Group group(ranks);
    Buffers source(group, elements * 4), target(group, elements * 4);
    group.add(source);
    group.add(target);
    // Not launched where another rank's error is known already.
    const ginResult_t launched =
        group.launch(moveBlock<int32_t, gin::Block>, 1, 64, 0, W{0}, W{1}, B{0},
                     block, What::Put);
    CHECK(launched == GIN_SUCCESS || launched == want);
    CHECK_EQUAL(group.synchronize(), want);
  }
}

//===----------------------------------------------------------------------===//
// Teams
//===----------------------------------------------------------------------===//

static __global__ void teams(const __grid_constant__ gin::Program program,
                             const __grid_constant__ gin::RankGrid<3> grid,
                             unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  auto expect = [&](bool holds) {
    if (!holds)
      atomicAdd(bad, 1ull);
  };
  int64_t at[3];
  for (unsigned dim = 0; dim < 3; ++dim)
    at[dim] = gin::coordinate(context, grid, dim);
  expect((at[0] * grid.extents[1] + at[1]) * grid.extents[2] + at[2] ==
         context.rank);
  for (unsigned dim = 0; dim < 3; ++dim) {
    const gin::Team team = gin::axis(context, grid, dim, 0);
    expect(team.size == grid.extents[dim]);
    expect(gin::rankIn(context, team) == at[dim]);
    expect(gin::peer(team, at[dim]) == context.rank);
    expect(gin::peer(team, -1) == gin::noPeer);
    expect(gin::peer(team, team.size) == gin::noPeer);
    for (int64_t distance : {-7, -1, 0, 1, 5}) {
      const int64_t there = gin::neighbor(context, team, distance);
      expect(there >= 0 && there < team.size);
      expect((there - at[dim] - distance) % team.size == 0);
    }
  }
  for (int64_t distance : {-9, -1, 0, 3}) {
    const int64_t there = gin::neighbor(context, distance);
    expect(there >= 0 && there < context.ranks &&
           (there - context.rank - distance) % context.ranks == 0);
  }
  expect(gin::peer(int64_t(1) << 32) == gin::noPeer);
  expect(gin::slot(int64_t(1) << 32) == gin::noSlot);
  expect(gin::slot(-1) == gin::noSlot);
  expect(gin::slot({2, 3}, {4}) == 11);
  expect(gin::slot({2, 4}, {4}) == gin::noSlot);
  expect(gin::slot({1, 2, 3}, {4, 5}) == 33);
  expect(gin::slot({1, -1, 3}, {4, 5}) == gin::noSlot);
  expect(gin::count(-3) == 0 && gin::count(3) == 3);
  expect(gin::timeout(0) == 1 && gin::timeout(5) == 5);
  gin::end(context);
}

GIN_TEST(Grids) {
  Group group(ranks);
  Counter bad(group);
  int64_t extents[3] = {gin::anyExtent, gin::anyExtent, gin::anyExtent};
  CHECK(gin::balanceExtents(ranks, extents, 3));
  CHECK(extents[0] >= extents[1] && extents[1] >= extents[2]);
  const gin::RankGrid<3> grid{{extents[0], extents[1], extents[2]}};
  CHECK_EQUAL(group.launch(teams, 1, 32, 0, grid, C{&bad}), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
}

GIN_TEST(BalancedExtents) {
  auto balance = [](int64_t n, std::vector<int64_t> extents) {
    return gin::balanceExtents(n, extents.data(), extents.size())
               ? extents
               : std::vector<int64_t>();
  };
  using V = std::vector<int64_t>;
  const int64_t any = gin::anyExtent;
  CHECK(balance(12, {any, any}) == V({4, 3}));
  CHECK(balance(24, {any, 2, any}) == V({4, 2, 3}));
  CHECK(balance(7, {any, any}) == V({7, 1}));
  CHECK(balance(6, {2, 3}) == V({2, 3}));
  CHECK(balance(6, {4, any}).empty());
  CHECK(balance(6, {2, 2}).empty());
  CHECK(balance(6, {0, any}).empty());
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static __global__ void arithmetic(const __grid_constant__ gin::Program program,
                                  unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  auto expect = [&](bool holds) {
    if (!holds)
      atomicAdd(bad, 1ull);
  };
  for (int a = -9; a <= 9; ++a)
    for (int b = 1; b <= 4; ++b) {
      expect(gin::floorDiv(a, b) * b <= a && (gin::floorDiv(a, b) + 1) * b > a);
      expect(gin::ceilDiv(a, b) == -gin::floorDiv(-a, b));
      expect(gin::ceilDiv(a, -b) == gin::ceilDiv(-a, b));
      expect(gin::modulo(a, b) == ((a % b) + b) % b);
    }
  expect(gin::ceilDiv(uint64_t(9), 4) == 3 &&
         gin::ceilDiv(uint64_t(8), 4) == 2);
  for (int32_t a : {0, 1, -1, 77, INT32_MAX, INT32_MIN})
    for (int32_t b : {0, 1, -1, -5, INT32_MAX, INT32_MIN}) {
      expect(gin::mulHigh(a, b) == int32_t(int64_t(a) * b >> 32));
      expect(gin::mulHighUnsigned(a, b) ==
             int32_t(uint64_t(uint32_t(a)) * uint32_t(b) >> 32));
      expect(gin::carries(a, b) ==
             ((uint64_t(uint32_t(a)) + uint32_t(b)) >> 32 != 0));
      expect(gin::max(a, b) >= gin::min(a, b));
    }
  expect(gin::mulHigh(INT64_MIN, INT64_MIN) == int64_t(1) << 62);
  expect(gin::mulHigh(int64_t(-1), 1) == -1);
  expect(gin::mulHighUnsigned(int64_t(-1), -1) == -2);
  expect(gin::countOnes(-1) == 32 && gin::countOnes(int64_t(5)) == 2);
  expect(gin::countLeadingZeros(1) == 31 && gin::countLeadingZeros(0) == 32);
  expect(gin::countTrailingZeros(8) == 3 && gin::countTrailingZeros(0) == 32);
  expect(gin::absolute(INT32_MIN) == INT32_MIN && gin::absolute(-3) == 3);
  const float nan = gin::bitCast<float>(0x7fc00000);
  expect(gin::unordered(nan, 1.0f) && !gin::unordered(2.0f, 1.0f));
  expect(gin::maximum(nan, 1.0f) != gin::maximum(nan, 1.0f));
  expect(gin::bitCast<int32_t>(gin::maximum(-0.0f, 0.0f)) == 0);
  expect(gin::bitCast<int32_t>(gin::minimum(0.0f, -0.0f)) == INT32_MIN);
  expect(gin::minimum(2.0f, 3.0f) == 2.0f && gin::maximum(2.0f, 3.0f) == 3.0f);
  // Half of the last bit of 1.0, and what a float does not see: rounded once.
  const double half = 1.0 + 1.0 / 2048;
  auto halfOf = [](double value) {
    return gin::toFloat(gin::narrow<gin::half>(value));
  };
  expect(halfOf(half) == 1.0f);
  expect(halfOf(half + 1e-12) == 1.0f + 1.0f / 1024);
  expect(halfOf(-half - 1e-12) == -1.0f - 1.0f / 1024);
  expect(halfOf(half - 1e-12) == 1.0f);
  expect(halfOf(1e300) > 1e30f && halfOf(0.0) == 0.0f);
  gin::end(context);
}

GIN_TEST(Arithmetic) {
  Group group(ranks);
  Counter bad(group);
  CHECK_EQUAL(group.launch(arithmetic, 1, 32, 0, C{&bad}), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
}

//===----------------------------------------------------------------------===//
// Atomic updates
//===----------------------------------------------------------------------===//

static __global__ void updates(const __grid_constant__ gin::Program program,
                               const __grid_constant__ gin::Window window,
                               const __grid_constant__ gin::Bank bank) {
  gin::Context context = gin::begin(program);
  const gin::Site site{"view", __FILE__, __LINE__};
  int32_t *first = gin::viewAt<int32_t>(context, 0, window, site);
  const int32_t number =
      static_cast<int32_t>(context.rank * blockDim.x + threadIdx.x);
  gin::fetchAdd(first, 1);
  gin::fetchMax(first + 1, number);
  gin::fetchMin(first + 2, -number);
  gin::fetchOr(first + 3, 1 << number % 31);
  gin::fetchAdd(reinterpret_cast<float *>(first + 4), 0.5f);
  gin::fetchAdd(reinterpret_cast<int64_t *>(first + 6), int64_t(1) << 33);
  gin::fetchMaxUnsigned(first + 8, -number);
  gin::signal(context, gin::Block(), 0, {&bank, 0});
  if (context.rank == 0)
    gin::wait(context, gin::Block(), bank, 0,
              static_cast<uint64_t>(context.ranks));
  gin::end(context);
}

GIN_TEST(AtomicUpdates) {
  Group group(ranks);
  Buffers words(group, 64);
  group.add(words);
  const unsigned threads = 64;
  CHECK_EQUAL(group.launch(updates, 1, threads, 0, W{0}, B{0}), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  int32_t have[16];
  std::memcpy(have, words.read(0, 0, 64).data(), 64);
  const int32_t all = ranks * static_cast<int32_t>(threads);
  float sum;
  std::memcpy(&sum, have + 4, 4);
  int64_t wide;
  std::memcpy(&wide, have + 6, 8);
  CHECK_EQUAL(have[0], all);
  CHECK_EQUAL(have[1], all - 1);
  CHECK_EQUAL(have[2], 1 - all);
  CHECK_EQUAL(have[3], INT32_MAX);
  CHECK_EQUAL(sum, 0.5f * static_cast<float>(all));
  CHECK_EQUAL(wide, static_cast<int64_t>(all) << 33);
  CHECK_EQUAL(have[8], -1);
}
