//===- Memory.cpp - memory of GPUs ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/cuda/Cuda.h"

#include <cuda.h>

#include <cstring>

using namespace gin;
using namespace gin::host;

ginResult_t CudaBackend::allocate(int rank, size_t bytes, void **out) {
  DeviceScope scope(device(rank));
  void *memory = nullptr;
  GIN_TRY_CUDA(cudaMalloc(&memory, bytes));
  cudaStream_t stream = streams[static_cast<size_t>(rank)];
  cudaError_t error = cudaMemsetAsync(memory, 0, bytes, stream);
  if (!error)
    error = cudaStreamSynchronize(stream);
  if (error) {
    cudaFree(memory);
    return failCuda(error, "cudaMemsetAsync");
  }
  *out = memory;
  return GIN_SUCCESS;
}

void CudaBackend::release(int rank, void *memory) {
  DeviceScope scope(device(rank));
  cudaFree(memory);
}

ginResult_t CudaBackend::allocateCommon(size_t bytes, void **out) {
  DeviceScope scope(devices[0]);
  void *memory = nullptr;
  GIN_TRY_CUDA(cudaHostAlloc(&memory, bytes,
                             cudaHostAllocPortable | cudaHostAllocMapped));
  std::memset(memory, 0, bytes);
  *out = memory;
  return GIN_SUCCESS;
}

void CudaBackend::releaseCommon(void *memory) { cudaFreeHost(memory); }

ginResult_t CudaBackend::copy(int rank, void *to, const void *from,
                              size_t bytes) {
  DeviceScope scope(device(rank));
  cudaStream_t stream = streams[static_cast<size_t>(rank)];
  GIN_TRY_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream));
  GIN_TRY_CUDA(cudaStreamSynchronize(stream));
  return GIN_SUCCESS;
}

/// The allocation that holds `address`. By the driver's function, which the
/// CUDA runtime lacks; without it, nothing is known and nothing is checked.
static bool allocationOf(const void *address, uintptr_t &base, size_t &bytes) {
  using Function = CUresult (*)(CUdeviceptr *, size_t *, CUdeviceptr);
  static const Function function = [] {
    void *found = nullptr;
    cudaDriverEntryPointQueryResult result;
#if CUDART_VERSION >= 12050
    cudaError_t error = cudaGetDriverEntryPointByVersion(
        "cuMemGetAddressRange", &found, 12000, cudaEnableDefault, &result);
#else
    cudaError_t error = cudaGetDriverEntryPoint("cuMemGetAddressRange", &found,
                                                cudaEnableDefault, &result);
#endif
    return error == cudaSuccess ? reinterpret_cast<Function>(found) : nullptr;
  }();
  CUdeviceptr start = 0;
  if (!function ||
      function(&start, &bytes, reinterpret_cast<CUdeviceptr>(address)) !=
          CUDA_SUCCESS)
    return false;
  base = static_cast<uintptr_t>(start);
  return true;
}

ginResult_t CudaBackend::checkMemory(int rank, const void *base,
                                     size_t bytes) const {
  DeviceScope scope(device(rank));
  cudaPointerAttributes attributes;
  GIN_TRY_CUDA(cudaPointerGetAttributes(&attributes, base));
  if (attributes.type != cudaMemoryTypeDevice ||
      attributes.device != device(rank))
    return fail(GIN_ERR_INVALID_ARGUMENT,
                "this is not memory of device " + std::to_string(device(rank)) +
                    ", on which rank " + std::to_string(rank) + " is");
  uintptr_t start;
  size_t size;
  if (allocationOf(base, start, size) &&
      bytes > size - (reinterpret_cast<uintptr_t>(base) - start))
    return fail(GIN_ERR_INVALID_ARGUMENT,
                "the memory ends " +
                    std::to_string(reinterpret_cast<uintptr_t>(base) - start +
                                   bytes - size) +
                    " bytes after its allocation");
  return GIN_SUCCESS;
}
