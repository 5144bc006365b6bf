//===- Wgmma.h - the matrix instruction of sm_90a ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// wgmma.mma_async.m64nNk16: a warpgroup multiplies 64 x 16 elements by 16 x N,
// both in shared memory, and adds to accumulators in its registers. Layouts and
// descriptors are those of the PTX manual, "Asynchronous Warpgroup Level Matrix
// Multiply-Accumulate Instructions".
//
// Accumulators: thread t of warp w (of the warpgroup) has, for each 8 columns
// j, d[4 j] and d[4 j + 1] in row 16 w + t / 4, columns 8 j + 2 (t % 4) and the
// next, and d[4 j + 2], d[4 j + 3] at the same columns 8 rows below.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_MATMUL_WGMMA_H
#define GIN_DEVICE_MATMUL_WGMMA_H

#include "runtime/device/Float.h"

#include <type_traits>

#if defined(__CUDA_ARCH_FEAT_SM90_ALL) ||                                      \
    (defined(__CUDA_ARCH_SPECIFIC__) && __CUDA_ARCH_SPECIFIC__ == 900)
#define GIN_HAVE_WGMMA 1
#endif

namespace gin::detail {

#ifdef GIN_HAVE_WGMMA

/// A matrix in shared memory with rows of 128 bytes and the swizzle of 128
/// bytes; 8 rows are 1024 bytes, which is how it is aligned. Sizes are in units
/// of 16 bytes. `leading` counts for matrices whose rows run along k: from
/// 64 columns to the next 64.
GIN_DEVICE uint64_t matrixDescriptor(uint32_t address, uint32_t leading) {
  return (uint64_t(1) << 62) | (uint64_t(1024 >> 4) << 32) |
         (uint64_t(leading >> 4) << 16) | ((address & 0x3ffff) >> 4);
}

GIN_DEVICE void wgmmaFence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
GIN_DEVICE void wgmmaCommit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Until all but the `Pending` last groups are complete.
template <int Pending>
GIN_DEVICE void wgmmaWait() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}

// Numbers and operands of 16 accumulators.
#define GIN_NUMBERS_0                                                          \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define GIN_NUMBERS_16                                                         \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "     \
  "%30, %31"
#define GIN_NUMBERS_32                                                         \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, "     \
  "%46, %47"
#define GIN_NUMBERS_48                                                         \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "     \
  "%62, %63"
#define GIN_NUMBERS_64                                                         \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, "     \
  "%78, %79"
#define GIN_NUMBERS_80                                                         \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, "     \
  "%94, %95"
#define GIN_NUMBERS_96                                                         \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, " \
  "%109, %110, %111"
#define GIN_NUMBERS_112                                                        \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, "   \
  "%124, %125, %126, %127"
#define GIN_FOUR(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define GIN_OPERANDS(i)                                                        \
  GIN_FOUR(i), GIN_FOUR(i + 4), GIN_FOUR(i + 8), GIN_FOUR(i + 12)

// The accumulators of each width.
#define GIN_NUMBERS_N64 GIN_NUMBERS_0 ", " GIN_NUMBERS_16
#define GIN_NUMBERS_N128 GIN_NUMBERS_N64 ", " GIN_NUMBERS_32 ", " GIN_NUMBERS_48
#define GIN_NUMBERS_N192                                                       \
  GIN_NUMBERS_N128 ", " GIN_NUMBERS_64 ", " GIN_NUMBERS_80
#define GIN_NUMBERS_N224 GIN_NUMBERS_N192 ", " GIN_NUMBERS_96
#define GIN_NUMBERS_N256 GIN_NUMBERS_N224 ", " GIN_NUMBERS_112
#define GIN_OPERANDS_N64 GIN_OPERANDS(0), GIN_OPERANDS(16)
#define GIN_OPERANDS_N128 GIN_OPERANDS_N64, GIN_OPERANDS(32), GIN_OPERANDS(48)
#define GIN_OPERANDS_N192 GIN_OPERANDS_N128, GIN_OPERANDS(64), GIN_OPERANDS(80)
#define GIN_OPERANDS_N224 GIN_OPERANDS_N192, GIN_OPERANDS(96)
#define GIN_OPERANDS_N256 GIN_OPERANDS_N224, GIN_OPERANDS(112)

// `a`, `b`, `keep`, `rows`: the numbers of the operands after the accumulators.
#define GIN_WGMMA_TYPE(columns, type, a, b, keep, rows)                        \
  asm volatile("{\n"                                                           \
               ".reg .pred keep;\n"                                            \
               "setp.ne.b32 keep, " keep ", 0;\n"                              \
               "wgmma.mma_async.sync.aligned.m64n" #columns "k16.f32." type    \
               "." type " {" GIN_NUMBERS_N##columns                            \
               "}, " a ", " b ", keep, 1, 1, 0, " rows ";\n"                   \
               "}"                                                             \
               : GIN_OPERANDS_N##columns                                       \
               : "l"(descriptorA), "l"(descriptorB), "r"(int(accumulate)),     \
                 "n"(RowMajorB ? 1 : 0))
#define GIN_WGMMA(columns, a, b, keep, rows)                                   \
  if constexpr (Columns == columns) {                                          \
    if constexpr (std::is_same_v<T, half>)                                     \
      GIN_WGMMA_TYPE(columns, "f16", a, b, keep, rows);                        \
    else                                                                       \
      GIN_WGMMA_TYPE(columns, "bf16", a, b, keep, rows);                       \
  }

/// d = A * B, or += if `accumulate`. A's rows run along k; B's rows run along
/// k, or, with `RowMajorB`, along its columns.
template <class T, int Columns, bool RowMajorB>
GIN_DEVICE void wgmma(float (&d)[Columns / 2], uint64_t descriptorA,
                      uint64_t descriptorB, bool accumulate) {
  GIN_WGMMA(64, "%32", "%33", "%34", "%35")
  GIN_WGMMA(128, "%64", "%65", "%66", "%67")
  GIN_WGMMA(192, "%96", "%97", "%98", "%99")
  GIN_WGMMA(224, "%112", "%113", "%114", "%115")
  GIN_WGMMA(256, "%128", "%129", "%130", "%131")
}

#undef GIN_WGMMA
#undef GIN_WGMMA_TYPE
#undef GIN_OPERANDS_N256
#undef GIN_OPERANDS_N224
#undef GIN_OPERANDS_N192
#undef GIN_OPERANDS_N128
#undef GIN_OPERANDS_N64
#undef GIN_NUMBERS_N256
#undef GIN_NUMBERS_N224
#undef GIN_NUMBERS_N192
#undef GIN_NUMBERS_N128
#undef GIN_NUMBERS_N64
#undef GIN_OPERANDS
#undef GIN_FOUR
#undef GIN_NUMBERS_112
#undef GIN_NUMBERS_96
#undef GIN_NUMBERS_80
#undef GIN_NUMBERS_64
#undef GIN_NUMBERS_48
#undef GIN_NUMBERS_32
#undef GIN_NUMBERS_16
#undef GIN_NUMBERS_0

#endif // GIN_HAVE_WGMMA

} // namespace gin::detail

#endif // GIN_DEVICE_MATMUL_WGMMA_H
