//===- CudaTest.cu - streams, graphs and memory of CUDA -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What host threads have not.
//
//===----------------------------------------------------------------------===//

#include "test/gpu/Harness.h"

using namespace gintest;

static void checkCuda(cudaError_t error, int line) {
  check(error == cudaSuccess, __FILE__, line, cudaGetErrorString(error));
}
#define CHECK_CUDA(call) checkCuda((call), __LINE__)

/// Adds its launch to a sum, and waits for the neighbour's.
static __global__ void step(const __grid_constant__ gin::Program program,
                            const __grid_constant__ gin::Bank bank,
                            unsigned long long *sum) {
  gin::Context context = gin::begin(program);
  gin::signal(context, gin::Block(), nextOf(context), {&bank, blockIdx.x});
  gin::wait(context, gin::Block(), bank, blockIdx.x, 1);
  if (threadIdx.x == 0)
    atomicAdd(sum, (unsigned long long)gin::launchNumber(context));
  gin::end(context);
}

static __global__ void
waitForNobody(const __grid_constant__ gin::Program program,
              const __grid_constant__ gin::Bank bank) {
  gin::Context context = gin::begin(program);
  gin::wait(context, gin::Block(), bank, 0, 2);
  gin::end(context);
}

static __global__ void nothing(const __grid_constant__ gin::Program program) {
  gin::Context context = gin::begin(program);
  gin::end(context);
}

GIN_TEST_OF_TWO(GraphReplays) {
  constexpr unsigned blocks = 8, replays = 1000, each = 3;
  Group group(ranks, {blocks});
  Counter sum(group);
  cudaGraphExec_t graphs[2];
  CHECK_EQUAL(ginProgramPreload(group.programs[0], GIN_KERNEL(step), 0),
              GIN_SUCCESS);
  for (int rank = 0; rank < 2; ++rank) {
    auto stream = static_cast<cudaStream_t>(group.streams[rank]);
    cudaSetDevice(rank);
    CHECK_CUDA(
        cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (unsigned i = 0; i < each; ++i)
      CHECK_EQUAL(group.launchRank(rank, step, blocks, 128, 0, B{0}, C{&sum}),
                  GIN_SUCCESS);
    cudaGraph_t graph;
    CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
    CHECK_CUDA(cudaGraphInstantiate(&graphs[rank], graph, 0));
    cudaGraphDestroy(graph);
  }
  for (unsigned i = 0; i < replays; ++i)
    for (int rank = 0; rank < 2; ++rank) {
      cudaSetDevice(rank);
      CHECK_CUDA(cudaGraphLaunch(
          graphs[rank], static_cast<cudaStream_t>(group.streams[rank])));
    }
  // Launches and replays count on from each other.
  CHECK_EQUAL(group.launch(step, blocks, 128, 0, B{0}, C{&sum}), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  const unsigned long long last = replays * each;
  CHECK_EQUAL(sum.total(), 2 * blocks * (last * (last + 1) / 2));
  for (cudaGraphExec_t graph : graphs)
    cudaGraphExecDestroy(graph);
}

GIN_TEST_OF_TWO(OverlappingLaunches) {
  Group group(ranks, {64}, 1'000'000'000);
  cudaStream_t other;
  cudaSetDevice(0);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  CHECK_EQUAL(group.launchRank(0, nothing, 1, 32, 0), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_SUCCESS);
  CHECK_EQUAL(gin::launch(group.programs[0], nothing, 1, 32, 0, other,
                          group.program[0]),
              GIN_SUCCESS);
  CHECK_CUDA(cudaStreamSynchronize(other));
  CHECK_EQUAL(group.launchRank(0, waitForNobody, 1, 32, 0, B{0}), GIN_SUCCESS);
  check(cudaStreamQuery(static_cast<cudaStream_t>(group.streams[0])) ==
            cudaErrorNotReady,
        __FILE__, __LINE__, "the kernel waits");
  CHECK_EQUAL(gin::launch(group.programs[0], nothing, 1, 32, 0, other,
                          group.program[0]),
              GIN_ERR_SIGNAL_PENDING);
  CHECK_EQUAL(ginCommAbort(group.comms[0]), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_ERR_ABORTED);
  cudaStreamDestroy(other);
}

/// The last kernel stands for all lanes.
GIN_TEST_OF_TWO(OverlappingLanes) {
  Group group(ranks, {64}, 1'000'000'000);
  cudaStream_t other;
  cudaSetDevice(0);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  group.preload({GIN_KERNEL(nothing), GIN_KERNEL(waitForNobody)});
  CHECK_EQUAL(group.order(0, 0, 1), GIN_SUCCESS);
  CHECK_EQUAL(group.launchPart(0, 1, true, waitForNobody, 1, 32, 0, B{0}),
              GIN_SUCCESS);
  CHECK_EQUAL(gin::launch(group.programs[0], nothing, 1, 32, 0, other,
                          group.program[0]),
              GIN_ERR_SIGNAL_PENDING);
  CHECK(
      says("test: the last launch has not ended, and this is another stream"));
  CHECK_EQUAL(ginCommAbort(group.comms[0]), GIN_SUCCESS);
  CHECK_EQUAL(group.synchronize(), GIN_ERR_ABORTED);
  Group second(ranks, {64}, 1'000'000'000);
  CHECK_EQUAL(second.order(0, 0, 1), GIN_SUCCESS);
  CHECK_EQUAL(second.launchPart(0, 1, true, waitForNobody, 1, 32, 0, B{0}),
              GIN_SUCCESS);
  CHECK_EQUAL(second.order(0, 1, 0), GIN_SUCCESS);
  CHECK_EQUAL(second.launchRank(0, nothing, 1, 32, 0), GIN_SUCCESS);
  CHECK_EQUAL(gin::launch(second.programs[0], nothing, 1, 32, 0, other,
                          second.program[0]),
              GIN_ERR_SIGNAL_PENDING);
  CHECK(says("the last launch still runs in another stream"));
  CHECK_EQUAL(ginCommAbort(second.comms[0]), GIN_SUCCESS);
  CHECK_EQUAL(second.synchronize(), GIN_ERR_ABORTED);
  cudaStreamDestroy(other);
}

GIN_TEST_OF_TWO(Devices) {
  ginComm_t comms[2];
  const int twice[] = {0, 0}, absent[] = {0, 1000};
  CHECK_EQUAL(ginCommCreateAll(twice, 2, comms), GIN_ERR_INVALID_ARGUMENT);
  CHECK_EQUAL(ginCommCreateAll(absent, 2, comms), GIN_ERR_INVALID_ARGUMENT);
  Group group(ranks);
  ginWindow_t window;
  alignas(16) char own[16];
  CHECK_EQUAL(ginWindowRegister(group.comms[0], own, sizeof own, GIN_RIGHT_ALL,
                                &window),
              GIN_ERR_INVALID_ARGUMENT);
}

GIN_TEST_OF_TWO(NothingIsLeaked) {
  auto used = [] {
    size_t free[2], total;
    for (int device = 0; device < 2; ++device) {
      cudaSetDevice(device);
      cudaMemGetInfo(&free[device], &total);
    }
    return free[0] + free[1];
  };
  {
    Group warm(ranks, {1 << 16});
  }
  const size_t before = used();
  for (int i = 0; i < 50; ++i)
    Group group(ranks, {1 << 16});
  CHECK_EQUAL(used(), before);
}
