//===- HarnessCuda.cpp - tests on GPUs ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/gpu/Platform.h"

#include <cuda_runtime.h>

int gintest::maxRanks() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess ? devices : 0;
}

ginResult_t gintest::createComms(int ranks, ginComm_t *comms) {
  return ginCommCreateAll(nullptr, ranks, comms);
}

static void choose(ginComm_t comm) {
  int device = 0;
  ginCommDevice(comm, &device);
  cudaSetDevice(device);
}

void *gintest::createStream(ginComm_t comm) {
  choose(comm);
  cudaStream_t stream = nullptr;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  return stream;
}

void gintest::destroyStream(ginComm_t comm, void *stream) {
  choose(comm);
  cudaStreamDestroy(static_cast<cudaStream_t>(stream));
}

void *gintest::recordGraph(ginComm_t comm, void *stream,
                           const std::function<void()> &launch) {
  choose(comm);
  const auto queue = static_cast<cudaStream_t>(stream);
  if (cudaStreamBeginCapture(queue, cudaStreamCaptureModeThreadLocal) !=
      cudaSuccess)
    return nullptr;
  launch();
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  if (cudaStreamEndCapture(queue, &graph) == cudaSuccess &&
      cudaGraphInstantiate(&executable, graph, 0) != cudaSuccess)
    executable = nullptr;
  if (graph)
    cudaGraphDestroy(graph);
  return executable;
}

bool gintest::replayGraph(ginComm_t comm, void *stream, void *graph) {
  choose(comm);
  return cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph),
                         static_cast<cudaStream_t>(stream)) == cudaSuccess;
}

void gintest::destroyGraph(void *graph) {
  cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph));
}

std::string gintest::leftover() {
  cudaError_t error = cudaGetLastError();
  return error ? std::string("CUDA: ") + cudaGetErrorString(error) : "";
}

unsigned gintest::slowness() { return 1; }
bool gintest::findsRaces() { return false; }
