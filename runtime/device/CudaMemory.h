//===- CudaMemory.h - memory as a thread of a GPU sees it -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The part of Platform.h that is PTX: of ISA 7.0 and later; what needs more
// than sm_75 says so.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_CUDA_MEMORY_H
#define GIN_DEVICE_CUDA_MEMORY_H

#include "runtime/device/Platform.h"

namespace gin {

GIN_DEVICE char *sharedMemory() {
  extern __shared__ __align__(128) char ginSharedMemory[];
  return ginSharedMemory;
}

/// `threads` threads of the block, whole warps, meet at one of its barriers; 0
/// is that of __syncthreads().
GIN_DEVICE void syncSome(unsigned barrier, unsigned threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}
/// The same, and whether `value` holds in any of them.
GIN_DEVICE bool syncSomeOr(unsigned barrier, unsigned threads, bool value) {
  uint32_t any;
  asm volatile("{\n"
               ".reg .pred mine, all;\n"
               "setp.ne.u32 mine, %3, 0;\n"
               "barrier.red.or.pred all, %1, %2, mine;\n"
               "selp.u32 %0, 1, 0, all;\n"
               "}"
               : "=r"(any)
               : "r"(barrier), "r"(threads), "r"(uint32_t(value))
               : "memory");
  return any != 0;
}

/// Nanoseconds of a clock that all threads of a GPU share.
GIN_DEVICE uint64_t nanoseconds() {
  uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

/// The compiler moves no access to memory across it. No instruction.
GIN_DEVICE void compilerFence() { asm volatile("" ::: "memory"); }

//===----------------------------------------------------------------------===//
// Payload: ordinary accesses of global memory
//===----------------------------------------------------------------------===//
// In assembly, because a compiler may turn an ordinary load into ld.global.nc,
// which may return what was there before a wait. Without a "memory" clobber, so
// that address arithmetic may move: the caller stands between compilerFence().

GIN_DEVICE Vector16 load16(const void *address) {
  Vector16 value;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.words[0]), "=r"(value.words[1]),
                 "=r"(value.words[2]), "=r"(value.words[3])
               : "l"(address));
  return value;
}
GIN_DEVICE void store16(void *address, const Vector16 &value) {
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(address),
               "r"(value.words[0]), "r"(value.words[1]), "r"(value.words[2]),
               "r"(value.words[3]));
}
GIN_DEVICE uint64_t load8(const void *address) {
  uint64_t value;
  asm volatile("ld.global.u64 %0, [%1];" : "=l"(value) : "l"(address));
  return value;
}
GIN_DEVICE void store8(void *address, uint64_t value) {
  asm volatile("st.global.u64 [%0], %1;" ::"l"(address), "l"(value));
}
GIN_DEVICE uint32_t load4(const void *address) {
  uint32_t value;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(address));
  return value;
}
GIN_DEVICE uint16_t load2(const void *address) {
  uint16_t value;
  asm volatile("ld.global.u16 %0, [%1];" : "=h"(value) : "l"(address));
  return value;
}
GIN_DEVICE uint32_t load1(const void *address) {
  uint32_t value;
  asm volatile("ld.global.u8 %0, [%1];" : "=r"(value) : "l"(address));
  return value;
}
GIN_DEVICE void store1(void *address, uint32_t value) {
  asm volatile("st.global.u8 [%0], %1;" ::"l"(address), "r"(value));
}

//===----------------------------------------------------------------------===//
// Memory of the system: signals, words that are polled, mapped host memory
//===----------------------------------------------------------------------===//
// Each has a "memory" clobber: the compiler moves no access across it.

/// Orders what this thread did, and what it saw others do, before what it does
/// next, for all threads of the system. About 1 us after remote stores.
GIN_DEVICE void fenceSystem() {
  asm volatile("fence.acq_rel.sys;" ::: "memory");
}
/// The same for all threads of this GPU.
GIN_DEVICE void fenceGpu() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }

GIN_DEVICE uint64_t loadAcquire(const uint64_t *address) {
  uint64_t value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];"
               : "=l"(value)
               : "l"(address)
               : "memory");
  return value;
}
GIN_DEVICE uint64_t loadRelaxed(const uint64_t *address) {
  uint64_t value;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];"
               : "=l"(value)
               : "l"(address)
               : "memory");
  return value;
}
GIN_DEVICE uint32_t loadRelaxed(const uint32_t *address) {
  uint32_t value;
  asm volatile("ld.relaxed.sys.global.u32 %0, [%1];"
               : "=r"(value)
               : "l"(address)
               : "memory");
  return value;
}
GIN_DEVICE void storeRelaxed(uint64_t *address, uint64_t value) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(address), "l"(value)
               : "memory");
}
GIN_DEVICE void storeRelaxed(uint32_t *address, uint32_t value) {
  asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(address), "r"(value)
               : "memory");
}
GIN_DEVICE void storeRelaxed(uint16_t *address, uint16_t value) {
  asm volatile("st.relaxed.sys.global.u16 [%0], %1;" ::"l"(address), "h"(value)
               : "memory");
}
GIN_DEVICE void storeRelaxed(uint8_t *address, uint8_t value) {
  asm volatile("st.relaxed.sys.global.u8 [%0], %1;" ::"l"(address),
               "r"(uint32_t(value))
               : "memory");
}
GIN_DEVICE void storeRelease(uint32_t *address, uint32_t value) {
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(address), "r"(value)
               : "memory");
}
/// Adds without a result, after all that this thread did or saw.
GIN_DEVICE void addRelease(uint64_t *address, uint64_t value) {
  asm volatile("red.release.sys.global.add.u64 [%0], %1;" ::"l"(address),
               "l"(value)
               : "memory");
}
/// Adds without a result, in any order with other accesses.
GIN_DEVICE void addRelaxed(uint64_t *address, uint64_t value) {
  asm volatile("red.relaxed.sys.global.add.u64 [%0], %1;" ::"l"(address),
               "l"(value)
               : "memory");
}
GIN_DEVICE void addRelaxed(uint32_t *address, uint32_t value) {
  asm volatile("red.relaxed.sys.global.add.u32 [%0], %1;" ::"l"(address),
               "r"(value)
               : "memory");
}
GIN_DEVICE void addRelaxed(float *address, float value) {
  asm volatile("red.relaxed.sys.global.add.f32 [%0], %1;" ::"l"(address),
               "f"(value)
               : "memory");
}
GIN_DEVICE void addRelaxed(double *address, double value) {
  asm volatile("red.relaxed.sys.global.add.f64 [%0], %1;" ::"l"(address),
               "d"(value)
               : "memory");
}
// By bits, and where the GPU has an instruction.
constexpr bool canAddHalf = true;
GIN_DEVICE void addHalf(void *address, uint16_t bits) {
  asm volatile("red.relaxed.sys.global.add.noftz.f16 [%0], %1;" ::"l"(address),
               "h"(bits)
               : "memory");
}
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
constexpr bool canAddBfloat16 = true;
GIN_DEVICE void addBfloat16(void *address, uint16_t bits) {
  asm volatile("red.relaxed.sys.global.add.noftz.bf16 [%0], %1;" ::"l"(address),
               "h"(bits)
               : "memory");
}
#else
constexpr bool canAddBfloat16 = false;
#endif
/// Sets the word to `to` if it is `from`; returns what it was.
GIN_DEVICE uint32_t exchangeIf(uint32_t *address, uint32_t from, uint32_t to) {
  uint32_t old;
  asm volatile("atom.relaxed.sys.global.cas.b32 %0, [%1], %2, %3;"
               : "=r"(old)
               : "l"(address), "r"(from), "r"(to)
               : "memory");
  return old;
}

// Within one GPU.
GIN_DEVICE void maxRelaxedGpu(uint64_t *address, uint64_t value) {
  asm volatile("red.relaxed.gpu.global.max.u64 [%0], %1;" ::"l"(address),
               "l"(value)
               : "memory");
}
/// Adds 1, or sets to 0 when `last` is reached; returns the old value.
GIN_DEVICE uint32_t wrapRelaxedGpu(uint32_t *address, uint32_t last) {
  uint32_t old;
  asm volatile("atom.relaxed.gpu.global.inc.u32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(address), "r"(last)
               : "memory");
  return old;
}

} // namespace gin

#endif // GIN_DEVICE_CUDA_MEMORY_H
