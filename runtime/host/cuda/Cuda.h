//===- Cuda.h - ranks on GPUs -----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_HOST_CUDA_CUDA_H
#define GIN_HOST_CUDA_CUDA_H

#include "runtime/host/Backend.h"

#include <cuda_runtime_api.h>

#include <map>
#include <mutex>
#include <vector>

namespace gin::host {

/// The result for an error of CUDA; `what` is what was tried.
ginResult_t failCuda(cudaError_t error, const char *what) noexcept;

#define GIN_TRY_CUDA(call)                                                     \
  do {                                                                         \
    if (cudaError_t error_ = (call))                                           \
      return ::gin::host::failCuda(error_, #call);                             \
  } while (false)

/// Makes a device current for a scope.
class DeviceScope {
public:
  explicit DeviceScope(int device) {
    if (cudaGetDevice(&previous) != cudaSuccess)
      previous = -1;
    if (previous != device)
      cudaSetDevice(device);
    else
      previous = -1;
  }
  ~DeviceScope() {
    if (previous >= 0)
      cudaSetDevice(previous);
  }
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &operator=(const DeviceScope &) = delete;

private:
  int previous = -1;
};

/// One GPU for each rank; all reach each other's memory.
class CudaBackend : public Backend {
public:
  explicit CudaBackend(std::vector<int> devices)
      : devices(std::move(devices)) {}
  ~CudaBackend() override;
  ginResult_t start();

  ginBackend_t kind() const override { return GIN_BACKEND_CUDA; }
  int device(int rank) const override {
    return devices[static_cast<size_t>(rank)];
  }
  int multiprocessors(int rank) const override {
    return counts[static_cast<size_t>(rank)];
  }
  ginResult_t checkSetUp(int rank) const override;
  ginResult_t isCapturing(int rank, void *stream,
                          bool &capturing) const override;
  ginResult_t allocate(int rank, size_t bytes, void **out) override;
  void release(int rank, void *memory) override;
  ginResult_t allocateCommon(size_t bytes, void **out) override;
  void releaseCommon(void *memory) override;
  ginResult_t copy(int rank, void *to, const void *from, size_t bytes) override;
  ginResult_t checkMemory(int rank, const void *base,
                          size_t bytes) const override;
  ginResult_t preload(int rank, const void *function, size_t shared,
                      void *stream) override;
  ginResult_t maxBlocks(int rank, const void *function, unsigned threads,
                        size_t shared, uint64_t &blocks) override;
  ginResult_t createQueue(int rank, State *state, unsigned lanes,
                          std::unique_ptr<LaunchQueue> &queue) override;
  ginResult_t synchronize(int rank) override;

private:
  const std::vector<int> devices;
  std::vector<int> counts;               // of multiprocessors
  std::vector<cudaStream_t> streams;     // of set-up; one for each rank
  std::vector<cudaEvent_t> probes;       // never recorded; one for each rank
  std::mutex mutex;                      // of what follows
  std::map<const void *, size_t> loaded; // functions, with shared memory
};

} // namespace gin::host

#endif // GIN_HOST_CUDA_CUDA_H
