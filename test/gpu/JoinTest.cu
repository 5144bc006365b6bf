//===- JoinTest.cu - blocks that work on one thing ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

#include <algorithm>

using namespace gintest;

/// In each round every block writes a word, and after a join reads all.
static __global__ void meeting(const __grid_constant__ gin::Program program,
                               const __grid_constant__ gin::Window window,
                               unsigned rounds, unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  volatile unsigned *words = reinterpret_cast<volatile unsigned *>(window.base);
  auto expect = [&](bool holds) {
    if (!holds)
      atomicAdd(bad, 1ull);
  };
  for (unsigned round = 1; round <= rounds; ++round) {
    if (threadIdx.x == threadIdx.x / 32 * 32 && threadIdx.x < 64)
      words[2 * blockIdx.x + threadIdx.x / 32] = round;
    expect(gin::join(context, gin::Grid()));
    for (unsigned i = threadIdx.x; i < 2 * gridDim.x; i += blockDim.x)
      expect(words[i] == round);
    expect(gin::join(context, gin::Grid()));
    const unsigned wanted = 7 * round, own = wanted + blockIdx.x;
    expect(gin::broadcast(context, gin::Grid(), threadIdx.x == 0 ? own : 0u) ==
           wanted);
    expect(gin::broadcast(context, gin::Block(), own + threadIdx.x) == own);
    // One after the other, of different types.
    expect(gin::broadcast(context, gin::Grid(), double(blockIdx.x) + 0.5) ==
           0.5);
    expect(gin::broadcast(context, gin::Grid(), blockIdx.x == 0));
  }
  gin::end(context);
}

GIN_TEST(Joins) {
  Group group(ranks);
  Buffers buffers(group, 4096);
  group.add(buffers);
  Counter bad(group);
  const unsigned rounds = 1000 / std::min(slowness(), 20u);
  for (unsigned blocks : {1u, 2u, 9u})
    CHECK_EQUAL(group.launch(meeting, blocks, 96, 16, W{0}, rounds, C{&bad}),
                GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
}

/// Roles join among themselves, differently often, then all of them.
static __global__ void roles(const __grid_constant__ gin::Program program,
                             const __grid_constant__ gin::Window window,
                             unsigned long long *bad) {
  gin::Context context = gin::begin(program);
  volatile unsigned *words = reinterpret_cast<volatile unsigned *>(window.base);
  const unsigned number = blockIdx.x < 3 ? 0 : 1;
  const unsigned first = number == 0 ? 0 : 3;
  const unsigned count = number == 0 ? 3 : gridDim.x - 3;
  const gin::Grid role = gin::role(number, first, count);
  for (unsigned again = 0; again < 5; ++again) {
    for (unsigned round = 0; round < (number == 0 ? 4u : 11u); ++round) {
      if (threadIdx.x == 0)
        words[blockIdx.x] = 100 * again + round;
      gin::join(context, role);
      for (unsigned i = first; i < first + count; ++i)
        if (words[i] != 100 * again + round)
          atomicAdd(bad, 1ull);
      if (gin::broadcast(context, role, blockIdx.x) != first)
        atomicAdd(bad, 1ull);
    }
    gin::join(context, gin::Grid());
    if (words[0] != 100 * again + 3 || words[3] != 100 * again + 10)
      atomicAdd(bad, 1ull);
    gin::join(context, gin::Grid());
  }
  gin::end(context);
}

GIN_TEST(Roles) {
  Group group(ranks);
  Buffers buffers(group, 4096);
  group.add(buffers);
  Counter bad(group);
  CHECK_EQUAL(group.launch(roles, 8, 64, 16, W{0}, C{&bad}), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(bad.total(), 0u);
}

/// An assertion that one thread of one block breaks; the others wait in joins.
static __global__ void asserting(const __grid_constant__ gin::Program program,
                                 const __grid_constant__ gin::Bank bank,
                                 unsigned rank, unsigned long long *left) {
  gin::Context context = gin::begin(program);
  awaitLastLaunch(context, bank, 0);
  for (unsigned round = 0; round < 100; ++round) {
    if (!gin::join(context, gin::Grid()))
      break;
    const bool breaks = unsigned(context.rank) == rank && round == 7 &&
                        blockIdx.x == 1 && threadIdx.x == 5;
    if (!gin::check(context, gin::Block(), !breaks,
                    gin::Site{"a thing that holds", "program.mlir", 12}))
      break;
    // The others of this rank notice at the next join at the latest.
    if (round == 99 && unsigned(context.rank) == rank)
      atomicAdd(left, 1ull);
  }
  gin::end(context);
}

GIN_TEST(Assertions) {
  Group group(ranks);
  Counter left(group);
  const unsigned rank = unsigned(ranks) - 1;
  CHECK_EQUAL(group.launch(asserting, 4, 64, 0, B{0}, rank, C{&left}),
              GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_ERR_ASSERTION);
  ginError_t error;
  CHECK_EQUAL(ginCommGetAsyncError(group.comms[0], &error), GIN_ERR_ASSERTION);
  CHECK_EQUAL(error.rank, int(rank));
  CHECK_EQUAL(error.block, 1u);
  CHECK_EQUAL(error.line, 12);
  CHECK(std::string(error.operation) == "a thing that holds");
  CHECK(std::string(error.file) == "program.mlir");
  CHECK_EQUAL(left.total(), 0u);
}
