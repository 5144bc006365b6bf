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

#include <set>
#include <string>
#include <vector>

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
  std::set<cudaStream_t> forked;  // that wait for what is captured
  unsigned long long capture = 1; // its number
  std::set<cudaEvent_t> events;   // recorded in it
  bool relaxed = false, blocking = false;
  bool invalidated = false; // the capture, by what was forbidden

  /// The call, counted from 1, that fails, as for lack of resources.
  int failing = 0;
  int calls = 0;
  std::string failed; // its name

  void endCapture();

  int launches = 0;
  /// What streams have got, as in "kernel 0, record 0, wait 1": they have
  /// numbers in the order in which they come.
  std::string work;
  std::vector<cudaStream_t> streams;
  /// What is there: memory of devices and of the host, streams, events.
  int live = 0;
};
extern Machine machine;

/// Memory of device 0, of which only what is touched is there.
char *mapMemory(size_t bytes);
void unmapMemory(char *memory, size_t bytes);

/// Two of the machine's multiprocessors.
constexpr int multiprocessors = 2;

} // namespace fake

#endif // GIN_TEST_RUNTIME_CUDA_FAKECUDA_H
