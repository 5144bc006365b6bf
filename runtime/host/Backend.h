//===- Backend.h - what the ranks of a communicator run on ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The part of gin.h that differs between GPUs and the threads of the host. The
// rest of the library handles arguments, collective calls, lifetimes and
// errors, the same for all.
//
// `rank` is always one of the communicator's, and arguments have been checked
// as far as that is the same everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_HOST_BACKEND_H
#define GIN_HOST_BACKEND_H

#include "runtime/device/Types.h"
#include "runtime/host/Result.h"

#include <memory>

namespace gin::host {

/// A copy whose ranges have been checked. Pitches are those of several rows.
struct CopyShape {
  char *to;
  const char *from;
  uint64_t bytes, rows, toPitch, fromPitch;
};

/// The launches of one program on one rank. `lane`s are the program's, and
/// `stream` is what lane 0 is.
class LaunchQueue {
public:
  LaunchQueue() = default;
  LaunchQueue(const LaunchQueue &) = delete;
  LaunchQueue &operator=(const LaunchQueue &) = delete;
  virtual ~LaunchQueue() = default;

  /// Does not wait. All blocks fit at once, and the function is loaded.
  /// A kernel's first argument, or null.
  virtual const Program *programOf(const void *function,
                                   void *const *arguments) const = 0;
  virtual ginResult_t launch(const void *function,
                             const ginLaunchConfig_t &config,
                             void **arguments) = 0;
  virtual ginResult_t copy(const CopyShape &copy, void *stream,
                           unsigned lane) = 0;
  /// What lane `after` gets from now on follows what `before` has got, another
  /// one.
  virtual ginResult_t order(void *stream, unsigned before, unsigned after) = 0;
  /// The number of the capture that `stream` is in, or 0.
  virtual ginResult_t findCapture(void *stream, uint64_t &number) const = 0;
  /// Until all lanes have ended.
  virtual void wait() = 0;
};

class Backend {
public:
  Backend() = default;
  Backend(const Backend &) = delete;
  Backend &operator=(const Backend &) = delete;
  virtual ~Backend() = default;

  virtual ginBackend_t kind() const = 0;
  /// The CUDA device, or -1.
  virtual int device(int rank) const = 0;
  virtual int multiprocessors(int rank) const = 0;

  /// GIN_ERR_IN_CAPTURE if set-up on the rank would now fall into the capture
  /// of a stream.
  virtual ginResult_t checkSetUp(int rank) const = 0;
  virtual ginResult_t isCapturing(int rank, void *stream,
                                  bool &capturing) const = 0;

  /// Memory of a rank, which the kernels of all ranks access; zero.
  virtual ginResult_t allocate(int rank, size_t bytes, void **out) = 0;
  virtual void release(int rank, void *memory) = 0;
  /// Memory of the host, which the kernels of all ranks access too; zero.
  virtual ginResult_t allocateCommon(size_t bytes, void **out) = 0;
  virtual void releaseCommon(void *memory) = 0;
  /// Copies between memory of ranks and of the host, and waits for that.
  virtual ginResult_t copy(int rank, void *to, const void *from,
                           size_t bytes) = 0;
  /// Whether `rank` may register this memory, as far as that is known.
  virtual ginResult_t checkMemory(int rank, const void *base,
                                  size_t bytes) const = 0;

  /// Loads a function on all ranks, before `rank` launches it in `stream` or
  /// another one.
  virtual ginResult_t preload(int rank, const void *function, size_t shared,
                              void *stream) = 0;
  /// How many blocks of a function run at once, which has been loaded.
  virtual ginResult_t maxBlocks(int rank, const void *function,
                                unsigned threads, size_t shared,
                                uint64_t &blocks) = 0;
  /// `state` is where the program's kernels on this rank report errors.
  virtual ginResult_t createQueue(int rank, State *state, unsigned lanes,
                                  std::unique_ptr<LaunchQueue> &queue) = 0;
  /// Until everything that was launched on the rank has ended.
  virtual ginResult_t synchronize(int rank) = 0;
};

/// `devices` may be null: 0 ... n-1.
ginResult_t createCudaBackend(const int *devices, int n,
                              std::unique_ptr<Backend> &backend);
ginResult_t createHostBackend(int n, std::unique_ptr<Backend> &backend);

} // namespace gin::host

#endif // GIN_HOST_BACKEND_H
