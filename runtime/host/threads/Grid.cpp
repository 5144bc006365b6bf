//===- Grid.cpp - the fibers of one launch --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/threads/Grid.h"

#include "runtime/host/threads/Tracking.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace gin;
using namespace gin::host;
using ginc::Fiber;
using ginc::FiberPool;

__thread threads::Index threadIdx, blockIdx, blockDim, gridDim;

static thread_local Grid *currentGrid = nullptr;

// Untouched pages of a stack cost nothing.
static constexpr size_t stackBytes = size_t(256) << 10;

static uint64_t volume(const threads::Index &index) {
  return uint64_t(index.x) * index.y * index.z;
}
static threads::Index place(uint64_t number, const threads::Index &extents) {
  return {static_cast<unsigned>(number % extents.x),
          static_cast<unsigned>(number / extents.x % extents.y),
          static_cast<unsigned>(number / extents.x / extents.y)};
}

Grid::Grid(const HostKernel &kernel, void *const *arguments,
           const GridShape &shape)
    : kernel(kernel), arguments(arguments), shape(shape) {
  const size_t each = volume(shape.block), count = volume(shape.grid);
  const size_t warpsEach = (each + 31) / 32;
  const size_t sharedEach = (shape.shared + 127) / 128 * 128;
  live = each * count;
  threads.resize(live);
  warps.resize(warpsEach * count);
  blocks.resize(count);
  sharedMemory.reset(new char[sharedEach * count + 127]);
  // All ones are NaNs and far from any index.
  std::memset(sharedMemory.get(), 0xff, sharedEach * count + 127);
  const uintptr_t start = reinterpret_cast<uintptr_t>(sharedMemory.get());
  char *aligned = sharedMemory.get() + (-start & 127);
  for (size_t b = 0; b < count; ++b) {
    Block &block = blocks[b];
    block.index = place(b, shape.grid);
    block.live = static_cast<unsigned>(each);
    block.barriers[0].waiting.reserve(each);
    block.shared = aligned + b * sharedEach;
    for (size_t t = 0; t < each; ++t) {
      Thread &thread = threads[b * each + t];
      Warp &warp = warps[b * warpsEach + t / 32];
      thread.block = &block;
      thread.warp = &warp;
      thread.index = place(t, shape.block);
      thread.lane = t % 32;
      warp.lanes[thread.lane] = &thread;
      warp.live |= uint32_t(1) << thread.lane;
    }
  }
}

Grid *Grid::current() { return currentGrid; }

//===----------------------------------------------------------------------===//
// The scheduler
//===----------------------------------------------------------------------===//

bool Grid::run(Stuck &stuck) {
  trackRelease(&launchTag);
  {
    Untracked scheduler;
    currentGrid = this;
    blockDim = shape.block;
    gridDim = shape.grid;
    FiberPool &pool = FiberPool::ofThread();
    for (Thread &thread : threads) {
      thread.fiber = pool.take(stackBytes);
      ready.push_back(&thread);
    }
    while (!ready.empty()) {
      Thread &thread = *ready.front();
      ready.pop_front();
      turn(thread);
      if (thread.state == Thread::State::Ready)
        ready.push_back(&thread);
      else if (thread.state == Thread::State::Ended)
        end(thread);
    }
    running = nullptr;
    if (live != 0)
      stuck = findStuck();
    for (Thread &thread : threads)
      if (thread.fiber)
        pool.give(std::move(thread.fiber));
    currentGrid = nullptr;
  }
  trackAcquire(&leftTag);
  return live == 0;
}

/// Runs a thread until it yields, waits or ends.
void Grid::turn(Thread &thread) {
  running = &thread;
  threadIdx = thread.index;
  blockIdx = thread.block->index;
  if (thread.started) {
    thread.fiber->resume();
    return;
  }
  thread.started = true;
  thread.fiber->start(runThread, &thread, Fiber::Order::Unordered);
}

void Grid::runThread(void *argument) {
  Grid &grid = *currentGrid;
  trackAcquire(&grid.launchTag);
  grid.kernel.run(grid.arguments);
  trackRelease(&grid.leftTag);
  Untracked scheduler;
  static_cast<Thread *>(argument)->state = Thread::State::Ended;
}

/// Puts the running thread aside until another one wakes it.
void Grid::wait() {
  Thread &self = *running;
  trackRelease(&leftTag); // should it wait for ever
  self.state = Thread::State::Waiting;
  suspend(self);
}

void Grid::suspend(Thread &self) {
  // It may be given up here, in no state that would outlive it.
  Fiber &fiber = *self.fiber;
  Tracked kernel;
  fiber.suspend();
}

void Grid::wake(Thread &thread) {
  thread.state = Thread::State::Ready;
  ready.push_back(&thread);
  polls = 0;
}

/// A thread has returned: those that wait, wait for one less.
void Grid::end(Thread &thread) {
  FiberPool::ofThread().give(std::move(thread.fiber));
  --live;
  polls = 0;
  Block &block = *thread.block;
  --block.live;
  if (!block.barriers[0].waiting.empty())
    completeBarrier(block.barriers[0], block.live);
  Warp &warp = *thread.warp;
  warp.live &= ~(uint32_t(1) << thread.lane);
  for (Thread *lane : warp.lanes)
    if (lane && lane->meets)
      completeMeeting(warp, lane->mask);
}

void Grid::yield() {
  // Once around without anything but polls: it is for other ranks to move.
  if (++polls >= live && polls % live == 0)
    rest();
  if (!ready.empty())
    suspend(*running);
}

/// Leaves the core to other OS threads; for long, if nothing has happened for
/// long.
void Grid::rest() {
  if (polls / live < 1000)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(std::chrono::microseconds(20));
}

Grid::Stuck Grid::findStuck() {
  for (Block &block : blocks)
    if (block.live != 0) {
      unsigned waiting = 0;
      for (Thread &thread : threads)
        if (thread.block == &block && thread.fiber) {
          ++waiting;
          threadIdx = thread.index;
          blockIdx = block.index;
        }
      return {waiting, static_cast<unsigned>(volume(shape.block))};
    }
  return {0, 0};
}

//===----------------------------------------------------------------------===//
// Barriers and votes
//===----------------------------------------------------------------------===//

/// If as many threads have come as must, lets them go on.
bool Grid::completeBarrier(Barrier &barrier, size_t count) {
  if (barrier.waiting.size() != count)
    return false;
  for (Thread *thread : barrier.waiting) {
    thread->anyAtBarrier = barrier.any;
    if (thread->state == Thread::State::Waiting)
      wake(*thread);
  }
  barrier.waiting.clear();
  barrier.any = false;
  ++barrier.round;
  return true;
}

bool Grid::sync(unsigned number, unsigned count, bool value) {
  Thread &self = *running;
  Barrier &barrier = self.block->barriers[number % barriersOfBlock];
  // By parity: who is fast and comes to the next barrier does not order what
  // it did with what the slow ones do when they leave this one.
  char *tag = &barrier.tags[barrier.round & 1];
  trackRelease(tag);
  barrier.waiting.push_back(&self);
  barrier.any |= value;
  if (!completeBarrier(barrier, number == 0 ? self.block->live : count))
    wait();
  trackAcquire(tag);
  return self.anyAtBarrier;
}

/// The same for the lanes of `mask`, which bring the same one.
bool Grid::completeMeeting(Warp &warp, uint32_t mask) {
  const uint32_t lanes = mask & warp.live;
  uint32_t votes = 0;
  for (unsigned i = 0; i < 32; ++i)
    if (lanes >> i & 1) {
      if (!warp.lanes[i]->meets || warp.lanes[i]->mask != mask)
        return false;
      votes |= uint32_t(warp.lanes[i]->value != 0) << i;
    }
  for (unsigned i = 0; i < 32; ++i)
    if (lanes >> i & 1) {
      Thread &thread = *warp.lanes[i];
      const unsigned from = thread.from & 31;
      const Thread &source = lanes >> from & 1 ? *warp.lanes[from] : thread;
      thread.met = {source.value, votes, lanes};
      thread.meets = false;
      if (thread.state == Thread::State::Waiting)
        wake(thread);
    }
  return true;
}

threads::Meeting Grid::meet(uint32_t mask, uint64_t value, unsigned from,
                            threads::Orders orders) {
  Thread &self = *running;
  if (orders == threads::Orders::Memory)
    trackRelease(&self.warp->tag);
  self.mask = mask | uint32_t(1) << self.lane;
  self.value = value;
  self.from = from;
  self.meets = true;
  if (!completeMeeting(*self.warp, self.mask))
    wait();
  if (orders == threads::Orders::Memory)
    trackAcquire(&self.warp->tag);
  return self.met;
}

//===----------------------------------------------------------------------===//
// What kernels call
//===----------------------------------------------------------------------===//

/// The launch of the calling thread.
static Grid &here() {
  if (Grid *grid = Grid::current())
    return *grid;
  std::fputs("gin: a kernel was called, not launched\n", stderr);
  std::abort();
}

void threads::yield() {
  Untracked scheduler;
  here().yield();
}
bool threads::syncBlock(bool value) {
  Untracked scheduler;
  return here().sync(0, 0, value);
}
bool threads::syncSome(unsigned number, unsigned count, bool value) {
  Untracked scheduler;
  return here().sync(number, count, value);
}
threads::Meeting threads::meet(uint32_t mask, uint64_t value, unsigned from,
                               Orders orders) {
  Untracked scheduler;
  return here().meet(mask, value, from, orders);
}
unsigned threads::lane() {
  Untracked scheduler;
  return here().lane();
}
void *threads::dynamicMemory() {
  Untracked scheduler;
  return here().dynamicMemory();
}
void threads::fence() {
  // ThreadSanitizer knows no fences: for it, each orders all that a rank's
  // threads did before theirs.
  void *tag = here().tag();
  trackAcquire(tag);
  trackRelease(tag);
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
}
uint64_t threads::nanoseconds() {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(
          std::chrono::steady_clock::now().time_since_epoch())
          .count());
}
