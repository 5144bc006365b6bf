//===- Launch.cpp - launches in stream order ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/cuda/Cuda.h"

#include <algorithm>

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
  blocks = uint64_t(each) * uint64_t(multiprocessors(rank));
  return GIN_SUCCESS;
}

ginResult_t CudaBackend::synchronize(int rank) {
  // Not by events of launches: replays of graphs have none.
  DeviceScope scope(device(rank));
  GIN_TRY_CUDA(cudaDeviceSynchronize());
  return GIN_SUCCESS;
}

namespace {

/// A stream, and the number of the capture that it is in, or 0.
struct Place {
  cudaStream_t stream;
  unsigned long long capture;
};

class CudaQueue : public LaunchQueue {
public:
  CudaQueue(int device, unsigned lanes) : device(device), others(lanes - 1) {}
  ~CudaQueue() override;
  ginResult_t start();
  const Program *programOf(const void *,
                           void *const *arguments) const override {
    return static_cast<const Program *>(arguments[0]);
  }
  ginResult_t launch(const void *function, const ginLaunchConfig_t &config,
                     void **arguments) override;
  ginResult_t copy(const CopyShape &copy, void *stream, unsigned lane) override;
  ginResult_t order(void *stream, unsigned before, unsigned after) override;
  ginResult_t findCapture(void *stream, uint64_t &number) const override {
    DeviceScope scope(device);
    Place place;
    GIN_TRY(find(stream, 0, place));
    number = place.capture;
    return GIN_SUCCESS;
  }
  void wait() override;

private:
  ginResult_t find(void *stream, unsigned lane, Place &place) const;
  ginResult_t enter(void *stream, unsigned lane, Place &place) const;
  ginResult_t checkOrder(const Place &next) const;
  ginResult_t leave(unsigned lane, const Place &place);

  const int device;
  std::vector<cudaStream_t> others; // lanes from 1 on
  cudaEvent_t ordered = nullptr;    // recorded and waited for by each order
  cudaEvent_t ended = nullptr;      // after the last work of lane 0
  Place last = {nullptr, 0};        // of lane 0
  bool used = false;                // outside a capture
};

} // namespace

ginResult_t CudaQueue::start() {
  DeviceScope scope(device);
  GIN_TRY_CUDA(cudaEventCreateWithFlags(&ended, cudaEventDisableTiming));
  if (!others.empty())
    GIN_TRY_CUDA(cudaEventCreateWithFlags(&ordered, cudaEventDisableTiming));
  for (cudaStream_t &stream : others)
    GIN_TRY_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return GIN_SUCCESS;
}

CudaQueue::~CudaQueue() {
  DeviceScope scope(device);
  for (cudaStream_t stream : others)
    if (stream)
      cudaStreamDestroy(stream);
  for (cudaEvent_t event : {ordered, ended})
    if (event)
      cudaEventDestroy(event);
}

void CudaQueue::wait() {
  if (!used)
    return;
  DeviceScope scope(device);
  cudaEventSynchronize(ended);
  for (cudaStream_t stream : others)
    cudaStreamSynchronize(stream);
}

/// What a lane is where `stream` is lane 0.
ginResult_t CudaQueue::find(void *stream, unsigned lane, Place &place) const {
  place = {lane == 0 ? static_cast<cudaStream_t>(stream) : others[lane - 1], 0};
  cudaStreamCaptureStatus status;
#if CUDART_VERSION >= 13000
  GIN_TRY_CUDA(cudaStreamGetCaptureInfo(place.stream, &status, &place.capture,
                                        nullptr, nullptr, nullptr, nullptr));
#else
  GIN_TRY_CUDA(
      cudaStreamGetCaptureInfo_v2(place.stream, &status, &place.capture));
#endif
  if (status != cudaStreamCaptureStatusActive)
    place.capture = 0;
  return GIN_SUCCESS;
}

/// The same for a lane that gets something.
ginResult_t CudaQueue::enter(void *stream, unsigned lane, Place &place) const {
  GIN_TRY(find(stream, lane, place));
  if (lane == 0)
    return checkOrder(place);
  Place first;
  GIN_TRY(find(stream, 0, first));
  if (place.capture == first.capture)
    return GIN_SUCCESS;
  return fail(GIN_ERR_SIGNAL_PENDING,
              "lane " + std::to_string(lane) +
                  " is still in another capture: end that first");
}

/// Whether what lane 0 gets in `next` follows the last launch of this program.
ginResult_t CudaQueue::checkOrder(const Place &next) const {
  const char *advice = ": launches of one program follow each other";
  if (next.capture != 0) {
    if (last.capture == next.capture && last.stream != next.stream)
      return fail(GIN_ERR_SIGNAL_PENDING,
                  std::string("two streams of one capture") + advice);
    return GIN_SUCCESS;
  }
  if (!used || last.stream == next.stream)
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

/// Keeps where the lane has got something.
ginResult_t CudaQueue::leave(unsigned lane, const Place &place) {
  used |= place.capture == 0;
  if (lane != 0)
    return GIN_SUCCESS;
  last = place;
  if (place.capture == 0)
    GIN_TRY_CUDA(cudaEventRecord(ended, place.stream));
  return GIN_SUCCESS;
}

ginResult_t CudaQueue::launch(const void *function,
                              const ginLaunchConfig_t &config,
                              void **arguments) {
  DeviceScope scope(device);
  Place place;
  GIN_TRY(enter(config.stream, config.lane, place));
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = dim3(config.grid[0], config.grid[1], config.grid[2]);
  launch.blockDim = dim3(config.block[0], config.block[1], config.block[2]);
  launch.dynamicSmemBytes = config.shared;
  launch.stream = place.stream;
  launch.attrs = &attribute;
  launch.numAttrs = 1;
  GIN_TRY_CUDA(cudaLaunchKernelExC(&launch, function, arguments));
  return leave(config.lane, place);
}

ginResult_t CudaQueue::copy(const CopyShape &copy, void *stream,
                            unsigned lane) {
  DeviceScope scope(device);
  Place place;
  GIN_TRY(enter(stream, lane, place));
  // CUDA's widest pitch, of which few rows have place in a GPU.
  constexpr uint64_t widest = (uint64_t(1) << 31) - 1;
  if (copy.rows == 1 || std::max(copy.toPitch, copy.fromPitch) > widest)
    for (uint64_t row = 0; row < copy.rows; ++row)
      GIN_TRY_CUDA(cudaMemcpyAsync(copy.to + row * copy.toPitch,
                                   copy.from + row * copy.fromPitch, copy.bytes,
                                   cudaMemcpyDefault, place.stream));
  else
    GIN_TRY_CUDA(cudaMemcpy2DAsync(copy.to, copy.toPitch, copy.from,
                                   copy.fromPitch, copy.bytes, copy.rows,
                                   cudaMemcpyDefault, place.stream));
  return leave(lane, place);
}

ginResult_t CudaQueue::order(void *stream, unsigned before, unsigned after) {
  DeviceScope scope(device);
  Place from, to;
  GIN_TRY(enter(stream, before, from));
  // A stream that waits for an event of a capture takes part in that.
  GIN_TRY(find(stream, after, to));
  if (after == 0 || to.capture != 0)
    GIN_TRY(enter(stream, after, to));
  GIN_TRY_CUDA(cudaEventRecord(ordered, from.stream));
  GIN_TRY_CUDA(cudaStreamWaitEvent(to.stream, ordered, 0));
  return leave(after, {to.stream, from.capture});
}

ginResult_t CudaBackend::createQueue(int rank, State *, unsigned lanes,
                                     std::unique_ptr<LaunchQueue> &queue) {
  auto made = std::make_unique<CudaQueue>(device(rank), lanes);
  GIN_TRY(made->start());
  queue = std::move(made);
  return GIN_SUCCESS;
}
