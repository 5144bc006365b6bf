//===- Launch.cpp - launches in stream order ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/cuda/Cuda.h"

using namespace gin;
using namespace gin::host;

/// What the GPU is, where code for another one is a likely reason.
static ginResult_t failToLoad(int device, cudaError_t error) {
  ginResult_t result = failCuda(error, "cudaFuncGetAttributes");
  if (error != cudaErrorNoKernelImageForDevice &&
      error != cudaErrorInvalidDeviceFunction)
    return result;
  const std::string why = ginGetLastError();
  cudaDeviceProp properties;
  GIN_TRY_CUDA(cudaGetDeviceProperties(&properties, device));
  return fail(GIN_ERR_NO_BACKEND,
              "there is no code of the kernel for device " +
                  std::to_string(device) + ", " + properties.name + " (sm_" +
                  std::to_string(properties.major) +
                  std::to_string(properties.minor) + "): " + why);
}

// Before any GPU runs a kernel that waits: loading code lazily can wait for
// running kernels.
ginResult_t CudaBackend::preload(int rank, const void *function, size_t bytes,
                                 void *stream) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = loaded.find(function);
  if (found != loaded.end() && found->second >= bytes)
    return GIN_SUCCESS;
  // Asked of the stream, the capture stays what it is.
  bool capturing;
  GIN_TRY(isCapturing(rank, stream, capturing));
  if (capturing)
    return fail(GIN_ERR_IN_CAPTURE,
                "the first launch of a kernel loads it, and the stream is "
                "being captured into a graph: call ginProgramPreload before");
  for (size_t i = 0; i < devices.size(); ++i)
    GIN_TRY(checkSetUp(static_cast<int>(i)));
  for (int device : devices) {
    DeviceScope scope(device);
    cudaFuncAttributes attributes;
    if (cudaError_t error = cudaFuncGetAttributes(&attributes, function))
      return failToLoad(device, error);
    if (bytes > 0 && cudaFuncSetAttribute(
                         function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(bytes)) != cudaSuccess) {
      cudaGetLastError();
      return fail(GIN_ERR_NOT_RESIDENT,
                  std::to_string(bytes) +
                      " bytes of dynamic shared memory are more than a block "
                      "can have");
    }
  }
  loaded[function] = bytes;
  return GIN_SUCCESS;
}

ginResult_t CudaBackend::maxBlocks(int rank, const void *function,
                                   unsigned threads, size_t shared,
                                   uint64_t &blocks) {
  DeviceScope scope(device(rank));
  int each = 0;
  GIN_TRY_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
      &each, function, static_cast<int>(threads), shared));
  blocks =
      uint64_t(each) * uint64_t(multiprocessors[static_cast<size_t>(rank)]);
  return GIN_SUCCESS;
}

ginResult_t CudaBackend::synchronize(int rank) {
  // Not by events of launches: replays of graphs have none.
  DeviceScope scope(device(rank));
  GIN_TRY_CUDA(cudaDeviceSynchronize());
  return GIN_SUCCESS;
}

namespace {

class CudaQueue : public LaunchQueue {
public:
  explicit CudaQueue(int device) : device(device) {}
  ~CudaQueue() override {
    DeviceScope scope(device);
    if (ended)
      cudaEventDestroy(ended);
  }
  ginResult_t start() {
    DeviceScope scope(device);
    GIN_TRY_CUDA(cudaEventCreateWithFlags(&ended, cudaEventDisableTiming));
    return GIN_SUCCESS;
  }
  ginResult_t launch(const void *function, const ginLaunchConfig_t &config,
                     void **arguments) override;
  void wait() override {
    DeviceScope scope(device);
    if (launched)
      cudaEventSynchronize(ended);
  }

private:
  ginResult_t checkOrder(cudaStream_t next, unsigned long long nextCapture);

  const int device;
  cudaEvent_t ended = nullptr;    // after the last launch
  cudaStream_t stream = nullptr;  // of the last launch
  bool launched = false;          // outside a capture
  unsigned long long capture = 0; // in which the last launch was captured
};

} // namespace

/// Whether a launch in `next` follows the last one of this program.
/// `nextCapture` is the number of the capture that the stream is in, or 0.
ginResult_t CudaQueue::checkOrder(cudaStream_t next,
                                  unsigned long long nextCapture) {
  const char *advice = ": launches of one program follow each other";
  if (nextCapture != 0) {
    if (capture == nextCapture && stream != next)
      return fail(GIN_ERR_SIGNAL_PENDING,
                  std::string("two streams of one capture") + advice);
    return GIN_SUCCESS;
  }
  if (!launched || stream == next)
    return GIN_SUCCESS;
  cudaError_t error = cudaEventQuery(ended);
  if (error == cudaErrorNotReady) {
    cudaGetLastError();
    return fail(GIN_ERR_SIGNAL_PENDING,
                std::string("the last launch still runs in another stream") +
                    advice);
  }
  return error ? failCuda(error, "cudaEventQuery") : GIN_SUCCESS;
}

ginResult_t CudaQueue::launch(const void *function,
                              const ginLaunchConfig_t &config,
                              void **arguments) {
  DeviceScope scope(device);
  auto next = static_cast<cudaStream_t>(config.stream);
  cudaStreamCaptureStatus status;
  unsigned long long nextCapture = 0;
#if CUDART_VERSION >= 13000
  GIN_TRY_CUDA(cudaStreamGetCaptureInfo(next, &status, &nextCapture, nullptr,
                                        nullptr, nullptr, nullptr));
#else
  GIN_TRY_CUDA(cudaStreamGetCaptureInfo_v2(next, &status, &nextCapture));
#endif
  if (status != cudaStreamCaptureStatusActive)
    nextCapture = 0;
  GIN_TRY(checkOrder(next, nextCapture));

  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = dim3(config.grid[0], config.grid[1], config.grid[2]);
  launch.blockDim = dim3(config.block[0], config.block[1], config.block[2]);
  launch.dynamicSmemBytes = config.shared;
  launch.stream = next;
  launch.attrs = &attribute;
  launch.numAttrs = 1;
  GIN_TRY_CUDA(cudaLaunchKernelExC(&launch, function, arguments));
  stream = next;
  capture = nextCapture;
  if (nextCapture == 0) {
    GIN_TRY_CUDA(cudaEventRecord(ended, next));
    launched = true;
  }
  return GIN_SUCCESS;
}

ginResult_t CudaBackend::createQueue(int rank, State *,
                                     std::unique_ptr<LaunchQueue> &queue) {
  auto made = std::make_unique<CudaQueue>(device(rank));
  GIN_TRY(made->start());
  queue = std::move(made);
  return GIN_SUCCESS;
}
