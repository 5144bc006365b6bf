//===- Ampere.h - matmul by cp.async and mma.sync ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// For sm_80 and later, and for operands that tensor maps cannot describe. The
// first 8 warps of a CTA compute 128 x 128 elements of its tile at a time, each
// 64 x 32 of them, over a ring of three steps of k in shared memory; the ninth
// is the spare one. Both CTAs of a cluster work by themselves.
//
// Shared memory: for each step 128 rows of A, then B, in rows of 64 elements,
// 128 bytes; 16-byte chunk c of row r stands at c ^ (r % 8), so that ldmatrix
// has no bank conflicts. B's rows run along k or, where it is stored as k x n,
// along n: then 64 rows for the first 64 columns, and 64 for the others.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_MATMUL_AMPERE_H
#define GIN_DEVICE_MATMUL_AMPERE_H

#include "runtime/device/Bulk.h"
#include "runtime/device/matmul/Epilogue.h"
#include "runtime/device/matmul/Select.h"

namespace gin::detail {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

GIN_DEVICE uint32_t sharedPlace(const void *pointer) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(pointer));
}

/// Four 8 x 8 matrices of 16-bit elements; each lane has the address of a row.
template <bool Transposed>
GIN_DEVICE void loadMatrices(uint32_t (&words)[4], uint32_t address) {
  if constexpr (Transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]),
                   "=r"(words[3])
                 : "r"(address)
                 : "memory");
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 "
                 "{%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]),
                   "=r"(words[3])
                 : "r"(address)
                 : "memory");
}

template <class T>
GIN_DEVICE void mma(float (&sum)[4], const uint32_t (&a)[4], uint32_t b0,
                    uint32_t b1) {
#define GIN_MMA(type)                                                          \
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32." type "." type          \
               ".f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "           \
               "{%0, %1, %2, %3};"                                             \
               : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])        \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1))
  if constexpr (std::is_same_v<T, half>)
    GIN_MMA("f16");
  else
    GIN_MMA("bf16");
#undef GIN_MMA
}

/// A matrix as chunks of 8 elements are loaded from it.
struct ChunkSource {
  const uint16_t *data;
  int64_t rows, columns, stride;
  bool aligned; // every chunk is 16 aligned bytes

  GIN_DEVICE explicit ChunkSource(const MatrixView<const uint16_t> &matrix)
      : data(matrix.data), rows(matrix.rows), columns(matrix.columns),
        stride(matrix.stride),
        aligned((reinterpret_cast<uintptr_t>(matrix.data) % 16 == 0) &
                (matrix.stride % 8 == 0)) {}

  /// Loads a chunk, zeros outside the matrix; by cp.async where it can.
  GIN_DEVICE void load(uint32_t to, int64_t row, int64_t column) const {
    int64_t valid = row < rows ? columns - column : 0;
    valid = valid < 0 ? 0 : (valid > 8 ? 8 : valid);
    const uint16_t *from = valid > 0 ? data + row * stride + column : data;
    if (aligned) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                   "l"(from), "r"(static_cast<uint32_t>(2 * valid))
                   : "memory");
      return;
    }
    uint32_t words[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const uint32_t low = 2 * i < valid ? load2(from + 2 * i) : 0;
      const uint32_t high = 2 * i + 1 < valid ? load2(from + 2 * i + 1) : 0;
      words[i] = high << 16 | low;
    }
    asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(to),
                 "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
                 : "memory");
  }
};

template <class Config, class Order, class Hooks>
class AmpereMatmul {
  using Input = typename Config::Input;
  using Output = typename Config::Output;
  static constexpr unsigned workers = 256;
  static constexpr int width = 128; // columns at a time
  static constexpr int stages = Config::fallbackStages;

  const MatmulOperands &operands;
  const TileWalk<Config, Order, Hooks> tiles;
  const uint32_t base; // a flag, a tile, then the steps
  const unsigned thread = threadInBlock();
  const unsigned lane = thread % 32;
  const unsigned warpRow = thread / 32 % 2 * 64, warpColumn = thread / 64 * 32;
  const int depth;

  /// A block of a tile, 128 x `width` at most.
  struct Part {
    ginMatmulTile_t tile;
    int column, columnEnd;
    bool firstOfTile;
  };

  GIN_DEVICE void meet() const {
    asm volatile("bar.sync 1, %0;" ::"n"(workers) : "memory");
  }
  GIN_DEVICE uint32_t stage(int index) const {
    return base + Config::head + index % stages * 2 * Config::bytesA;
  }
  GIN_DEVICE static uint32_t place(uint32_t to, unsigned row, unsigned chunk) {
    return to + row * 128 + (chunk ^ row % 8) * 16;
  }

  GIN_DEVICE void load(const Part &part, int index) const {
    const int k = index * Config::depth;
    const uint32_t a = stage(index), b = a + Config::bytesA;
    const ChunkSource sourceA(
        viewOf<const uint16_t, Hooks>(operands.a, part.tile.a));
    const ChunkSource sourceB(
        viewOf<const uint16_t, Hooks>(operands.b, part.tile.b));
    // Not unrolled: addresses of 64 bits are many registers.
#pragma unroll 1
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned chunk = i * workers + thread;
      const unsigned row = chunk / 8, column = chunk % 8;
      sourceA.load(place(a, row, column), part.tile.row + int64_t(row),
                   k + int64_t(8 * column));
      if constexpr (Config::transposedB)
        sourceB.load(place(b, row, column), part.column + int64_t(row),
                     k + int64_t(8 * column));
      else
        sourceB.load(place(b, row, column), k + int64_t(row % 64),
                     part.column + int64_t(row / 64 * 64 + 8 * column));
    }
  }

  GIN_DEVICE void multiply(float (&sum)[4][4][4], int index) const {
    const uint32_t a = stage(index), b = a + Config::bytesA;
#pragma unroll
    for (unsigned k = 0; k < Config::depth; k += 16) {
      uint32_t fragmentsB[2][4];
#pragma unroll
      for (unsigned j = 0; j < 2; ++j) {
        const unsigned column = warpColumn + 16 * j + lane / 16 * 8;
        if constexpr (Config::transposedB)
          loadMatrices<false>(
              fragmentsB[j], place(b, column + lane % 8, k / 8 + lane / 8 % 2));
        else
          loadMatrices<true>(fragmentsB[j],
                             place(b + column / 64 * 64 * 128, k + lane % 16,
                                   column % 64 / 8));
      }
#pragma unroll
      for (unsigned i = 0; i < 4; ++i) {
        uint32_t fragmentA[4];
        loadMatrices<false>(fragmentA, place(a, warpRow + 16 * i + lane % 16,
                                             k / 8 + lane / 16));
#pragma unroll
        for (unsigned j = 0; j < 4; ++j)
          mma<Input>(sum[i][j], fragmentA, fragmentsB[j / 2][j % 2 * 2],
                     fragmentsB[j / 2][j % 2 * 2 + 1]);
      }
    }
  }

  GIN_DEVICE void store(const Part &part, const float (&sum)[4][4][4]) const {
    const auto c = outputOf<Output, Hooks>(operands.c, part.tile);
    const int64_t columnEnd =
        part.columnEnd < c.columns ? part.columnEnd : c.columns;
    // Rows whose pairs of elements are aligned words.
    const bool pairs = sizeof(Output) == 2 && !c.add && c.stride % 2 == 0 &&
                       reinterpret_cast<uintptr_t>(c.data) % 4 == 0;
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
      const int64_t row = part.tile.row + int64_t(warpRow + 8 * i + lane / 4);
      if (row >= c.rows)
        continue;
      Output *to = c.data + row * c.stride;
#pragma unroll
      for (unsigned j = 0; j < 4; ++j) {
        const int64_t column =
            part.column + int64_t(warpColumn + 8 * j + lane % 4 * 2);
        const float one = sum[i / 2][j][i % 2 * 2];
        const float two = sum[i / 2][j][i % 2 * 2 + 1];
        if constexpr (sizeof(Output) == 2)
          if (pairs && column + 1 < columnEnd) {
            *reinterpret_cast<uint32_t *>(to + column) =
                packTwo<Output>(one, two);
            continue;
          }
        if (column < columnEnd)
          putElement(to + column, one, c.add);
        if (column + 1 < columnEnd)
          putElement(to + column + 1, two, c.add);
      }
    }
  }

  /// Steps of `part`; `hooks` and `good` are those of thread 0.
  GIN_DEVICE void compute(const Part &part, Hooks &hooks, bool &good) const {
    const int steps = (depth + Config::depth - 1) / Config::depth;
    auto acquire = [&](int index) {
      const bool selected = Hooks::selects && index == 0;
      if (thread == 0 && part.firstOfTile && index < steps && !selected)
        good = good && hooks.acquire(part.tile, index * Config::depth);
    };
    auto loadStep = [&](int index) {
      if (index < steps)
        load(part, index);
      asm volatile("cp.async.commit_group;" ::: "memory");
    };
    float sum[4][4][4] = {};
    for (int index = 0; index < stages - 1; ++index)
      acquire(index);
    meet();
    for (int index = 0; index < stages - 1; ++index)
      loadStep(index);
    for (int index = 0; index < steps; ++index) {
      acquire(index + stages - 1);
      asm volatile("cp.async.wait_group %0;" ::"n"(stages - 2) : "memory");
      meet();
      loadStep(index + stages - 1);
      multiply(sum, index);
    }
    if (thread == 0) {
      if (part.firstOfTile)
        good = good && hooks.reserve(part.tile);
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(base), "r"(int(good))
                   : "memory");
    }
    meet();
    // After a failure what was multiplied means nothing.
    uint32_t write;
    asm volatile("ld.shared.u32 %0, [%1];"
                 : "=r"(write)
                 : "r"(base)
                 : "memory");
    if (write)
      store(part, sum);
  }

public:
  GIN_DEVICE AmpereMatmul(const MatmulOperands &operands, CtaRange ctas,
                          const Order &order, void *shared)
      : operands(operands),
        tiles(order, ctas, static_cast<char *>(shared) + 16),
        base(sharedPlace(shared)),
        depth(static_cast<int>(operands.a[0].columns)) {}

  GIN_DEVICE void run(const Hooks &hooks) const {
    Hooks own = hooks;
    syncBlock();
    if (thread < workers) {
      bool good = true;
      auto walk = tiles;
      Part part{{}, 0, 0, true};
      while (walk.next(part.tile, thread == 0, own, good, [&] { meet(); })) {
        part.columnEnd = part.tile.column + Config::columns;
        for (int at = 0; at < Config::columns; at += width) {
          part.column = part.tile.column + at;
          part.firstOfTile = at == 0;
          compute(part, own, good);
        }
        if constexpr (Hooks::publishes) {
          meet();
          if (thread == 0 && good)
            own.publish(part.tile);
        }
      }
    } else if (thread < workers + 32) {
      own.spare();
    }
    syncBlock();
  }
};

#endif

} // namespace gin::detail

#endif // GIN_DEVICE_MATMUL_AMPERE_H
