//===- Backend.cpp - GPUs that reach each other's memory ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/cuda/Cuda.h"

#include <algorithm>
#include <set>
#include <utility>

using namespace gin;
using namespace gin::host;

/// Lets the current device reach `peer`. Left on at the end: others in this
/// process may rely on it too.
static ginResult_t enablePeer(int device, int peer) {
  // Asking twice is an error of CUDA, which tools would report.
  static std::mutex mutex;
  static std::set<std::pair<int, int>> enabled;
  std::lock_guard<std::mutex> lock(mutex);
  if (enabled.count({device, peer}))
    return GIN_SUCCESS;
  int possible = 0;
  GIN_TRY_CUDA(cudaDeviceCanAccessPeer(&possible, device, peer));
  if (!possible)
    return fail(GIN_ERR_NO_PEER_ACCESS, "device " + std::to_string(device) +
                                            " cannot reach device " +
                                            std::to_string(peer));
  cudaError_t error = cudaDeviceEnablePeerAccess(peer, 0);
  if (error == cudaErrorPeerAccessAlreadyEnabled) {
    cudaGetLastError();
    error = cudaSuccess;
  }
  if (error)
    return failCuda(error, "cudaDeviceEnablePeerAccess");
  enabled.insert({device, peer});
  return GIN_SUCCESS;
}

static ginResult_t checkDevice(int device) {
  cudaDeviceProp properties;
  GIN_TRY_CUDA(cudaGetDeviceProperties(&properties, device));
  if (properties.major * 10 + properties.minor < 75)
    return fail(GIN_ERR_NO_BACKEND, "device " + std::to_string(device) + " (" +
                                        properties.name +
                                        ") is older than sm_75");
  if (!properties.cooperativeLaunch || !properties.canMapHostMemory)
    return fail(GIN_ERR_NO_BACKEND,
                "device " + std::to_string(device) +
                    " has no cooperative launches or mapped host memory");
  return GIN_SUCCESS;
}

ginResult_t CudaBackend::start() {
  size_t count = devices.size();
  streams.resize(count);
  probes.resize(count);
  counts.resize(count);
  for (size_t i = 0; i < count; ++i) {
    DeviceScope scope(devices[i]);
    GIN_TRY(checkDevice(devices[i]));
    GIN_TRY_CUDA(cudaEventCreateWithFlags(&probes[i], cudaEventDisableTiming));
    GIN_TRY(checkSetUp(static_cast<int>(i)));
    GIN_TRY_CUDA(cudaDeviceGetAttribute(
        &counts[i], cudaDevAttrMultiProcessorCount, devices[i]));
    for (int peer : devices)
      if (peer != devices[i])
        GIN_TRY(enablePeer(devices[i], peer));
    GIN_TRY_CUDA(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
  }
  return GIN_SUCCESS;
}

CudaBackend::~CudaBackend() {
  for (size_t i = 0; i < streams.size(); ++i) {
    DeviceScope scope(devices[i]);
    if (streams[i])
      cudaStreamDestroy(streams[i]);
    if (probes[i])
      cudaEventDestroy(probes[i]);
  }
}

// First by what leaves the capture as it is, which only finds streams that
// synchronise with the null stream; then by a call that CUDA forbids while a
// stream is captured, as far as the modes of thread and capture say, and that
// does nothing else.
ginResult_t CudaBackend::checkSetUp(int rank) const {
  bool capturing;
  GIN_TRY(isCapturing(rank, nullptr, capturing));
  DeviceScope scope(device(rank));
  GIN_TRY_CUDA(cudaEventQuery(probes[static_cast<size_t>(rank)]));
  return GIN_SUCCESS;
}

ginResult_t CudaBackend::isCapturing(int rank, void *stream,
                                     bool &capturing) const {
  DeviceScope scope(device(rank));
  cudaStreamCaptureStatus status;
  GIN_TRY_CUDA(
      cudaStreamIsCapturing(static_cast<cudaStream_t>(stream), &status));
  capturing = status != cudaStreamCaptureStatusNone;
  return GIN_SUCCESS;
}

ginResult_t gin::host::createCudaBackend(const int *devices, int n,
                                         std::unique_ptr<Backend> &backend) {
  int present = 0;
  if (cudaError_t error = cudaGetDeviceCount(&present)) {
    const ginResult_t result = failCuda(error, "cudaGetDeviceCount");
    return fail(result, std::string("there is no GPU, or no driver for it: ") +
                            ginGetLastError());
  }
  std::vector<int> chosen;
  for (int i = 0; i < n; ++i) {
    int device = devices ? devices[i] : i;
    if (device < 0 || device >= present)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "rank " + std::to_string(i) + " is to have device " +
                      std::to_string(device) + ", and there are " +
                      std::to_string(present));
    // Two ranks that wait for each other may not share a GPU.
    if (std::find(chosen.begin(), chosen.end(), device) != chosen.end())
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "device " + std::to_string(device) + " is listed twice");
    chosen.push_back(device);
  }
  auto made = std::make_unique<CudaBackend>(std::move(chosen));
  GIN_TRY(made->start());
  backend = std::move(made);
  return GIN_SUCCESS;
}
