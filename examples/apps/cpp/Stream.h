//===- Stream.h - a rank's stream of work -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What the application does with CUDA itself. Without GPUs there is nothing to
// do: launches of a rank follow each other.
//
//===----------------------------------------------------------------------===//

#ifndef EXCHANGE_STREAM_H
#define EXCHANGE_STREAM_H

#ifdef EXCHANGE_CUDA

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

class Stream {
public:
  /// How many ranks there may be; 0 if GPUs cannot run the application.
  static int maxRanks() {
    int devices = 0;
    return cudaGetDeviceCount(&devices) == cudaSuccess && devices >= 2 ? devices
                                                                       : 0;
  }

  explicit Stream(int device) : device(device) {
    cudaSetDevice(device);
    need(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  ~Stream() {
    if (graph)
      cudaGraphExecDestroy(graph);
    cudaStreamDestroy(stream);
  }
  Stream(const Stream &) = delete;

  /// What a launcher takes.
  void *get() const { return stream; }

  /// Keeps what `work` puts into the stream, as a graph.
  template <class Work>
  void record(Work work) {
    cudaGraph_t recorded;
    cudaSetDevice(device);
    need(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    work();
    need(cudaStreamEndCapture(stream, &recorded));
    need(cudaGraphInstantiate(&graph, recorded, 0));
    cudaGraphDestroy(recorded);
  }
  void replay() {
    cudaSetDevice(device);
    need(cudaGraphLaunch(graph, stream));
  }

private:
  static void need(cudaError_t error) {
    if (error == cudaSuccess)
      return;
    std::fprintf(stderr, "exchange: %s\n", cudaGetErrorString(error));
    std::exit(1);
  }

  int device;
  cudaStream_t stream = nullptr;
  cudaGraphExec_t graph = nullptr;
};

#else

#include <functional>
#include <utility>

class Stream {
public:
  static int maxRanks() { return 64; } // GIN_HOST_MAX_RANKS

  explicit Stream(int) {}
  Stream(const Stream &) = delete;

  void *get() const { return nullptr; }

  template <class Work>
  void record(Work recorded) {
    work = std::move(recorded);
  }
  void replay() { work(); }

private:
  std::function<void()> work;
};

#endif

#endif // EXCHANGE_STREAM_H
