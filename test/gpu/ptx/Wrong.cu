//===- Wrong.cu - what the tables must refuse -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Compiled to PTX, which check_ptx.py reads: each kernel has what must occur in
// no function, as nvcc spells it. Not a part of any program.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>

#define KERNEL(name)                                                           \
  extern "C" __global__ void name(uint32_t *window, uint32_t *out)

KERNEL(read_only) { *out = __ldg(window); }
/// That nobody else writes here is not so, but nvcc may be told.
extern "C" __global__ void unshared(const uint32_t *__restrict__ window,
                                    uint32_t *__restrict__ out) {
  *out = *window;
}
KERNEL(policy) {
  asm volatile("ld.global.L1::no_allocate.u32 %0, [%1];"
               : "=r"(*out)
               : "l"(window));
}
KERNEL(cached) { *out = __ldcg(window); }
KERNEL(streamed) { __stcs(window, 1u); }
KERNEL(is_volatile) { *out = *static_cast<volatile uint32_t *>(window); }
KERNEL(of_block) { atomicAdd_block(window, 1u); }
KERNEL(of_gpu_unsaid) { *out = atomicAdd(window, 1u); }
KERNEL(fence_of_block) {
  asm volatile("fence.acq_rel.cta;" ::: "memory");
  *out = *window;
}
KERNEL(fence_unsaid) {
  asm volatile("membar.sys;" ::: "memory");
  *out = *window;
}
KERNEL(by_switch) {
  asm volatile("multimem.red.relaxed.sys.global.add.u32 [%0], 1;" ::"l"(window)
               : "memory");
}
KERNEL(local) {
  uint32_t many[64];
  for (int i = 0; i < 64; ++i)
    many[i] = window[i];
  for (int i = 0; i < 64; ++i)
    out[i] = many[window[i]];
}

// What rows of the tables must not have, and no function has.
KERNEL(other) {
  asm volatile("fence.acq_rel.sys;" ::: "memory");
  out[0] = clock();
}
