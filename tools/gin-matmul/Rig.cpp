//===- Rig.cpp - GPUs, streams and clocks ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "tools/gin-matmul/Rig.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace ginmatmul;

void ginmatmul::need(ginResult_t result, const char *what) {
  if (result == GIN_SUCCESS)
    return;
  std::fprintf(stderr, "gin-matmul: %s: %s: %s\n  %s\n", what,
               ginResultName(result), ginGetLastError(),
               ginResultAdvice(result));
  std::exit(1);
}

void ginmatmul::need(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "gin-matmul: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

void ginmatmul::need(cublasStatus_t status, const char *what) {
  if (status == CUBLAS_STATUS_SUCCESS)
    return;
  std::fprintf(stderr, "gin-matmul: %s: %s\n", what,
               cublasGetStatusString(status));
  std::exit(1);
}

Memory::Memory(int device, size_t bytes) {
  need(cudaSetDevice(device), "device");
  need(cudaMalloc(&pointer, std::max<size_t>(bytes, 256)), "memory");
}

Rig::Rig(const Options &options) : devices(options.devices) {
  // What one GPU can do needs no second.
  const bool several =
      std::any_of(options.cases.begin(), options.cases.end(),
                  [](const Case &one) { return one.mode != Mode::Multiply; });
  if (!several)
    devices.resize(1);
  if (devices.size() > 1) {
    comms.resize(devices.size());
    need(ginCommCreateAll(devices.data(), ranks(), comms.data()),
         "communicator");
  }
  constexpr size_t workspaceBytes = size_t(64) << 20;
  for (int device : devices) {
    need(cudaSetDevice(device), "device");
    streams.emplace_back();
    need(cudaStreamCreateWithFlags(&streams.back(), cudaStreamNonBlocking),
         "stream");
    for (auto *events : {&begun, &ended}) {
      events->emplace_back();
      need(cudaEventCreate(&events->back()), "event");
    }
    meetings.emplace_back(device, devices.size() * sizeof(uint64_t));
    need(cudaMemset(meetings.back().as<void>(), 0,
                    devices.size() * sizeof(uint64_t)),
         "memory");
    workspaces.emplace_back(device, workspaceBytes);
    handles.emplace_back();
    need(cublasCreate(&handles.back()), "cuBLAS");
    need(cublasSetStream(handles.back(), streams.back()), "cuBLAS");
    need(cublasSetWorkspace(handles.back(), workspaces.back().as<void>(),
                            workspaceBytes),
         "cuBLAS");
  }
  need(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                              devices[0]),
       "device");
  void *host;
  need(cudaHostAlloc(&host, sizeof(int), cudaHostAllocPortable), "host memory");
  gate = static_cast<volatile int *>(host);
  *gate = 0;
}

Rig::~Rig() {
  for (int rank = 0; rank < ranks(); ++rank) {
    cudaSetDevice(at(devices, rank));
    cublasDestroy(at(handles, rank));
    cudaEventDestroy(at(begun, rank));
    cudaEventDestroy(at(ended, rank));
    cudaStreamDestroy(at(streams, rank));
    if (!comms.empty())
      ginCommDestroy(at(comms, rank));
  }
  cudaFreeHost(const_cast<int *>(gate));
}

void Rig::synchronize() const {
  for (int rank = 0; rank < ranks(); ++rank) {
    use(rank);
    need(cudaStreamSynchronize(at(streams, rank)), "kernel");
    need(cudaGetLastError(), "kernel");
    if (!comms.empty())
      need(ginCommGetAsyncError(at(comms, rank), nullptr), "kernel");
  }
}

std::string Rig::machine() const {
  cudaDeviceProp properties;
  need(cudaGetDeviceProperties(&properties, devices[0]), "device");
  int runtime = 0;
  need(cudaRuntimeGetVersion(&runtime), "version");
  return std::to_string(ranks()) + " x " + properties.name + ", " +
         std::to_string(multiprocessors) + " SMs, CUDA " +
         std::to_string(runtime / 1000) + "." +
         std::to_string(runtime % 1000 / 10);
}

double Rig::time(int count, const std::function<void(int)> &launch) {
  std::vector<uint64_t *> places;
  for (const Memory &memory : meetings)
    places.push_back(memory.as<uint64_t>());
  ++round;
  for (int rank = 0; rank < count; ++rank) {
    use(rank);
    launchGate(at(streams, rank), gate, round, places, rank, count);
    need(cudaEventRecord(at(begun, rank), at(streams, rank)), "event");
  }
  for (int rank = 0; rank < count; ++rank) {
    use(rank);
    launch(rank);
    need(cudaEventRecord(at(ended, rank), at(streams, rank)), "event");
  }
  *gate = round;
  synchronize();
  float longest = 0;
  for (int rank = 0; rank < count; ++rank) {
    float milliseconds;
    use(rank);
    need(cudaEventElapsedTime(&milliseconds, at(begun, rank), at(ended, rank)),
         "event");
    longest = std::max(longest, milliseconds);
  }
  return 1e3 * static_cast<double>(longest);
}

void Rig::cublas(int rank, const void *a, const void *b, void *c,
                 cudaDataType type, int64_t m, int64_t n, int64_t k,
                 bool add) const {
  // Column-major: C^T = B A^T.
  const float one = 1, sum = add ? 1 : 0;
  use(rank);
  need(cublasGemmEx(
           at(handles, rank), CUBLAS_OP_T, CUBLAS_OP_N, static_cast<int>(n),
           static_cast<int>(m), static_cast<int>(k), &one, b, CUDA_R_16BF,
           static_cast<int>(k), a, CUDA_R_16BF, static_cast<int>(k), &sum, c,
           type, static_cast<int>(n), CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
       "cublasGemmEx");
}
