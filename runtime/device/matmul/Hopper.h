//===- Hopper.h - matmul by tensor copies and wgmma -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Three warpgroups of a CTA. Two consumers multiply 64 rows each. The warps of
// the third have a role each, played by one thread:
//
//   0 producer   acquires and loads steps of k into a ring of stages
//   1 spare      the hook's
//   2 writer     copies finished boxes of C to global memory
//   3 publisher  publishes finished tiles, beside the writer, which a release
//                would hold up for a microsecond
//
// The CTAs of a cluster compute tiles below each other: each loads half of B's
// tile and multicasts it to both, so that a stage is free when the consumers of
// both have used it. Each role walks the tiles by itself; barriers in shared
// memory join them:
//
//   full, empty         a stage is loaded; may be loaded again
//   staged, drained     a buffer of C is filled; has been read
//   written, published  a tile is complete in memory; has been published
//
// All threads keep the 168 registers that 384 of them can have. Consumers need
// no more for tiles of 256 columns, and hooks that wait or copy need more than
// setmaxnreg would leave them.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_MATMUL_HOPPER_H
#define GIN_DEVICE_MATMUL_HOPPER_H

#include "runtime/device/matmul/Epilogue.h"
#include "runtime/device/matmul/Tma.h"
#include "runtime/device/matmul/Wgmma.h"

namespace gin::detail {

#ifdef GIN_HAVE_WGMMA

template <class Config, class Order, class Hooks>
class HopperMatmul {
  using Output = typename Config::Output;
  static constexpr unsigned cluster = Config::cluster;
  static constexpr unsigned stages = Config::stages;
  static constexpr int boxes = Config::columns / Config::outputColumns;

  const MatmulOperands &operands;
  const Order &order;
  const uint32_t base;        // a multiple of 1024, for swizzled boxes
  const unsigned rank;        // of the CTA in its cluster
  const unsigned first, step; // tiles of this cluster
  const int depth;            // k
  const unsigned steps;       // of k

  GIN_DEVICE uint32_t full(unsigned stage) const { return base + 8 * stage; }
  GIN_DEVICE uint32_t empty(unsigned stage) const {
    return base + 64 + 8 * stage;
  }
  // Two buffers for each consumer.
  GIN_DEVICE uint32_t staged(unsigned consumer, unsigned buffer) const {
    return base + 128 + 16 * consumer + 8 * buffer;
  }
  GIN_DEVICE uint32_t drained(unsigned consumer, unsigned buffer) const {
    return base + 192 + 16 * consumer + 8 * buffer;
  }
  GIN_DEVICE uint32_t written() const { return base + 256; }
  GIN_DEVICE uint32_t published() const { return base + 264; }
  /// A word that is not 0 when a hook has failed.
  GIN_DEVICE uint32_t failed() const { return base + 272; }
  GIN_DEVICE uint32_t stageA(unsigned stage) const {
    return base + Config::head + stage * Config::stageBytes;
  }
  GIN_DEVICE uint32_t stageB(unsigned stage) const {
    return stageA(stage) + Config::bytesA;
  }
  GIN_DEVICE uint32_t buffer(unsigned consumer, unsigned buffer) const {
    return base + Config::head + stages * Config::stageBytes +
           (2 * consumer + buffer) * Config::bufferBytes;
  }

  GIN_DEVICE void setFailed() const {
    asm volatile("st.shared.u32 [%0], 1;" ::"r"(failed()) : "memory");
  }
  GIN_DEVICE bool hasFailed() const {
    uint32_t value;
    asm volatile("ld.shared.u32 %0, [%1];"
                 : "=r"(value)
                 : "r"(failed())
                 : "memory");
    return value != 0;
  }

  /// The tile at `index`, with the rows of this CTA.
  GIN_DEVICE ginMatmulTile_t tileAt(unsigned index) const {
    ginMatmulTile_t tile = order(index);
    tile.row += static_cast<int32_t>(rank * Config::rows);
    return tile;
  }

  GIN_DEVICE void begin() const;
  GIN_DEVICE void end() const;
  GIN_DEVICE void load(unsigned stage, const ginMatmulTile_t &tile,
                       int k) const;
  GIN_DEVICE void produce(Hooks hooks) const;
  GIN_DEVICE void consume(unsigned consumer) const;
  GIN_DEVICE void multiply(float (&sum)[Config::columns / 2], unsigned consumer,
                           unsigned &at) const;
  GIN_DEVICE void write(Hooks hooks) const;
  GIN_DEVICE void publish(Hooks hooks) const;

public:
  GIN_DEVICE HopperMatmul(const MatmulOperands &operands, CtaRange ctas,
                          const Order &order, void *shared)
      : operands(operands), order(order),
        base((sharedAddress(shared) + 1023) & ~1023u),
        rank((blockInGrid() - ctas.first) % cluster),
        first((blockInGrid() - ctas.first) / cluster),
        step(ctas.count / cluster),
        depth(static_cast<int>(operands.a[0].columns)),
        steps((static_cast<unsigned>(depth) + Config::depth - 1) /
              Config::depth) {}

  GIN_DEVICE void run(const Hooks &hooks) const {
    begin();
    const unsigned group = threadInBlock() / 128;
    const unsigned warp = threadInBlock() / 32;
    const bool leader = threadInBlock() % 32 == 0;
    if (group == 0) {
      if (warp == 0) {
        if (leader)
          produce(hooks);
      } else if (warp == 1) {
        Hooks own = hooks;
        own.spare();
      } else if (warp == 2) {
        if (leader)
          write(hooks);
      } else if (Hooks::publishes && leader) {
        publish(hooks);
      }
      syncWarp();
    } else {
      consume(group - 1);
    }
    end();
  }
};

template <class Config, class Order, class Hooks>
GIN_DEVICE void HopperMatmul<Config, Order, Hooks>::begin() const {
  if (threadInBlock() == 0) {
    for (unsigned stage = 0; stage < stages; ++stage) {
      barrierInit(full(stage), 1);
      barrierInit(empty(stage), 2 * cluster);
    }
    for (unsigned i = 0; i < 4; ++i) {
      barrierInit(staged(i / 2, i % 2), 4); // warps
      barrierInit(drained(i / 2, i % 2), 1);
    }
    barrierInit(written(), 1);
    barrierInit(published(), 1);
    asm volatile("st.shared.u32 [%0], 0;" ::"r"(failed()) : "memory");
    fenceBarrierInit();
    fenceAsync();
  }
  syncWarp();
  if constexpr (cluster == 1)
    syncBlock();
  else
    syncCluster();
}

template <class Config, class Order, class Hooks>
GIN_DEVICE void HopperMatmul<Config, Order, Hooks>::end() const {
  // The other CTA may still arrive here, and copy to here, until it is here.
  syncWarp();
  if constexpr (cluster == 1)
    syncBlock();
  else
    syncCluster();
  if (threadInBlock() == 0) {
    for (unsigned stage = 0; stage < stages; ++stage) {
      barrierEnd(full(stage));
      barrierEnd(empty(stage));
    }
    for (unsigned i = 0; i < 4; ++i) {
      barrierEnd(staged(i / 2, i % 2));
      barrierEnd(drained(i / 2, i % 2));
    }
    barrierEnd(written());
    barrierEnd(published());
  }
  syncBlock();
}

template <class Config, class Order, class Hooks>
GIN_DEVICE void HopperMatmul<Config, Order, Hooks>::load(
    unsigned stage, const ginMatmulTile_t &tile, int k) const {
  const ginTensorMap_t *mapA = &operands.a[tile.a].map;
  const ginTensorMap_t *mapB = &operands.b[tile.b].map;
  const uint32_t barrier = full(stage), b = stageB(stage);
  auto loadB = [&](uint32_t to, int column, int row) {
    if constexpr (cluster == 1)
      tensorLoad(to, mapB, column, row, barrier);
    else
      tensorLoadMulticast(to, mapB, column, row, barrier, 3);
  };
  barrierExpect(barrier, Config::stageBytes);
  const int share = static_cast<int>(rank);
  if constexpr (Config::transposedB) {
    constexpr int rows = Config::columns / Config::cluster;
    loadB(b + share * rows * 128, k, tile.column + share * rows);
  } else {
    constexpr int rows = Config::depth / Config::cluster;
#pragma unroll
    for (int column = 0; column < Config::columns; column += 64)
      loadB(b + column * 128 + share * rows * 128, tile.column + column,
            k + share * rows);
  }
  tensorLoad(stageA(stage), mapA, k, tile.row, barrier);
}

template <class Config, class Order, class Hooks>
GIN_DEVICE void HopperMatmul<Config, Order, Hooks>::produce(Hooks hooks) const {
  bool good = true;
  unsigned at = 0;
  for (unsigned index = first; index < order.size(); index += step) {
    const ginMatmulTile_t tile = tileAt(index);
    for (int k = 0; k < depth; k += Config::depth, ++at) {
      if (good && !hooks.acquire(tile, k)) {
        good = false;
        setFailed();
      }
      const unsigned stage = at % stages;
      barrierWait(empty(stage), (at / stages & 1) ^ 1);
      load(stage, tile, k);
    }
  }
}

/// The sum of a tile, of at least one step of k; `at` counts these through all
/// tiles.
template <class Config, class Order, class Hooks>
GIN_DEVICE void HopperMatmul<Config, Order, Hooks>::multiply(
    float (&sum)[Config::columns / 2], unsigned consumer, unsigned &at) const {
  using Input = typename Config::Input;
  constexpr bool rowMajorB = !Config::transposedB;
  // Bytes from 64 columns of B to the next, and descriptor units from 16 of k
  // to the next.
  constexpr uint32_t leading = rowMajorB ? 64 * 128 : 16;
  constexpr uint32_t advance = rowMajorB ? 16 * 128 / 16 : 32 / 16;
  const unsigned thread = threadInBlock() % 128;
  auto release = [&](unsigned stage) {
    if (thread < cluster)
      barrierArriveAt(empty(stage), thread);
  };
#pragma unroll 1
  for (unsigned i = 0; i < steps; ++i, ++at) {
    const unsigned stage = at % stages;
    barrierWait(full(stage), at / stages & 1);
    const uint64_t a =
        matrixDescriptor(stageA(stage) + consumer * 64 * 128, 16);
    const uint64_t b = matrixDescriptor(stageB(stage), leading);
    wgmmaFence();
#pragma unroll
    for (unsigned part = 0; part < 4; ++part)
      wgmma<Input, Config::columns, rowMajorB>(
          sum, a + 2 * part, b + advance * part, (i | part) != 0);
    wgmmaCommit();
    // One group stays in flight, so that the stage before has been used.
    wgmmaWait<1>();
    if (i > 0)
      release((at - 1) % stages);
  }
  wgmmaWait<0>();
  release((at - 1) % stages);
}

template <class Config, class Order, class Hooks>
GIN_DEVICE void
HopperMatmul<Config, Order, Hooks>::consume(unsigned consumer) const {
  float sum[Config::columns / 2];
  unsigned at = 0, box = 0;
  for (unsigned index = first; index < order.size(); index += step) {
    multiply(sum, consumer, at);
#pragma unroll
    for (int i = 0; i < boxes; ++i, ++box) {
      const unsigned which = box % 2;
      barrierWait(drained(consumer, which), (box / 2 & 1) ^ 1);
      stageBox<Output, Config::outputColumns>(
          buffer(consumer, which), sum + i * Config::outputColumns / 2);
      fenceAsyncShared();
      syncWarp();
      if (threadInBlock() % 32 == 0)
        barrierArrive(staged(consumer, which));
    }
  }
}

template <class Config, class Order, class Hooks>
GIN_DEVICE void HopperMatmul<Config, Order, Hooks>::write(Hooks hooks) const {
  unsigned box = 0, tiles = 0;
  for (unsigned index = first; index < order.size(); index += step, ++tiles) {
    const ginMatmulTile_t tile = tileAt(index);
    const ginMatrix_t &c = operands.c[tile.c];
    if (!hasFailed() && !hooks.reserve(tile))
      setFailed();
    // Copies read their buffers in order: two of them stay in flight.
    auto drain = [&](unsigned number) {
      barrierArrive(drained(number % 2, (number / 2) % 2));
    };
    for (int i = 0; i < 2 * boxes; ++i, ++box) {
      const unsigned consumer = box % 2, which = (box / 2) % 2;
      barrierWait(staged(consumer, which), box / 4 & 1);
      const uint32_t from = buffer(consumer, which);
      const int column = tile.column + i / 2 * Config::outputColumns;
      const int row = tile.row + static_cast<int>(consumer) * 64;
      // After a failure what was multiplied means nothing; groups count on.
      if (hasFailed())
        commitNothing();
      else if (c.add)
        tensorAdd(&c.map, from, column, row);
      else
        tensorStore(&c.map, from, column, row);
      if (i >= 2) {
        bulkWaitRead<2>();
        drain(box - 2);
      }
    }
    bulkWait();
    drain(box - 2);
    drain(box - 1);
    if constexpr (Hooks::publishes) {
      if (tiles > 0)
        barrierWait(published(), (tiles - 1) & 1);
      barrierArrive(written());
    }
  }
}

template <class Config, class Order, class Hooks>
GIN_DEVICE void HopperMatmul<Config, Order, Hooks>::publish(Hooks hooks) const {
  unsigned tiles = 0;
  for (unsigned index = first; index < order.size(); index += step, ++tiles) {
    const ginMatmulTile_t tile = tileAt(index);
    barrierWait(written(), tiles & 1);
    if (!hasFailed())
      hooks.publish(tile);
    barrierArrive(published());
  }
}

#endif // GIN_HAVE_WGMMA

} // namespace gin::detail

#endif // GIN_DEVICE_MATMUL_HOPPER_H
