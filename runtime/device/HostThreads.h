//===- HostThreads.h - fibers that stand in for GPU threads -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// CUDA's words for kernels that are compiled as plain C++: qualifiers, indices,
// barriers, votes, shuffles. Launched on a communicator of
// ginCommCreateAllHost, such a kernel does what it would do on a GPU.
//
// Threads. Each thread of a grid is a fiber. All fibers of a lane of a rank run
// on one OS thread, which belongs to that lane; a launch begins when the one
// before has ended. So two ranks, or lanes, really run at the same time, and
// what they do to each other's memory is ordered by the atomics of HostMemory.h
// alone. Within a lane one fiber runs until it waits (at a barrier, a vote or a
// shuffle), polls (gin's waits and tests, pause(), __nanosleep()) or returns;
// then the next one that can run has its turn, round and round. Nothing but
// those lets another fiber of the lane run: a loop that looks at memory calls
// pause().
//
// Under ThreadSanitizer fibers count as threads of their own, ordered by
// barriers and atomics as on a GPU: it reports a missing __syncthreads().
//
// Compile with `-x c++ -std=c++17` and, as an include path, the folder that
// holds runtime/; link GinHost, GinFiber and Boost.Context, or Ginc::GinHost of
// CMake's find_package(Ginc).
//
// Missing: __shared__ variables (gin::sharedMemory() instead), textures, inline
// PTX, and all functions of CUDA that are not declared here.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_HOST_THREADS_H
#define GIN_DEVICE_HOST_THREADS_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
// Nothing, since system headers use it as the name of an attribute.
#define __noinline__
#define __grid_constant__
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))

namespace gin::threads {

struct Index {
  unsigned x, y, z;
};

/// Lets the other threads of the rank run.
void yield();

/// __syncthreads(); whether `value` holds in any thread.
bool syncBlock(bool value);

/// `count` threads of the block at its barrier `number`, 1 to 15.
bool syncSome(unsigned number, unsigned count, bool value);

/// What threads of a warp learn from each other.
struct Meeting {
  uint64_t value; ///< that of the lane that was asked for
  uint32_t votes; ///< lanes whose value is not 0
  uint32_t lanes; ///< that took part
};
/// The lanes of `mask` meet, each with a value, and get that of lane `from`;
/// the own one if that did not come. Lanes that have returned are not waited
/// for. Whether that orders memory, as __syncwarp() does and votes do not.
enum class Orders { Nothing, Memory };
Meeting meet(uint32_t mask, uint64_t value, unsigned from, Orders orders);
unsigned lane();

/// Of the block.
void *dynamicMemory();

/// fence.acq_rel.gpu: between threads of this rank.
void fence();

uint64_t nanoseconds();

template <class T>
T shuffle(uint32_t mask, T value, unsigned from) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>,
                "a shuffle moves a value of at most 8 bytes");
  uint64_t word = 0;
  std::memcpy(&word, &value, sizeof value);
  word = meet(mask, word, from, Orders::Nothing).value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

} // namespace gin::threads

// Set whenever a fiber gets its turn. Not `thread_local`, whose users must look
// each time whether there is something to construct.
extern __thread gin::threads::Index threadIdx, blockIdx, blockDim, gridDim;
constexpr int warpSize = 32;

inline void __syncthreads() { gin::threads::syncBlock(false); }
inline int __syncthreads_or(int value) {
  return gin::threads::syncBlock(value != 0);
}
inline void __syncwarp(unsigned mask = 0xffffffffu) {
  gin::threads::meet(mask, 0, 0, gin::threads::Orders::Memory);
}
inline int __any_sync(unsigned mask, int value) {
  return gin::threads::meet(mask, value != 0, 0, gin::threads::Orders::Nothing)
             .votes != 0;
}
inline int __all_sync(unsigned mask, int value) {
  const gin::threads::Meeting all =
      gin::threads::meet(mask, value != 0, 0, gin::threads::Orders::Nothing);
  return all.votes == all.lanes;
}
inline unsigned __ballot_sync(unsigned mask, int value) {
  return gin::threads::meet(mask, value != 0, 0, gin::threads::Orders::Nothing)
      .votes;
}

// Shuffles within groups of `width` lanes, a power of 2. Who asks for a lane
// outside of its group gets its own value; __shfl_sync wraps.
template <class T>
T __shfl_sync(unsigned mask, T value, int from, int width = warpSize) {
  const unsigned in = unsigned(width) - 1;
  return gin::threads::shuffle(
      mask, value, (gin::threads::lane() & ~in) | (unsigned(from) & in));
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int change, int width = warpSize) {
  const unsigned in = unsigned(width) - 1, lane = gin::threads::lane();
  const unsigned from = lane ^ unsigned(change);
  return gin::threads::shuffle(mask, value, from <= (lane | in) ? from : lane);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned by, int width = warpSize) {
  const unsigned in = unsigned(width) - 1, lane = gin::threads::lane();
  return gin::threads::shuffle(mask, value,
                               (lane & in) + by <= in ? lane + by : lane);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned by, int width = warpSize) {
  const unsigned in = unsigned(width) - 1, lane = gin::threads::lane();
  return gin::threads::shuffle(mask, value,
                               (lane & in) >= by ? lane - by : lane);
}

inline void __nanosleep(unsigned) { gin::threads::yield(); }
inline void __threadfence() { gin::threads::fence(); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

/// Relaxed; returns what was there. Integers, float and double.
template <class T>
T atomicAdd(T *address, std::decay_t<T> value) {
  if constexpr (std::is_integral_v<T>) {
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
  } else {
    T old, sum;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    do
      sum = old + value;
    while (!__atomic_compare_exchange(address, &old, &sum, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return old;
  }
}
template <class T>
T atomicAdd_system(T *address, std::decay_t<T> value) {
  return atomicAdd(address, value);
}

#endif // GIN_DEVICE_HOST_THREADS_H
