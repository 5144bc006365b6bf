//===- RankThread.h - the OS thread of a rank -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_HOST_THREADS_RANK_THREAD_H
#define GIN_HOST_THREADS_RANK_THREAD_H

#include "runtime/host/Backend.h"
#include "runtime/host/threads/Grid.h"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace gin::host {

/// Does a rank's jobs of one lane, one after the other, on an OS thread that
/// the first one starts.
class RankThread {
public:
  RankThread() = default;
  RankThread(const RankThread &) = delete;
  RankThread &operator=(const RankThread &) = delete;
  /// Waits for all jobs.
  ~RankThread();

  // Each returns the job's number, from 1.

  /// Copies the arguments. Errors go to `state`, which lives until the launch
  /// has ended.
  uint64_t launch(const HostKernel &kernel, void *const *arguments,
                  const GridShape &shape, State *state);
  uint64_t copy(const CopyShape &shape);
  /// Goes on after all jobs that `other` has been given. It lives as long.
  uint64_t follow(RankThread &other);

  void wait(uint64_t number);
  void waitForAll();

private:
  struct alignas(16) Piece {
    char bytes[16];
  };
  struct Launch {
    const HostKernel *kernel;
    std::vector<Piece> values; // of the arguments
    GridShape shape;
    State *state;
  };
  static size_t piecesOf(size_t bytes);
  static void run(Launch &launch);
  /// No job throws.
  uint64_t add(std::function<void()> job);
  void serve();

  std::mutex mutex; // of what follows
  std::condition_variable changed;
  std::deque<std::function<void()>> waiting;
  uint64_t added = 0, ended = 0;
  bool closed = false;
  std::thread thread;
};

} // namespace gin::host

#endif // GIN_HOST_THREADS_RANK_THREAD_H
