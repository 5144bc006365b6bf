//===- Comm.cpp - communicators -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Objects.h"

#include <algorithm>
#include <cstring>

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

ginResult_t Group::start() {
  size_t count = devices.size();
  calls.resize(count);
  streams.resize(count);
  multiprocessors.resize(count);
  for (size_t i = 0; i < count; ++i) {
    DeviceScope scope(devices[i]);
    GIN_TRY(checkDevice(devices[i]));
    GIN_TRY_CUDA(cudaDeviceGetAttribute(
        &multiprocessors[i], cudaDevAttrMultiProcessorCount, devices[i]));
    for (int peer : devices)
      if (peer != devices[i])
        GIN_TRY(enablePeer(devices[i], peer));
    GIN_TRY_CUDA(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
  }
  DeviceScope scope(devices[0]);
  GIN_TRY_CUDA(cudaHostAlloc(reinterpret_cast<void **>(&abort),
                             count * sizeof *abort,
                             cudaHostAllocPortable | cudaHostAllocMapped));
  std::memset(abort, 0, count * sizeof *abort);
  return GIN_SUCCESS;
}

Group::~Group() {
  for (size_t i = 0; i < streams.size(); ++i)
    if (streams[i]) {
      DeviceScope scope(devices[i]);
      cudaStreamDestroy(streams[i]);
    }
  if (abort)
    cudaFreeHost(abort);
}

ginResult_t ginCommCreateAll(const int *devices, int n, ginComm_t *comms) {
  return guarded([&]() -> ginResult_t {
    if (n < 1 || !comms)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginCommCreateAll: n < 1, or comms is null");
    int present = 0;
    GIN_TRY_CUDA(cudaGetDeviceCount(&present));
    std::vector<int> chosen;
    for (int i = 0; i < n; ++i) {
      int device = devices ? devices[i] : i;
      if (device < 0 || device >= present)
        return fail(GIN_ERR_INVALID_ARGUMENT,
                    "device " + std::to_string(device) + " of rank " +
                        std::to_string(i) + ": there are " +
                        std::to_string(present));
      // Two ranks that wait for each other may not share a GPU.
      if (std::find(chosen.begin(), chosen.end(), device) != chosen.end())
        return fail(GIN_ERR_INVALID_ARGUMENT,
                    "device " + std::to_string(device) + " is listed twice");
      chosen.push_back(device);
    }
    auto group = std::make_shared<Group>(std::move(chosen));
    GIN_TRY(group->start());
    std::vector<std::unique_ptr<ginComm>> made;
    for (int rank = 0; rank < n; ++rank)
      made.push_back(std::make_unique<ginComm>(ginComm{group, rank}));
    for (int rank = 0; rank < n; ++rank)
      comms[rank] = made[rank].release();
    return GIN_SUCCESS;
  });
}

ginResult_t ginCommDestroy(ginComm_t comm) {
  delete comm;
  return GIN_SUCCESS;
}

static ginResult_t answer(ginComm_t comm, int *out, const char *name,
                          int (*value)(const ginComm &)) {
  return guarded([&]() -> ginResult_t {
    if (!comm || !out)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  std::string(name) + ": a null pointer");
    *out = value(*comm);
    return GIN_SUCCESS;
  });
}

ginResult_t ginCommRank(ginComm_t comm, int *rank) {
  return answer(comm, rank, "ginCommRank",
                [](const ginComm &comm) { return comm.rank; });
}
ginResult_t ginCommSize(ginComm_t comm, int *ranks) {
  return answer(comm, ranks, "ginCommSize",
                [](const ginComm &comm) { return comm.group->size(); });
}
ginResult_t ginCommDevice(ginComm_t comm, int *device) {
  return answer(comm, device, "ginCommDevice", [](const ginComm &comm) {
    return comm.group->devices[static_cast<size_t>(comm.rank)];
  });
}

ginResult_t ginCommAbort(ginComm_t comm) {
  return guarded([&]() -> ginResult_t {
    if (!comm)
      return fail(GIN_ERR_INVALID_ARGUMENT, "ginCommAbort: comm is null");
    for (int rank = 0; rank < comm->group->size(); ++rank)
      __atomic_store_n(&comm->group->abort[rank], 1u, __ATOMIC_RELEASE);
    return GIN_SUCCESS;
  });
}
