//===- FakeCuda.cpp - a CUDA runtime without GPUs -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/mman.h>

fake::Machine fake::machine;

using fake::machine;

static int current = 0; // device
static std::map<const char *, std::pair<size_t, int>> allocations;

/// Counts a call; whether it is the one that fails.
static cudaError_t enter(const char *name) {
  if (++machine.calls != machine.failing)
    return cudaSuccess;
  machine.failed = name;
  return cudaErrorMemoryAllocation;
}

/// The same for calls that CUDA forbids while a stream is captured.
static cudaError_t enterUnsafe(const char *name) {
  if (machine.captured && !machine.relaxed) {
    machine.invalidated = true;
    return cudaErrorStreamCaptureUnsupported;
  }
  return enter(name);
}

#define ENTER(how)                                                             \
  if (cudaError_t error = how(__func__))                                       \
  return error

static bool isCaptured(cudaStream_t stream) {
  return stream && (stream == machine.captured || machine.forked.count(stream));
}
void fake::Machine::endCapture() {
  captured = nullptr;
  forked.clear();
  events.clear();
  ++capture;
}

static void give(cudaStream_t stream, const char *what) {
  std::vector<cudaStream_t> &all = machine.streams;
  const auto found = std::find(all.begin(), all.end(), stream);
  const auto number = found - all.begin();
  if (found == all.end())
    all.push_back(stream);
  machine.work += (machine.work.empty() ? "" : ", ") + std::string(what) + " " +
                  std::to_string(number);
}

template <class T>
static void make(T *out) {
  *out = reinterpret_cast<T>(std::malloc(1));
  ++machine.live;
}
static void unmake(void *object) {
  std::free(object);
  --machine.live;
}

//===----------------------------------------------------------------------===//
// Devices and errors
//===----------------------------------------------------------------------===//

cudaError_t cudaGetDeviceCount(int *count) {
  ENTER(enter);
  *count = machine.devices;
  return machine.driver;
}
cudaError_t cudaGetDevice(int *device) {
  *device = current;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  current = device;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int) {
  ENTER(enter);
  std::memset(properties, 0, sizeof *properties);
  std::strcpy(properties->name, "Fake GPU");
  properties->major = machine.major;
  properties->minor = machine.minor;
  properties->cooperativeLaunch = properties->canMapHostMemory = 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr, int) {
  ENTER(enter);
  *value = fake::multiprocessors;
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int *can, int, int) {
  ENTER(enter);
  *can = machine.peers;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  ENTER(enter);
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize() {
  ENTER(enterUnsafe);
  return cudaSuccess;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
  case cudaErrorNoDevice:
    return "cudaErrorNoDevice";
  case cudaErrorMemoryAllocation:
    return "cudaErrorMemoryAllocation";
  case cudaErrorNoKernelImageForDevice:
    return "cudaErrorNoKernelImageForDevice";
  default:
    return "cudaError";
  }
}
const char *cudaGetErrorString(cudaError_t error) {
  return cudaGetErrorName(error);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

char *fake::mapMemory(size_t bytes) {
  char *memory = static_cast<char *>(
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  allocations[memory] = {bytes, 0};
  return memory;
}
void fake::unmapMemory(char *memory, size_t bytes) {
  allocations.erase(memory);
  munmap(memory, bytes);
}
cudaError_t cudaMalloc(void **memory, size_t bytes) {
  ENTER(enterUnsafe);
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  allocations[static_cast<char *>(*memory)] = {bytes, current};
  ++machine.live;
  return cudaSuccess;
}
cudaError_t cudaFree(void *memory) {
  allocations.erase(static_cast<char *>(memory));
  unmake(memory);
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned) {
  ENTER(enterUnsafe);
  *memory = std::malloc(bytes);
  ++machine.live;
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void *memory) {
  unmake(memory);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, cudaStream_t) {
  ENTER(enter);
  std::memset(to, value, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                            cudaMemcpyKind, cudaStream_t stream) {
  ENTER(enter);
  give(stream, "copy");
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from,
                              size_t fromPitch, size_t bytes, size_t rows,
                              cudaMemcpyKind, cudaStream_t stream) {
  ENTER(enter);
  if (std::max(toPitch, fromPitch) > size_t(INT_MAX))
    return cudaErrorInvalidPitchValue;
  give(stream, "copy2D");
  for (size_t row = 0; row < rows; ++row)
    std::memcpy(static_cast<char *>(to) + row * toPitch,
                static_cast<const char *>(from) + row * fromPitch, bytes);
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes,
                                     const void *address) {
  ENTER(enter);
  *attributes = {};
  auto next = allocations.upper_bound(static_cast<const char *>(address));
  if (next == allocations.begin())
    return cudaSuccess;
  const auto &[start, allocation] = *std::prev(next);
  if (static_cast<const char *>(address) < start + allocation.first) {
    attributes->type = cudaMemoryTypeDevice;
    attributes->device = allocation.second;
  }
  return cudaSuccess;
}
static cudaError_t noEntryPoint(void **function) {
  *function = nullptr;
  return cudaErrorUnknown;
}
#if CUDART_VERSION >= 12050
cudaError_t
cudaGetDriverEntryPointByVersion(const char *, void **function, unsigned,
                                 unsigned long long,
                                 cudaDriverEntryPointQueryResult *) {
  return noEntryPoint(function);
}
#endif
#if CUDART_VERSION < 13000
cudaError_t cudaGetDriverEntryPoint(const char *, void **function,
                                    unsigned long long,
                                    cudaDriverEntryPointQueryResult *) {
  return noEntryPoint(function);
}
#endif

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned) {
  ENTER(enter);
  make(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  unmake(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
  ENTER(enter);
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream,
                                  cudaStreamCaptureStatus *status) {
  ENTER(enter);
  if (!stream && machine.captured && machine.blocking)
    return cudaErrorStreamCaptureImplicit;
  *status = isCaptured(stream) ? cudaStreamCaptureStatusActive
                               : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
static cudaError_t captureInfo(cudaStream_t stream,
                               cudaStreamCaptureStatus *status,
                               unsigned long long *number) {
  *number = machine.capture;
  return cudaStreamIsCapturing(stream, status);
}
#if CUDART_VERSION >= 13000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                     cudaStreamCaptureStatus *status,
                                     unsigned long long *number, cudaGraph_t *,
                                     const cudaGraphNode_t **,
                                     const cudaGraphEdgeData **, size_t *) {
  return captureInfo(stream, status, number);
}
#else
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream,
                                        cudaStreamCaptureStatus *status,
                                        unsigned long long *number,
                                        cudaGraph_t *, const cudaGraphNode_t **,
                                        size_t *) {
  return captureInfo(stream, status, number);
}
#endif
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) {
  ENTER(enter);
  make(event);
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  unmake(event);
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  ENTER(enter);
  give(stream, "record");
  if (isCaptured(stream))
    machine.events.insert(event);
  else
    machine.events.erase(event);
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned) {
  ENTER(enter);
  give(stream, "wait");
  if (machine.events.count(event) && stream != machine.captured)
    machine.forked.insert(stream);
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t) {
  ENTER(enterUnsafe);
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes,
                                  const void *) {
  ENTER(enter);
  *attributes = {};
  return machine.hasCode ? cudaSuccess : cudaErrorNoKernelImageForDevice;
}
cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int bytes) {
  ENTER(enter);
  return bytes <= 227 << 10 ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                          const void *, int,
                                                          size_t) {
  ENTER(enter);
  *blocks = machine.blocksPerMultiprocessor;
  return cudaSuccess;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *,
                                void **) {
  ENTER(enter);
  give(config->stream, "kernel");
  ++machine.launches;
  return cudaSuccess;
}
