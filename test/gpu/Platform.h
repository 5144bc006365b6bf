//===- Platform.h - what differs between GPUs and the host ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// HarnessCuda.cpp and HarnessHost.cpp define it.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_TEST_GPU_PLATFORM_H
#define GIN_TEST_GPU_PLATFORM_H

#include "runtime/include/gin.h"

#include <cstdio>
#include <functional>
#include <string>

namespace gintest {

/// The largest number of ranks: on GPUs, as many as there are.
int maxRanks();
/// Says so where there are fewer, and then returns true: all is skipped.
inline bool lacksRanks(int ranks) {
  if (maxRanks() >= ranks)
    return false;
  std::printf("skipped: GPUs needed: %d, GPUs here: %d\n", ranks, maxRanks());
  return true;
}
ginResult_t createComms(int ranks, ginComm_t *comms);
/// A stream of the rank, of its own, or null.
void *createStream(ginComm_t comm);
void destroyStream(ginComm_t comm, void *stream);
/// What `launch` launches into the stream, recorded to be replayed; null where
/// there are no graphs, or if that fails.
void *recordGraph(ginComm_t comm, void *stream,
                  const std::function<void()> &launch);
/// Whether that was possible.
bool replayGraph(ginComm_t comm, void *stream, void *graph);
void destroyGraph(void *graph);
/// An error that nobody has asked for, or nothing.
std::string leftover();
/// What takes a GPU some time takes so many times as long: tests do less.
unsigned slowness();
/// Whether a race is reported: controls that have one are left out.
bool findsRaces();

} // namespace gintest

#endif // GIN_TEST_GPU_PLATFORM_H
