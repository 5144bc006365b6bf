//===- RankThread.cpp - the OS thread of a rank ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/threads/RankThread.h"

#include "runtime/device/Check.h"

#include <new>

using namespace gin;
using namespace gin::host;

RankThread::~RankThread() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    closed = true;
  }
  changed.notify_all();
  if (thread.joinable())
    thread.join();
}

size_t RankThread::piecesOf(size_t bytes) {
  return (bytes + sizeof(Piece) - 1) / sizeof(Piece);
}

uint64_t RankThread::launch(const HostKernel &kernel, void *const *arguments,
                            const GridShape &shape, State *state) {
  Launch launch{&kernel, {}, shape, state};
  for (size_t i = 0; i < kernel.count; ++i) {
    const size_t place = launch.values.size();
    launch.values.resize(place + piecesOf(kernel.sizes[i]));
    std::memcpy(launch.values.data() + place, arguments[i], kernel.sizes[i]);
  }
  return add([launch = std::move(launch)]() mutable { run(launch); });
}

uint64_t RankThread::copy(const CopyShape &shape) {
  return add([shape] {
    for (uint64_t row = 0; row < shape.rows; ++row)
      std::memmove(shape.to + row * shape.toPitch,
                   shape.from + row * shape.fromPitch, shape.bytes);
  });
}

uint64_t RankThread::follow(RankThread &other) {
  uint64_t number;
  {
    std::lock_guard<std::mutex> lock(other.mutex);
    number = other.added;
  }
  return add([&other, number] { other.wait(number); });
}

uint64_t RankThread::add(std::function<void()> job) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!thread.joinable())
    thread = std::thread([this] { serve(); });
  waiting.push_back(std::move(job));
  changed.notify_all();
  return ++added;
}

void RankThread::wait(uint64_t number) {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return ended >= number; });
}
void RankThread::waitForAll() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return ended == added; });
}

void RankThread::serve() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return closed || !waiting.empty(); });
    if (waiting.empty())
      return;
    std::function<void()> job = std::move(waiting.front());
    waiting.pop_front();
    lock.unlock();
    job();
    job = nullptr;
    lock.lock();
    ++ended;
    changed.notify_all();
  }
}

void RankThread::run(Launch &launch) {
  const Site site = {"the launch", "", 0};
  try {
    std::vector<void *> arguments;
    size_t place = 0;
    for (size_t i = 0; i < launch.kernel->count; ++i) {
      arguments.push_back(launch.values.data() + place);
      place += piecesOf(launch.kernel->sizes[i]);
    }
    Grid grid(*launch.kernel, arguments.data(), launch.shape);
    Grid::Stuck stuck;
    if (!grid.run(stuck))
      detail::recordFault(
          launch.state,
          {GIN_ERR_DIVERGED, -1, 0, 0, stuck.waiting, stuck.threads}, site);
  } catch (const std::bad_alloc &) {
    detail::recordFault(launch.state, {GIN_ERR_OUT_OF_MEMORY, -1, 0, 0, 0, 0},
                        site);
  }
}
