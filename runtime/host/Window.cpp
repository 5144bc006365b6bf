//===- Window.cpp - windows over existing allocations ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Objects.h"

#include <cuda.h>

#include <cstring>

using namespace gin;
using namespace gin::host;

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

static ginResult_t checkMemory(const Group &group, int rank, const void *base,
                               size_t bytes) {
  if (bytes == 0)
    return GIN_SUCCESS;
  std::string who = "the window of rank " + std::to_string(rank);
  if (!base)
    return fail(GIN_ERR_INVALID_ARGUMENT, who + " has a null base");
  if (reinterpret_cast<uintptr_t>(base) % 16 != 0)
    return fail(GIN_ERR_INVALID_ARGUMENT, who + " is not aligned to 16 bytes");
  int device = group.devices[static_cast<size_t>(rank)];
  cudaPointerAttributes attributes;
  GIN_TRY_CUDA(cudaPointerGetAttributes(&attributes, base));
  if (attributes.type != cudaMemoryTypeDevice || attributes.device != device)
    return fail(GIN_ERR_INVALID_ARGUMENT,
                who + " is not memory of device " + std::to_string(device));
  uintptr_t start;
  size_t size;
  if (allocationOf(base, start, size) &&
      bytes > size - (reinterpret_cast<uintptr_t>(base) - start))
    return fail(GIN_ERR_INVALID_ARGUMENT,
                who + " ends " +
                    std::to_string(reinterpret_cast<uintptr_t>(base) - start +
                                   bytes - size) +
                    " bytes after its allocation");
  return GIN_SUCCESS;
}

SharedWindow::~SharedWindow() {
  for (size_t rank = 0; rank < tables.size(); ++rank)
    if (tables[rank]) {
      DeviceScope scope(group->devices[rank]);
      cudaFree(tables[rank]);
    }
}

ginResult_t ginWindowRegister(ginComm_t comm, void *base, size_t bytes,
                              unsigned rights, ginWindow_t *window) {
  return guarded([&]() -> ginResult_t {
    if (!comm || !window)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginWindowRegister: a null pointer");
    if (rights & ~unsigned(GIN_RIGHT_ALL))
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginWindowRegister: unknown rights");
    Group &group = *comm->group;
    DeviceScope scope(group.devices[static_cast<size_t>(comm->rank)]);
    GIN_TRY(checkMemory(group, comm->rank, base, bytes));
    auto handle = std::make_unique<ginWindow>();
    handle->rank = comm->rank;
    std::lock_guard<std::mutex> lock(group.mutex);
    GIN_TRY(group.join(comm->rank, handle->shared, [&](SharedWindow &other) {
      return other.rights == rights;
    }));
    SharedWindow &shared = *handle->shared;
    if (shared.parts.empty()) {
      shared.group = comm->group;
      shared.parts.resize(group.devices.size());
      shared.tables.resize(group.devices.size());
      shared.rights = rights;
      shared.id = group.windows++;
    }
    shared.parts[static_cast<size_t>(comm->rank)] = {static_cast<char *>(base),
                                                     bytes};
    *window = handle.release();
    return GIN_SUCCESS;
  });
}

ginResult_t ginWindowRegisterLocal(ginComm_t comm, void *base, size_t bytes,
                                   ginWindow_t *window) {
  return guarded([&]() -> ginResult_t {
    if (!comm || !window)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginWindowRegisterLocal: a null pointer");
    Group &group = *comm->group;
    DeviceScope scope(group.devices[static_cast<size_t>(comm->rank)]);
    GIN_TRY(checkMemory(group, comm->rank, base, bytes));
    auto handle = std::make_unique<ginWindow>();
    handle->rank = comm->rank;
    handle->shared = std::make_shared<SharedWindow>();
    SharedWindow &shared = *handle->shared;
    shared.group = comm->group;
    // The other ranks' parts are empty, and no right is given.
    shared.parts.resize(group.devices.size());
    shared.tables.resize(group.devices.size());
    shared.parts[static_cast<size_t>(comm->rank)] = {static_cast<char *>(base),
                                                     bytes};
    std::lock_guard<std::mutex> lock(group.mutex);
    shared.id = group.windows++;
    *window = handle.release();
    return GIN_SUCCESS;
  });
}

ginResult_t ginWindowDestroy(ginWindow_t window) {
  delete window;
  return GIN_SUCCESS;
}

ginResult_t ginWindowGetDevice(ginWindow_t window, void *out, size_t size) {
  return guarded([&]() -> ginResult_t {
    if (!window || !out || size != sizeof(Window))
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  "ginWindowGetDevice: a null pointer, or a gin::Window of "
                  "another version");
    SharedWindow &shared = *window->shared;
    Group &group = *shared.group;
    std::lock_guard<std::mutex> lock(group.mutex);
    if (!shared.complete())
      return fail(GIN_ERR_INCOMPLETE, std::to_string(shared.missing) +
                                          " ranks have not registered window " +
                                          std::to_string(shared.id));
    const size_t rank = static_cast<size_t>(window->rank);
    const size_t ranks = shared.parts.size();
    if (ranks > directRanks && !shared.tables[rank]) {
      DeviceScope scope(group.devices[rank]);
      const size_t bytes = ranks * sizeof(Part);
      GIN_TRY_CUDA(
          cudaMalloc(reinterpret_cast<void **>(&shared.tables[rank]), bytes));
      GIN_TRY_CUDA(cudaMemcpyAsync(shared.tables[rank], shared.parts.data(),
                                   bytes, cudaMemcpyHostToDevice,
                                   group.streams[rank]));
      GIN_TRY_CUDA(cudaStreamSynchronize(group.streams[rank]));
    }
    Window device{};
    device.base = shared.parts[rank].base;
    device.bytes = shared.parts[rank].bytes;
    for (size_t i = 0; i < ranks && i < directRanks; ++i)
      device.direct[i] = shared.parts[i];
    device.more = shared.tables[rank];
    device.ranks = static_cast<uint32_t>(ranks);
    device.rights = shared.rights;
    device.id = shared.id;
    device.own = static_cast<uint32_t>(window->rank);
    std::memcpy(out, &device, sizeof device);
    return GIN_SUCCESS;
  });
}
