//===- Backend.cpp - ranks on threads of the host -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Backend.h"
#include "runtime/host/threads/RankThread.h"

#include <cstdlib>
#include <map>
#include <sys/mman.h>

using namespace gin;
using namespace gin::host;

namespace {

/// What a block may have on a GPU of compute capability 9.0.
constexpr size_t maxShared = size_t(227) << 10;

class HostBackend : public Backend {
public:
  explicit HostBackend(int ranks)
      : threads(static_cast<size_t>(ranks) * GIN_MAX_LANES) {}
  ~HostBackend() override {
    // Lanes wait for each other: none goes before all have ended.
    for (RankThread &thread : threads)
      thread.waitForAll();
  }

  ginBackend_t kind() const override { return GIN_BACKEND_HOST; }
  int device(int) const override { return -1; }
  int multiprocessors(int) const override { return GIN_HOST_MAX_THREADS; }
  ginResult_t checkSetUp(int) const override { return GIN_SUCCESS; }
  ginResult_t isCapturing(int, void *, bool &capturing) const override {
    capturing = false;
    return GIN_SUCCESS;
  }
  ginResult_t allocate(int rank, size_t bytes, void **out) override;
  void release(int rank, void *memory) override;
  ginResult_t allocateCommon(size_t bytes, void **out) override {
    return allocate(0, bytes, out);
  }
  void releaseCommon(void *memory) override { release(0, memory); }
  ginResult_t copy(int, void *to, const void *from, size_t bytes) override {
    std::memmove(to, from, bytes);
    return GIN_SUCCESS;
  }
  ginResult_t checkMemory(int rank, const void *base,
                          size_t bytes) const override;
  ginResult_t preload(int rank, const void *function, size_t shared,
                      void *stream) override;
  ginResult_t maxBlocks(int rank, const void *function, unsigned blockThreads,
                        size_t shared, uint64_t &blocks) override;
  ginResult_t createQueue(int rank, State *state, unsigned lanes,
                          std::unique_ptr<LaunchQueue> &queue) override;
  ginResult_t synchronize(int rank) override {
    for (unsigned lane = 0; lane < GIN_MAX_LANES; ++lane)
      lanesOf(rank)[lane].waitForAll();
    return GIN_SUCCESS;
  }

private:
  struct Allocation {
    size_t bytes;
    int rank;
    bool mapped;
  };
  /// Lane 0 is the rank's only stream, and programs share the others too.
  RankThread *lanesOf(int rank) {
    return threads.data() + static_cast<size_t>(rank) * GIN_MAX_LANES;
  }

  std::vector<RankThread> threads; // the lanes of rank 0, of rank 1, ...
  mutable std::mutex mutex;        // of `allocations`
  std::map<uintptr_t, Allocation> allocations; // by address
};

class HostQueue : public LaunchQueue {
public:
  HostQueue(RankThread *lanes, unsigned count, State *state)
      : lanes(lanes), state(state), last(count) {}
  const Program *programOf(const void *function,
                           void *const *arguments) const override {
    const auto &kernel = *static_cast<const HostKernel *>(function);
    return kernel.first < kernel.count &&
                   kernel.sizes[kernel.first] == sizeof(Program)
               ? static_cast<const Program *>(arguments[kernel.first])
               : nullptr;
  }
  ginResult_t launch(const void *function, const ginLaunchConfig_t &config,
                     void **arguments) override {
    GIN_TRY(checkStream(config.stream));
    const GridShape shape = {
        {config.grid[0], config.grid[1], config.grid[2]},
        {config.block[0], config.block[1], config.block[2]},
        config.shared};
    last[config.lane] = lanes[config.lane].launch(
        *static_cast<const HostKernel *>(function), arguments, shape, state);
    return GIN_SUCCESS;
  }
  ginResult_t copy(const CopyShape &copy, void *stream,
                   unsigned lane) override {
    GIN_TRY(checkStream(stream));
    last[lane] = lanes[lane].copy(copy);
    return GIN_SUCCESS;
  }
  ginResult_t order(void *stream, unsigned before, unsigned after) override {
    GIN_TRY(checkStream(stream));
    last[after] = lanes[after].follow(lanes[before]);
    return GIN_SUCCESS;
  }
  ginResult_t findCapture(void *, uint64_t &number) const override {
    number = 0;
    return GIN_SUCCESS;
  }
  void wait() override {
    for (size_t lane = 0; lane < last.size(); ++lane)
      lanes[lane].wait(last[lane]);
  }

private:
  static ginResult_t checkStream(void *stream) {
    return stream ? fail(GIN_ERR_INVALID_ARGUMENT,
                         "the host has no streams, pass a null pointer")
                  : GIN_SUCCESS;
  }

  RankThread *const lanes;
  State *const state;
  std::vector<uint64_t> last; // job of each lane
};

} // namespace

ginResult_t HostBackend::allocate(int rank, size_t bytes, void **out) {
  // Large memory from the system, of which only what is touched is there; the
  // rest from malloc, so that AddressSanitizer knows where it ends.
  const bool mapped = bytes >= size_t(64) << 20;
  void *memory = nullptr;
  if (mapped) {
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      memory = nullptr;
  } else if (posix_memalign(&memory, 256, bytes) == 0) {
    std::memset(memory, 0, bytes);
  } else {
    memory = nullptr;
  }
  if (!memory)
    return fail(GIN_ERR_OUT_OF_MEMORY,
                std::to_string(bytes) + " bytes of host memory");
  std::lock_guard<std::mutex> lock(mutex);
  allocations[reinterpret_cast<uintptr_t>(memory)] = {bytes, rank, mapped};
  *out = memory;
  return GIN_SUCCESS;
}

void HostBackend::release(int, void *memory) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = allocations.find(reinterpret_cast<uintptr_t>(memory));
  if (found == allocations.end())
    return;
  if (found->second.mapped)
    munmap(memory, found->second.bytes);
  else
    std::free(memory);
  allocations.erase(found);
}

// Of memory from elsewhere nothing is known, and nothing is checked.
ginResult_t HostBackend::checkMemory(int rank, const void *base,
                                     size_t bytes) const {
  const uintptr_t address = reinterpret_cast<uintptr_t>(base);
  std::lock_guard<std::mutex> lock(mutex);
  auto next = allocations.upper_bound(address);
  if (next == allocations.begin())
    return GIN_SUCCESS;
  const auto &[start, allocation] = *std::prev(next);
  const uintptr_t offset = address - start;
  if (offset >= allocation.bytes)
    return GIN_SUCCESS;
  if (allocation.rank != rank)
    return fail(GIN_ERR_INVALID_ARGUMENT,
                "this is memory of rank " + std::to_string(allocation.rank) +
                    ", not of rank " + std::to_string(rank));
  if (bytes > allocation.bytes - offset)
    return fail(GIN_ERR_INVALID_ARGUMENT,
                "the memory ends " +
                    std::to_string(offset + bytes - allocation.bytes) +
                    " bytes after its allocation");
  return GIN_SUCCESS;
}

ginResult_t HostBackend::preload(int, const void *function, size_t shared,
                                 void *) {
  // Whatever it is, so much can be read: a function of nvcc's is longer.
  uint64_t magic;
  std::memcpy(&magic, function, sizeof magic);
  if (magic != HostKernel::expected)
    return fail(GIN_ERR_INVALID_ARGUMENT,
                "not a kernel for the host, which GIN_KERNEL of "
                "runtime/device/Kernel.h gives where nvcc does not compile");
  if (shared > maxShared)
    return fail(GIN_ERR_NOT_RESIDENT,
                std::to_string(shared) +
                    " bytes of dynamic shared memory are more than a block "
                    "can have");
  return GIN_SUCCESS;
}

ginResult_t HostBackend::maxBlocks(int, const void *, unsigned blockThreads,
                                   size_t, uint64_t &blocks) {
  blocks = GIN_HOST_MAX_THREADS / blockThreads;
  return GIN_SUCCESS;
}

ginResult_t HostBackend::createQueue(int rank, State *state, unsigned lanes,
                                     std::unique_ptr<LaunchQueue> &queue) {
  queue = std::make_unique<HostQueue>(lanesOf(rank), lanes, state);
  return GIN_SUCCESS;
}

ginResult_t gin::host::createHostBackend(int n,
                                         std::unique_ptr<Backend> &backend) {
  backend = std::make_unique<HostBackend>(n);
  return GIN_SUCCESS;
}
