//===- Rig.h - GPUs, streams and clocks -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef GIN_MATMUL_RIG_H
#define GIN_MATMUL_RIG_H

#include "runtime/include/gin_matmul.h"
#include "tools/gin-matmul/Options.h"

#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <functional>
#include <string>
#include <vector>

namespace ginmatmul {

/// Exits with a message if a call failed: a measurement that is not right is
/// none.
void need(ginResult_t result, const char *what);
void need(cudaError_t error, const char *what);
void need(cublasStatus_t status, const char *what);

/// Memory of a rank's GPU.
class Memory {
public:
  Memory() = default;
  Memory(int device, size_t bytes);
  Memory(Memory &&other) noexcept { std::swap(pointer, other.pointer); }
  Memory &operator=(Memory &&other) noexcept {
    std::swap(pointer, other.pointer);
    return *this;
  }
  ~Memory() { cudaFree(pointer); }
  template <class T>
  T *as() const {
    return static_cast<T *>(pointer);
  }

private:
  void *pointer = nullptr;
};

struct Rig {
  explicit Rig(const Options &options);
  ~Rig();
  Rig(const Rig &) = delete;
  Rig &operator=(const Rig &) = delete;

  int ranks() const { return static_cast<int>(devices.size()); }
  void use(int rank) const { need(cudaSetDevice(at(devices, rank)), "device"); }
  void synchronize() const;
  std::string machine() const;

  /// Runs `launch` for the first `count` ranks, whose work begins at the same
  /// time; microseconds of the slowest.
  double time(int count, const std::function<void(int rank)> &launch);

  /// C[m, n] = A[m, k] B[n, k]^T (+ C), by cuBLAS, in `type` (bf16 or f32).
  void cublas(int rank, const void *a, const void *b, void *c,
              cudaDataType type, int64_t m, int64_t n, int64_t k,
              bool add = false) const;

  template <class T>
  static const T &at(const std::vector<T> &list, int rank) {
    return list[static_cast<size_t>(rank)];
  }

  std::vector<int> devices;
  std::vector<cudaStream_t> streams;
  std::vector<ginComm_t> comms; // empty with one rank
  std::vector<cublasHandle_t> handles;
  int multiprocessors = 0;

private:
  std::vector<cudaEvent_t> begun, ended;
  std::vector<Memory> meetings, workspaces;
  volatile int *gate; // host memory
  int round = 0;
};

/// Holds a stream until *gate is `round`, and all `count` GPUs are there.
void launchGate(cudaStream_t stream, volatile int *gate, int round,
                const std::vector<uint64_t *> &meetings, int rank, int count);

} // namespace ginmatmul

#endif // GIN_MATMUL_RIG_H
