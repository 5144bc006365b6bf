//===- HostTest.cu - what GPUs have not -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

#include <cstring>

using namespace gintest;

/// Lanes of a warp wait for others that wait for something else. (Threads of a
/// block that call different barriers of it meet all the same, as on a GPU.)
static __global__ void diverges(const __grid_constant__ gin::Program program) {
  gin::Context context = gin::begin(program);
  if (context.rank == 0)
    __syncwarp(threadIdx.x % 2 ? 0xffffffffu : 0x55555555u);
  else
    gin::barrier(context, gin::Block(), gin::world(context));
  gin::end(context);
}

GIN_TEST(DivergedBarriers) {
  Group group(ranks);
  CHECK_EQUAL(group.launch(diverges, 1, 64, 0), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_ERR_DIVERGED);
  for (ginComm_t comm : group.comms) {
    ginError_t error;
    CHECK_EQUAL(ginCommGetAsyncError(comm, &error), GIN_ERR_DIVERGED);
    CHECK_EQUAL(error.rank, 0);
  }
  CHECK_EQUAL(group.launch(diverges, 1, 64, 0), GIN_ERR_DIVERGED);
}

static __global__ void plain(const __grid_constant__ gin::Program program) {
  gin::Context context = gin::begin(program);
  gin::end(context);
}

GIN_TEST(HostArguments) {
  Group group(ranks);
  int something = 0;
  CHECK_EQUAL(gin::launch(group.programs[0], plain, 1, 32, 0, &something,
                          group.program[0]),
              GIN_ERR_INVALID_ARGUMENT);
  CHECK(std::strstr(ginGetLastError(), "streams") != nullptr);
  // The function itself has no description.
  const ginLaunchConfig_t config = shape({1, 1, 1}, {32, 1, 1});
  void *arguments[] = {&group.program[0]};
  CHECK_EQUAL(ginLaunch(group.programs[0],
                        reinterpret_cast<const void *>(plain), &config,
                        arguments),
              GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(
      ginLaunch(group.programs[0], GIN_KERNEL(plain), &config, arguments),
      GIN_SUCCESS);
  int device = 0;
  CHECK_EQUAL(ginCommDevice(group.comms[0], &device), GIN_SUCCESS);
  CHECK_EQUAL(device, -1);
  ginBackend_t backend = GIN_BACKEND_CUDA;
  CHECK_EQUAL(ginCommBackend(group.comms[0], &backend), GIN_SUCCESS);
  CHECK_EQUAL(int(backend), int(GIN_BACKEND_HOST));
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  std::vector<ginComm_t> comms(GIN_HOST_MAX_RANKS + 1);
  CHECK_EQUAL(ginCommCreateAllHost(GIN_HOST_MAX_RANKS + 1, comms.data()),
              GIN_ERR_INVALID_ARGUMENT);
}

/// Windows and signals beyond the ranks that travel in kernel parameters.
static __global__ void toAll(const __grid_constant__ gin::Program program,
                             const __grid_constant__ gin::Window window,
                             const __grid_constant__ gin::Bank bank) {
  gin::Context context = gin::begin(program);
  gin::barrier(context, gin::Block(), gin::world(context));
  for (int peer = 0; peer < context.ranks; ++peer)
    gin::putValue(context, gin::Block(), peer, window, 4 * context.rank,
                  100 * context.rank + peer, {&bank, 0});
  gin::wait(context, gin::Block(), bank, 0, context.ranks);
  gin::end(context);
}

GIN_TEST_OF_TWO(ManyRanks) {
  constexpr int many = 20;
  Group group(many, {1});
  Buffers buffers(group, 4 * many);
  group.add(buffers);
  for (int launch = 0; launch < 3; ++launch)
    CHECK_EQUAL(group.launch(toAll, 1, 32, 0, W{0}, B{0}), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  for (int rank = 0; rank < many; ++rank)
    for (int from = 0; from < many; ++from) {
      int value = 0;
      std::memcpy(&value, buffers.read(rank, 4 * size_t(from), 4).data(), 4);
      CHECK_EQUAL(value, 100 * from + rank);
    }
}
