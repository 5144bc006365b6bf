//===- RankThread.h - the OS thread of a rank -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_HOST_THREADS_RANK_THREAD_H
#define GIN_HOST_THREADS_RANK_THREAD_H

#include "runtime/device/Types.h"
#include "runtime/host/threads/Grid.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace gin::host {

/// Runs a rank's launches, one after the other, on an OS thread that the first
/// one starts.
class RankThread {
public:
  RankThread() = default;
  RankThread(const RankThread &) = delete;
  RankThread &operator=(const RankThread &) = delete;
  /// Waits for all launches.
  ~RankThread();

  /// Returns the launch's number, from 1. Copies the arguments. Errors go to
  /// `state`, which lives until the launch has ended.
  uint64_t launch(const HostKernel &kernel, void *const *arguments,
                  const GridShape &shape, State *state);
  void wait(uint64_t number);
  void waitForAll();

private:
  struct alignas(16) Piece {
    char bytes[16];
  };
  struct Launch {
    const HostKernel *kernel;
    std::vector<Piece> values;    // of the arguments
    std::vector<void *> pointers; // to them
    GridShape shape;
    State *state;
  };
  void serve();
  static void run(const Launch &launch);

  std::mutex mutex; // of what follows
  std::condition_variable changed;
  std::deque<Launch> waiting;
  uint64_t launched = 0, ended = 0;
  bool closed = false;
  std::thread thread;
};

} // namespace gin::host

#endif // GIN_HOST_THREADS_RANK_THREAD_H
