//===- Grid.h - the fibers of one launch ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Runs one grid of threads, to the end, on the calling OS thread. See
// runtime/device/HostThreads.h, whose functions Grid.cpp defines.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_HOST_THREADS_GRID_H
#define GIN_HOST_THREADS_GRID_H

#include "runtime/device/HostThreads.h"
#include "runtime/device/Kernel.h"
#include "runtime/fiber/Fiber.h"

#include <deque>
#include <memory>
#include <vector>

namespace gin::host {

struct GridShape {
  threads::Index grid, block;
  size_t shared; // bytes of each block
};

class Grid {
public:
  /// Throws std::bad_alloc.
  Grid(const HostKernel &kernel, void *const *arguments,
       const GridShape &shape);
  Grid(const Grid &) = delete;
  Grid &operator=(const Grid &) = delete;

  /// Threads that wait for others when no thread can run: a GPU would hang.
  struct Stuck {
    unsigned waiting, threads; // of one of the blocks
  };
  /// Returns whether all threads have returned. If not, `stuck` says what is
  /// wrong, threadIdx and blockIdx stand at one of the threads that wait, and
  /// all fibers are given up. Throws std::bad_alloc.
  bool run(Stuck &stuck);

  /// Of the launch that runs on this OS thread.
  static Grid *current();

  // For the thread that runs now.
  void yield();
  /// `count` threads of the block; all of them at barrier 0.
  bool sync(unsigned barrier, unsigned count, bool value);
  threads::Meeting meet(uint32_t mask, uint64_t value, unsigned from,
                        threads::Orders orders);
  unsigned lane() const { return running->lane; }
  void *dynamicMemory() const { return running->block->shared; }
  void *tag() { return &fenceTag; }

private:
  struct Block;
  struct Warp;
  struct Thread {
    enum class State { Ready, Waiting, Ended };
    Block *block;
    Warp *warp;
    threads::Index index;
    unsigned lane;
    State state = State::Ready;
    std::unique_ptr<ginc::Fiber> fiber; // while it lives
    bool started = false;
    bool anyAtBarrier = false; // the answer of a block's barrier
    // While it meets others of its warp: what it brings; then what it gets.
    bool meets = false;
    uint32_t mask = 0;
    uint64_t value = 0;
    unsigned from = 0;
    threads::Meeting met{};
  };
  struct Warp {
    Thread *lanes[32] = {};
    uint32_t live = 0;
    char tag = 0;
  };
  struct Barrier {
    std::vector<Thread *> waiting;
    bool any = false;   // what those that wait have said
    unsigned round = 0; // of its uses
    char tags[2] = {};  // by rounds' parity
  };
  static constexpr unsigned barriersOfBlock = 16;
  struct Block {
    threads::Index index;
    unsigned live = 0;                 // threads that have not returned
    Barrier barriers[barriersOfBlock]; // the first one is of all threads
    void *shared = nullptr;
  };

  static void runThread(void *thread);
  void turn(Thread &thread);
  void wait();
  static void suspend(Thread &self);
  void wake(Thread &thread);
  bool completeBarrier(Barrier &barrier, size_t count);
  bool completeMeeting(Warp &warp, uint32_t mask);
  void end(Thread &thread);
  void rest();
  Stuck findStuck();

  const HostKernel &kernel;
  void *const *const arguments;
  const GridShape shape;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  std::vector<Block> blocks;
  std::unique_ptr<char[]> sharedMemory;
  std::deque<Thread *> ready;
  Thread *running = nullptr;
  size_t live;      // threads
  size_t polls = 0; // without anything else between
  char fenceTag = 0, launchTag = 0, leftTag = 0;
};

} // namespace gin::host

#endif // GIN_HOST_THREADS_GRID_H
