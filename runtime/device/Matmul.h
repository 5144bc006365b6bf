//===- Matmul.h - the tile loop of a matmul ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// C[m, n] (+)= A[m, k] * B[k, n] by some or all CTAs of a launch, tile by tile,
// in an order that is data, with places in between where a kernel waits for
// what it multiplies and says what it has written.
//
//   using Config = gin::MatmulConfig<gin::half, gin::half, true>;
//   __global__ void GIN_CLUSTER(Config::cluster)
//       __launch_bounds__(Config::threads, 1)
//       multiply(const __grid_constant__ ginMatrix_t a,
//                const __grid_constant__ ginMatrix_t b,
//                const __grid_constant__ ginMatrix_t c,
//                const __grid_constant__ gin::MatmulTable order) {
//     gin::matmul<Config>({&a, &b, &c}, {0, gridDim.x}, order,
//                         gin::MatmulHooks(), gin::sharedMemory());
//   }
//
// Launch. Config::threads threads a block, one block on an SM, and
// Config::sharedBytes(capability) of dynamic shared memory. All threads of a
// CTA call, where they have not diverged, and return together, when the CTA's
// tiles are written (see publish). gin_matmul.h makes operands and tables.
//
// Implementations. One contract, three of them:
//   sm_90a    persistent and warp-specialised, tensor copies and wgmma, by
//             clusters of two CTAs that share B's tiles. Needs what tensor maps
//             need (ginMatrix_t::mapped) of all operands.
//   sm_80     cp.async and mma.sync, any stride and alignment. Also where an
//             operand is not mapped.
//   portable  loops; any GPU and host threads, any arithmetic types, any number
//             of threads.
// The first two take gin::half and gin::bfloat16, and write these or float;
// other types take the portable loops. Sums are kept in float, and are rounded
// once, when they are written; of doubles in double, of integers in integers.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_MATMUL_H
#define GIN_DEVICE_MATMUL_H

#include "runtime/device/Float.h"
#include "runtime/include/gin_matmul.h"

#include <type_traits>

/// The number of CTAs in a kernel's clusters; nothing where there are none, and
/// none are needed.
#if !defined(__CUDACC__) || (defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900)
#define GIN_CLUSTER(ctas)
#else
#define GIN_CLUSTER(ctas) __cluster_dims__(ctas)
#endif

namespace gin {

/// What a kernel is compiled for. `TransposedB`: B is stored as n x k. Columns,
/// Cluster, OutputColumns: see ginMatmulShape_t. A row of OutputColumns has 128
/// bytes, or 64, which makes writes to other GPUs slower.
template <class InputType, class OutputType, bool TransposedB,
          int Columns = 256, int Cluster = 2,
          int OutputColumns =
              Columns % 64 == 0 && sizeof(OutputType) == 2 ? 64 : 32>
struct MatmulConfig {
  using Input = InputType;
  using Output = OutputType;
  static constexpr bool transposedB = TransposedB;
  static constexpr int columns = Columns;
  static constexpr int cluster = Cluster;
  static constexpr int outputColumns = OutputColumns;
  static constexpr int rows = 128; // of a tile that one CTA computes
  static constexpr int depth = 64; // of a step of k
  static constexpr int stages = 4; // steps of k in shared memory, on sm_90a
  static constexpr unsigned threads = 384;

  /// Whether tensor cores multiply these types here.
  static constexpr bool isHalf =
      std::is_same_v<Input, half> || std::is_same_v<Input, bfloat16>;
  static constexpr bool tensorCores =
      isHalf &&
      (std::is_same_v<Output, half> || std::is_same_v<Output, float> ||
       std::is_same_v<Output, bfloat16>);
  static_assert(Cluster == 1 || Cluster == 2, "CTAs of a cluster");
  static_assert(Columns == 64 || Columns == 128 || Columns == 192 ||
                    Columns == 224 || Columns == 256,
                "columns of a tile");
  static_assert(!tensorCores || (Columns % OutputColumns == 0 &&
                                 (OutputColumns * sizeof(Output) == 128 ||
                                  OutputColumns * sizeof(Output) == 64)),
                "columns written at once");

  static constexpr ginMatmulShape_t shape() {
    return {Columns, Cluster, OutputColumns};
  }
  /// Dynamic shared memory, in bytes, on a GPU of compute capability `major`,
  /// at a multiple of 128. What a kernel needs beside it may follow.
  GIN_ANYWHERE static constexpr uint32_t sharedBytes(int major) {
    if (!tensorCores || major < 8)
      return head;
    return major < 9 ? head + fallbackBytes
                     : head + slack + stages * stageBytes + 4 * bufferBytes;
  }

  // Of the parts of shared memory. B's columns are loaded by 64 where they run
  // along a row.
  static constexpr uint32_t head = 1024;
  static constexpr uint32_t slack = 1024 - 128; // to align it
  static constexpr uint32_t bytesA = rows * depth * 2;
  static constexpr uint32_t bytesB =
      (TransposedB ? Columns : (Columns + 63) / 64 * 64) * depth * 2;
  static constexpr uint32_t stageBytes = bytesA + bytesB;
  static constexpr uint32_t bufferBytes = 64 * OutputColumns * sizeof(Output);
  static constexpr uint32_t fallbackStages = 3;
  static constexpr uint32_t fallbackBytes = fallbackStages * 2 * bytesA;
};

/// Arrays of the parts of each operand, or one element each where hooks select.
/// All parts of A have k columns.
struct MatmulOperands {
  const ginMatrix_t *a, *b, *c;
  int aParts = 1, bParts = 1, cParts = 1;
};

/// CTAs of the grid, counted through, that do something together. A matmul's
/// are whole clusters.
struct CtaRange {
  unsigned first, count;
};

/// An order that the host has filled in, in device memory.
struct MatmulTable {
  const ginMatmulTile_t *tiles;
  unsigned length;

  GIN_DEVICE unsigned size() const { return length; }
  GIN_DEVICE ginMatmulTile_t operator()(unsigned index) const;
};

/// The order of one part, in groups of `group` tiles above each other.
struct MatmulGrid {
  unsigned down, across, group;
  int height, width;

  template <class Config>
  GIN_ANYWHERE static MatmulGrid of(Config, int64_t m, int64_t n,
                                    unsigned group = 4) {
    const int height = Config::rows * Config::cluster;
    return {static_cast<unsigned>((m + height - 1) / height),
            static_cast<unsigned>((n + Config::columns - 1) / Config::columns),
            group, height, Config::columns};
  }
  GIN_DEVICE unsigned size() const { return down * across; }
  GIN_DEVICE ginMatmulTile_t operator()(unsigned index) const {
    const unsigned area = group * across, first = index / area * group;
    const unsigned rows = down - first < group ? down - first : group;
    const unsigned rest = index % area;
    ginMatmulTile_t tile{};
    tile.row = static_cast<int32_t>(first + rest % rows) * height;
    tile.column = static_cast<int32_t>(rest / rows) * width;
    return tile;
  }
};

/// What a kernel does between the steps of a matmul: derive, and declare what
/// differs. A function is called by one thread of a CTA, not the same for all
/// of them; each role works on a copy. The tile's row is the first of the CTA's
/// own 128, which may lie behind the part's last row.
struct MatmulHooks {
  /// The tile's rows of A, its columns of B, from k to k + 63, are about to be
  /// loaded: by asynchronous copies, for which it executes fenceAsync() after
  /// it has waited for what they read. Called in the order of tiles and steps,
  /// ahead of the multiplication. False, after an error: the matmul writes
  /// nothing more, calls no other hook, and returns.
  GIN_DEVICE bool acquire(const ginMatmulTile_t &, int) { return true; }

  /// Whether A, B and C are matrices behind each other (ginMatricesMake), one
  /// of which the tile's a, b and c name, and `select` says what is there of a
  /// tile. Needs clusters of one CTA.
  static constexpr bool selects = false;
  /// The tile has been acquired at k = 0, as it then is even if k is 0. Chooses
  /// its b, and its rows, 1 at least, counted from its first; those behind are
  /// multiplied, maybe, but not written. False: nothing is there, and no
  /// further hook is called for it. By the thread that acquires.
  GIN_DEVICE bool select(ginMatmulTile_t &) { return true; }

  /// The tile is about to be written. False as for acquire.
  GIN_DEVICE bool reserve(const ginMatmulTile_t &) { return true; }

  /// The CTA's rows of the tile are written, and are covered by a plain signal
  /// of this thread. Called once by each CTA of a cluster.
  static constexpr bool publishes = false;
  GIN_DEVICE void publish(const ginMatmulTile_t &) {}

  /// Called by a warp that has nothing else to do, beside the tile loop (or, by
  /// the portable implementation, before it).
  GIN_DEVICE void spare() {}
};

/// Multiplies; see the head of this file. The CTAs of `ctas` call it. `shared`:
/// the dynamic shared memory; free again on return.
template <class Config, class Order, class Hooks>
GIN_DEVICE void matmul(const MatmulOperands &operands, CtaRange ctas,
                       const Order &order, const Hooks &hooks, void *shared);

} // namespace gin

#include "runtime/device/matmul/Portable.h"
#ifdef __CUDACC__
#include "runtime/device/matmul/Ampere.h"
#include "runtime/device/matmul/Hopper.h"
#endif

namespace gin {

GIN_DEVICE ginMatmulTile_t MatmulTable::operator()(unsigned index) const {
  // As payload is read: a table may have been put by another GPU.
  const Vector16 value = load16(tiles + index);
  ginMatmulTile_t tile;
  __builtin_memcpy(&tile, &value, sizeof tile);
  return tile;
}

namespace detail {
GIN_DEVICE bool allMapped(const ginMatrix_t *parts, int count) {
  bool mapped = true;
  for (int i = 0; i < count; ++i)
    mapped &= parts[i].mapped != 0;
  return mapped;
}
} // namespace detail

template <class Config, class Order, class Hooks>
GIN_DEVICE void matmul(const MatmulOperands &operands, CtaRange ctas,
                       const Order &order, const Hooks &hooks, void *shared) {
  static_assert(!Hooks::selects || Config::cluster == 1,
                "the CTAs of a cluster would select by themselves");
  if constexpr (Config::tensorCores) {
#ifdef GIN_HAVE_WGMMA
    if (operands.a[0].columns > 0 &&
        detail::allMapped(operands.a, operands.aParts) &&
        detail::allMapped(operands.b, operands.bParts) &&
        detail::allMapped(operands.c, operands.cParts)) {
      detail::HopperMatmul<Config, Order, Hooks>(operands, ctas, order, shared)
          .run(hooks);
      return;
    }
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    detail::AmpereMatmul<Config, Order, Hooks>(operands, ctas, order, shared)
        .run(hooks);
    return;
#endif
  }
  detail::PortableMatmul<Config, Order, Hooks>(operands, ctas, order, shared)
      .run(hooks);
}

} // namespace gin

#endif // GIN_DEVICE_MATMUL_H
