//===- Platform.h - what a thread of a GPU can do ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The lowest layer of the device functions: where a thread stands, barriers of
// its warp and block, and accesses to memory that other ranks access. It has
// two implementations, and everything above is the same text for both:
//
//   nvcc                   CUDA and the PTX of CudaMemory.h
//   any other C++17        HostThreads.h, where fibers stand in for GPU
//   threads,
//                          and HostMemory.h
//
// The layers above contain no PTX, except Bulk.h, which has that of
// asynchronous copies.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_PLATFORM_H
#define GIN_DEVICE_PLATFORM_H

#include <cstdint>

#ifdef __CUDACC__
#define GIN_DEVICE __device__ __forceinline__
// What launchers call, too.
#define GIN_ANYWHERE __host__ __device__
// For what runs at most once a launch, so that it does not cost the caller's
// registers.
#define GIN_COLD static __device__ __noinline__
// Before a loop.
#define GIN_UNROLL _Pragma("unroll")
#define GIN_NO_UNROLL _Pragma("unroll 1")
#else
#define GIN_DEVICE inline
#define GIN_ANYWHERE
#define GIN_COLD inline
#define GIN_UNROLL
#define GIN_NO_UNROLL
#include "runtime/device/HostThreads.h"
#endif

namespace gin {

/// 16 bytes: the widest access of a thread.
struct alignas(16) Vector16 {
  uint32_t words[4];
};

GIN_DEVICE unsigned threadInBlock() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
GIN_DEVICE unsigned threadsOfBlock() {
  return blockDim.x * blockDim.y * blockDim.z;
}
GIN_DEVICE unsigned blockInGrid() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
GIN_DEVICE unsigned blocksOfGrid() { return gridDim.x * gridDim.y * gridDim.z; }
GIN_DEVICE void syncWarp() { __syncwarp(); }
GIN_DEVICE void syncBlock() { __syncthreads(); }
/// Whether `value` holds in any thread of the block; a barrier.
GIN_DEVICE bool syncBlockOr(bool value) { return __syncthreads_or(value); }
/// The same for a warp. A vote alone orders no memory.
GIN_DEVICE bool syncWarpOr(bool value) {
  __syncwarp();
  return __any_sync(0xffffffffu, value);
}
/// The compiler knows nothing of the value, and so computes nothing from it
/// before the volatile accesses that stand before. No instruction.
GIN_DEVICE void opaque(int32_t &value) { asm volatile("" : "+r"(value)); }
/// In a loop that waits for other threads and is not one of gin's, which have
/// it: on the host, no other thread of the rank runs before.
GIN_DEVICE void pause(unsigned nanoseconds) { __nanosleep(nanoseconds); }

/// The block's dynamic shared memory, aligned to 128 bytes, of the size that
/// the launch gives; undefined at first. Kernels for both platforms declare no
/// __shared__ variables.
GIN_DEVICE char *sharedMemory();

} // namespace gin

#ifdef __CUDACC__
#include "runtime/device/CudaMemory.h"
#else
#include "runtime/device/HostMemory.h"
#endif

#endif // GIN_DEVICE_PLATFORM_H
