//===- HostMemory.h - memory as a fiber sees it -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The part of Platform.h that CudaMemory.h has in PTX, access by access of the
// same strength: payload is accessed plainly, so that ThreadSanitizer sees
// races there; the rest are atomics.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_HOST_MEMORY_H
#define GIN_DEVICE_HOST_MEMORY_H

#include "runtime/device/Platform.h"

namespace gin {

GIN_DEVICE char *sharedMemory() {
  return static_cast<char *>(threads::dynamicMemory());
}

/// `threads` threads of the block, whole warps, meet at one of its barriers; 0
/// is that of __syncthreads().
GIN_DEVICE void syncSome(unsigned barrier, unsigned threads) {
  gin::threads::syncSome(barrier, threads, false);
}
/// The same, and whether `value` holds in any of them.
GIN_DEVICE bool syncSomeOr(unsigned barrier, unsigned threads, bool value) {
  return gin::threads::syncSome(barrier, threads, value);
}

/// Nanoseconds of a clock that all threads share.
GIN_DEVICE uint64_t nanoseconds() { return threads::nanoseconds(); }

/// The compiler moves no access to memory across it. No instruction.
GIN_DEVICE void compilerFence() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

//===----------------------------------------------------------------------===//
// Payload: ordinary accesses
//===----------------------------------------------------------------------===//

namespace detail {
template <class T>
T loadPlain(const void *address) {
  T value;
  std::memcpy(&value, __builtin_assume_aligned(address, alignof(T)),
              sizeof value);
  return value;
}
template <class T>
void storePlain(void *address, const T &value) {
  std::memcpy(__builtin_assume_aligned(address, alignof(T)), &value,
              sizeof value);
}
} // namespace detail

GIN_DEVICE Vector16 load16(const void *address) {
  return detail::loadPlain<Vector16>(address);
}
GIN_DEVICE void store16(void *address, const Vector16 &value) {
  detail::storePlain(address, value);
}
GIN_DEVICE uint64_t load8(const void *address) {
  return detail::loadPlain<uint64_t>(address);
}
GIN_DEVICE void store8(void *address, uint64_t value) {
  detail::storePlain(address, value);
}
GIN_DEVICE uint32_t load4(const void *address) {
  return detail::loadPlain<uint32_t>(address);
}
GIN_DEVICE uint16_t load2(const void *address) {
  return detail::loadPlain<uint16_t>(address);
}
GIN_DEVICE uint32_t load1(const void *address) {
  return detail::loadPlain<uint8_t>(address);
}
GIN_DEVICE void store1(void *address, uint32_t value) {
  detail::storePlain(address, static_cast<uint8_t>(value));
}

//===----------------------------------------------------------------------===//
// Memory of the system: signals, words that are polled
//===----------------------------------------------------------------------===//

/// Orders what this thread did, and what it saw others do, before what it does
/// next, for all threads of the system.
GIN_DEVICE void fenceSystem() { __atomic_thread_fence(__ATOMIC_ACQ_REL); }
/// The same for all threads of this rank.
GIN_DEVICE void fenceGpu() { threads::fence(); }

/// What polls use: the rank's other threads run before.
GIN_DEVICE uint64_t loadAcquire(const uint64_t *address) {
  threads::yield();
  return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}
GIN_DEVICE uint64_t loadRelaxed(const uint64_t *address) {
  return __atomic_load_n(address, __ATOMIC_RELAXED);
}
GIN_DEVICE uint32_t loadRelaxed(const uint32_t *address) {
  return __atomic_load_n(address, __ATOMIC_RELAXED);
}
GIN_DEVICE void storeRelaxed(uint64_t *address, uint64_t value) {
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
}
GIN_DEVICE void storeRelaxed(uint32_t *address, uint32_t value) {
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
}
GIN_DEVICE void storeRelaxed(uint16_t *address, uint16_t value) {
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
}
GIN_DEVICE void storeRelaxed(uint8_t *address, uint8_t value) {
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
}
GIN_DEVICE void storeRelease(uint32_t *address, uint32_t value) {
  __atomic_store_n(address, value, __ATOMIC_RELEASE);
}
/// Adds without a result, after all that this thread did or saw.
GIN_DEVICE void addRelease(uint64_t *address, uint64_t value) {
  __atomic_fetch_add(address, value, __ATOMIC_RELEASE);
}
/// Adds without a result, in any order with other accesses.
GIN_DEVICE void addRelaxed(uint64_t *address, uint64_t value) {
  __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
GIN_DEVICE void addRelaxed(uint32_t *address, uint32_t value) {
  __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
GIN_DEVICE void addRelaxed(float *address, float value) {
  ::atomicAdd(address, value);
}
GIN_DEVICE void addRelaxed(double *address, double value) {
  ::atomicAdd(address, value);
}
/// Sets the word to `to` if it is `from`; returns what it was.
GIN_DEVICE uint32_t exchangeIf(uint32_t *address, uint32_t from, uint32_t to) {
  __atomic_compare_exchange_n(address, &from, to, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  return from;
}

// Additions to elements of 16 bits exchange the word that holds them.
constexpr bool canAddHalf = false, canAddBfloat16 = false;

// Within one rank.
GIN_DEVICE void maxRelaxedGpu(uint64_t *address, uint64_t value) {
  uint64_t old = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (old < value &&
         !__atomic_compare_exchange_n(address, &old, value, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}
/// Adds 1, or sets to 0 when `last` is reached; returns the old value.
GIN_DEVICE uint32_t wrapRelaxedGpu(uint32_t *address, uint32_t last) {
  uint32_t old = __atomic_load_n(address, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(address, &old, old >= last ? 0 : old + 1,
                                      true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  return old;
}

} // namespace gin

#endif // GIN_DEVICE_HOST_MEMORY_H
