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

uint64_t RankThread::launch(const HostKernel &kernel, void *const *arguments,
                            const GridShape &shape, State *state) {
  Launch launch{&kernel, {}, {}, shape, state};
  size_t end = 0;
  for (size_t i = 0; i < kernel.count; ++i)
    end += (kernel.sizes[i] + sizeof(Piece) - 1) / sizeof(Piece);
  launch.values.resize(end);
  end = 0;
  for (size_t i = 0; i < kernel.count; ++i) {
    void *place = launch.values.data() + end;
    std::memcpy(place, arguments[i], kernel.sizes[i]);
    launch.pointers.push_back(place);
    end += (kernel.sizes[i] + sizeof(Piece) - 1) / sizeof(Piece);
  }
  std::lock_guard<std::mutex> lock(mutex);
  if (!thread.joinable())
    thread = std::thread([this] { serve(); });
  waiting.push_back(std::move(launch));
  changed.notify_all();
  return ++launched;
}

void RankThread::wait(uint64_t number) {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return ended >= number; });
}
void RankThread::waitForAll() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return ended == launched; });
}

void RankThread::serve() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return closed || !waiting.empty(); });
    if (waiting.empty())
      return;
    const Launch launch = std::move(waiting.front());
    waiting.pop_front();
    lock.unlock();
    run(launch);
    lock.lock();
    ++ended;
    changed.notify_all();
  }
}

void RankThread::run(const Launch &launch) {
  const Site site = {"the launch", "", 0};
  try {
    Grid grid(*launch.kernel, launch.pointers.data(), launch.shape);
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
