//===- Epilogue.h - from sums to elements of C ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Rounds sums and puts them into shared memory, and from there into some rows
// of global memory; or adds them to single elements there.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_MATMUL_EPILOGUE_H
#define GIN_DEVICE_MATMUL_EPILOGUE_H

#include "runtime/device/Accumulate.h"
#include "runtime/device/matmul/Select.h"

namespace gin::detail {

/// Writes or adds one element of C.
template <class Output, class Sum>
GIN_DEVICE void putElement(Output *to, Sum sum, bool add) {
  auto round = [](auto value) {
    if constexpr (std::is_arithmetic_v<Output>)
      return static_cast<Output>(value);
    else
      return fromFloat<Output>(static_cast<float>(value));
  };
  Output value = round(sum);
  if (!add)
    *to = value;
  else if constexpr (canAddElement<Output>)
    addElement(to, value);
  else if constexpr (std::is_integral_v<Output>) // no GPU adds these atomically
    *to = static_cast<Output>(*to + value);
  else
    *to = round(static_cast<float>(*to) + static_cast<float>(value));
}

#ifdef __CUDACC__

/// Two elements of 16 bits in a word, the first in the lower half.
template <class Output>
GIN_DEVICE uint32_t packTwo(float first, float second) {
  uint32_t word;
  if constexpr (std::is_same_v<Output, half>) {
    const __half2 pair = __floats2half2_rn(first, second);
    __builtin_memcpy(&word, &pair, sizeof word);
  } else {
    const __nv_bfloat162 pair = __floats2bfloat162_rn(first, second);
    __builtin_memcpy(&word, &pair, sizeof word);
  }
  return word;
}

#if __CUDA_ARCH__ >= 900
/// 16 bytes of shared memory, at a multiple of 16.
GIN_DEVICE Vector16 loadShared16(uint32_t address) {
  uint32_t words[4];
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(address)
               : "memory");
  Vector16 value;
  __builtin_memcpy(&value, words, sizeof value);
  return value;
}

GIN_DEVICE void storeShared16(uint32_t address, const Vector16 &value) {
  uint32_t words[4];
  __builtin_memcpy(words, &value, sizeof words);
  asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address),
               "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
               : "memory");
}

/// Where 16-byte chunk `chunk` of a row stands in a buffer whose rows have
/// `RowBytes`, as tensor copies read it: in a row of 128 bytes chunk c of row r
/// stands at c ^ (r % 8), in one of 64 bytes at c ^ (r / 2 % 4).
template <unsigned RowBytes>
GIN_DEVICE uint32_t chunkPlace(uint32_t buffer, unsigned row, unsigned chunk) {
  const unsigned pattern = RowBytes == 128 ? row % 8 : row / 2 % 4;
  return buffer + row * RowBytes + (chunk ^ pattern) * 16;
}

/// Writes a warpgroup's accumulators of `Columns` columns, `sum`, into a buffer
/// of 64 rows.
template <class Output, int Columns>
GIN_DEVICE void stageBox(uint32_t buffer, const float *sum) {
  constexpr unsigned rowBytes = Columns * sizeof(Output);
  const unsigned lane = threadInBlock() % 32;
  const unsigned warpRow = threadInBlock() % 128 / 32 * 16;
  auto place = [=](unsigned row, unsigned chunk) {
    return chunkPlace<rowBytes>(buffer, row, chunk);
  };
  if constexpr (sizeof(Output) == 2) {
    // Four 8 x 8 matrices: upper and lower rows of 8 columns and of the next.
    const unsigned row = warpRow + lane % 16;
#pragma unroll
    for (unsigned i = 0; i < Columns / 16; ++i) {
      uint32_t words[4];
#pragma unroll
      for (unsigned j = 0; j < 4; ++j)
        words[j] = packTwo<Output>(sum[8 * i + 2 * j], sum[8 * i + 2 * j + 1]);
      asm volatile(
          "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::
              "r"(place(row, 2 * i + lane / 16)),
          "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
          : "memory");
    }
  } else {
#pragma unroll
    for (unsigned i = 0; i < Columns / 8; ++i)
#pragma unroll
      for (unsigned lower = 0; lower < 2; ++lower) {
        const unsigned row = warpRow + lane / 4 + 8 * lower;
        const unsigned chunk = 2 * i + lane % 4 / 2;
        asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(
                         place(row, chunk) + lane % 2 * 8),
                     "f"(sum[4 * i + 2 * lower]),
                     "f"(sum[4 * i + 2 * lower + 1])
                     : "memory");
      }
  }
}

/// Writes the first `rows` rows of such a buffer to (row, column) of C, or adds
/// them, where a tensor copy would write all 64. By a warp. Rows of C end at
/// multiples of 16 bytes, as tensor maps need it.
template <class Output, int Columns>
GIN_DEVICE void writeRows(uint32_t buffer, const MatrixView<Output> &c,
                          int64_t row, int64_t column, unsigned rows) {
  constexpr unsigned rowBytes = Columns * sizeof(Output);
  constexpr unsigned chunks = rowBytes / 16, width = 16 / sizeof(Output);
  for (unsigned i = threadInBlock() % 32; i < rows * chunks; i += 32) {
    const unsigned down = i / chunks, chunk = i % chunks;
    const int64_t at = column + int64_t(chunk * width);
    if (at >= c.columns)
      continue;
    const Vector16 value =
        loadShared16(chunkPlace<rowBytes>(buffer, down, chunk));
    Output *to = c.data + (row + down) * c.stride + at;
    if (!c.add) {
      store16(to, value);
      continue;
    }
    Output values[width];
    __builtin_memcpy(values, &value, sizeof values);
    for (unsigned j = 0; j < width; ++j)
      addElement(to + j, values[j]);
  }
}
#endif

#endif // __CUDACC__

} // namespace gin::detail

#endif // GIN_DEVICE_MATMUL_EPILOGUE_H
