//===- FakeCuda.h - a CUDA runtime without GPUs -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Stands in for libcudart, so that what the host runtime does about GPUs that
// are missing, or that refuse, runs anywhere. Kernels do not run. What is
// imitated is what CUDA documents; that GPUs do the same, test/gpu shows.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_TEST_RUNTIME_CUDA_FAKECUDA_H
#define GIN_TEST_RUNTIME_CUDA_FAKECUDA_H

#include <cuda_runtime_api.h>

#include <string>

namespace fake {

/// What the machine has, and what a test makes it do.
struct Machine {
  int devices = 2;
  cudaError_t driver = cudaSuccess; // what counting the devices returns
  int major = 9, minor = 0;
  bool peers = true;
  bool hasCode = true; // of any kernel, for these devices
  int blocksPerMultiprocessor = 2;

  /// The stream that is captured, of the thread's own or relaxed mode, and one
  /// that synchronises with the null stream or not.
  cudaStream_t captured = nullptr;
  bool relaxed = false, blocking = false;
  bool invalidated = false; // the capture, by what was forbidden

  /// The call, counted from 1, that fails, as for lack of resources.
  int failing = 0;
  int calls = 0;
  std::string failed; // its name

  int launches = 0;
  /// What is there: memory of devices and of the host, streams, events.
  int live = 0;
};
extern Machine machine;

/// Two of the machine's multiprocessors.
constexpr int multiprocessors = 2;

} // namespace fake

#endif // GIN_TEST_RUNTIME_CUDA_FAKECUDA_H
