//===- Rig.h - two GPUs with everything that tests need ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_PERF_RIG_H
#define GIN_PERF_RIG_H

#include "runtime/include/gin.hpp"
#include "tools/gin-perf/Kernels.h"

#include <cuda_runtime.h>

#include <string>

namespace ginperf {

/// Exits with a message if a call failed: a measurement that is not right is
/// none.
void need(ginResult_t result, const char *what);
void need(cudaError_t error, const char *what);

struct Rig {
  /// `slots`: of the data bank, at least one for each worker.
  Rig(const Options &options, size_t sourceBytes, size_t targetBytes,
      unsigned slots);
  ~Rig();
  Rig(const Rig &) = delete;
  Rig &operator=(const Rig &) = delete;

  /// Launches both ranks and waits for them. `arguments` are those after gin's.
  void runApiPingPong(Message message, Scope scope, unsigned threads,
                      PingPong test[2]);
  void runHandPingPong(Message message, Scope scope, unsigned threads,
                       PingPong test[2]);
  void runApiBandwidth(Mechanism mechanism, Scope scope, unsigned threads,
                       Bandwidth test[2]);
  void runHandBandwidth(Mechanism mechanism, Scope scope, unsigned threads,
                        Bandwidth test[2]);
  void synchronize();
  void clearFlags();
  std::string machine() const;

  int devices[2];
  cudaStream_t streams[2];
  char *source[2], *target[2];
  uint64_t *flags[2];
  uint64_t *times[2]; // host memory
  uint64_t *bad;      // host memory
  size_t flagBytes;

private:
  void prepareHand(const void *kernel);
  void launchHand(int rank, const void *kernel, unsigned blocks,
                  unsigned threads, size_t shared, void **arguments);
  HandPlaces places(int rank) const;

  ginComm_t comms[2];
  ginWindow_t sourceWindows[2], targetWindows[2];
  ginProgram_t programs[2];
  gin::Program program[2];
  gin::Window sourceWindow[2], targetWindow[2];
  gin::Bank data[2], control[2];
};

/// Adds rows to the report.
class Report;
void measureLatency(Rig &rig, const Options &options, Report &report);
void measureBandwidth(Rig &rig, const Options &options, Report &report);
/// How many messages of a size are sent in one run.
unsigned messagesOf(const Options &options, size_t bytes);

} // namespace ginperf

#endif // GIN_PERF_RIG_H
