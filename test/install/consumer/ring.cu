//===- ring.cu - a kernel for GPUs and for threads of the host ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/device/Gin.h"
#include "runtime/include/gin.hpp"

#include <cstdio>
#include <cstdlib>

/// Each rank puts its first four bytes into the next rank's last four.
__global__ void ring(const __grid_constant__ gin::Program program,
                     const __grid_constant__ gin::Window window,
                     const __grid_constant__ gin::Bank bank) {
  gin::Context context = gin::begin(program);
  const int next = (context.rank + 1) % context.ranks;
  gin::put(context, gin::Block(), next, window, 4, window, 0, 4, {&bank, 0});
  gin::wait(context, gin::Block(), bank, 0, 1);
  gin::end(context);
}

static void need(ginResult_t result) {
  if (result == GIN_SUCCESS)
    return;
  std::fprintf(stderr, "%s: %s\n", ginResultName(result), ginGetLastError());
  std::exit(1);
}

int main() {
  constexpr int ranks = 2;
  ginComm_t comms[ranks];
  ginWindow_t windows[ranks];
  ginProgram_t programs[ranks];
  void *memory[ranks];
#ifdef __CUDACC__
  need(ginCommCreateAll(nullptr, ranks, comms));
#else
  need(ginCommCreateAllHost(ranks, comms));
#endif
  const uint32_t slots = 1;
  ginProgramConfig_t config = {};
  config.banks = 1;
  config.slots = &slots;
  config.timeout = 10'000'000'000;
  config.name = "ring";
  config.architectures = GIN_ARCHITECTURES;
  for (int rank = 0; rank < ranks; ++rank) {
    const int value = 100 + rank;
    need(ginMemoryAlloc(comms[rank], 8, &memory[rank]));
    need(ginMemoryCopy(comms[rank], memory[rank], &value, 4));
    need(ginWindowRegister(comms[rank], memory[rank], 8, GIN_RIGHT_ALL,
                           &windows[rank]));
    need(ginProgramCreate(comms[rank], &config, &programs[rank]));
  }
  for (int rank = 0; rank < ranks; ++rank) {
    gin::Program program;
    gin::Window window;
    gin::Bank bank;
    need(gin::getDevice(programs[rank], program));
    need(gin::getDevice(windows[rank], window));
    need(gin::getBank(programs[rank], 0, bank));
    need(gin::launch(programs[rank], ring, 1, 32, 0, nullptr, program, window,
                     bank));
  }
  for (int rank = 0; rank < ranks; ++rank) {
    int value = 0;
    need(ginCommSynchronize(comms[rank]));
    need(ginMemoryCopy(comms[rank], &value,
                       static_cast<char *>(memory[rank]) + 4, 4));
    std::printf("rank %d got %d\n", rank, value);
    if (value != 100 + (rank + ranks - 1) % ranks)
      return 1;
  }
  for (int rank = 0; rank < ranks; ++rank) {
    ginProgramDestroy(programs[rank]);
    ginWindowDestroy(windows[rank]);
    ginMemoryFree(comms[rank], memory[rank]);
    ginCommDestroy(comms[rank]);
  }
}
