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
// Where hooks select tiles, the producer alone knows them, and hands those that
// are there to the other roles through a ring of places (pushed, popped). Boxes
// of C with fewer rows than tensor copies write are written by the writer's
// warp.
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
  static constexpr bool selects = Hooks::selects;
  static constexpr unsigned places = 4; // of tiles that are handed on

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
  GIN_DEVICE uint32_t pushed(unsigned place) const {
    return base + 288 + 8 * place;
  }
  GIN_DEVICE uint32_t popped(unsigned place) const {
    return base + 320 + 8 * place;
  }
  GIN_DEVICE uint32_t handed(unsigned place) const {
    return base + 384 + 16 * place;
  }
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

  /// How far a role has come.
  struct Walk {
    unsigned index;     // in the order
    unsigned tiles = 0; // so far
  };

  /// Hands a tile on, by the producer; no rows: it was the last.
  GIN_DEVICE void push(Walk &walk, const ginMatmulTile_t &tile) const {
    const unsigned place = walk.tiles % places;
    barrierWait(popped(place), (walk.tiles / places & 1) ^ 1);
    Vector16 value;
    __builtin_memcpy(&value, &tile, sizeof value);
    storeShared16(handed(place), value);
    barrierArrive(pushed(place));
    ++walk.tiles;
  }

  /// The next tile of a role that is not the producer; false after the last. By
  /// a warp, or by one `Thread` of it.
  template <bool Thread = false>
  GIN_DEVICE bool next(Walk &walk, ginMatmulTile_t &tile) const {
    const unsigned number = walk.tiles++;
    if constexpr (selects) {
      const unsigned place = number % places;
      barrierWait(pushed(place), number / places & 1);
      const Vector16 value = loadShared16(handed(place));
      __builtin_memcpy(&tile, &value, sizeof tile);
      if constexpr (!Thread)
        syncWarp();
      if (Thread || threadInBlock() % 32 == 0)
        barrierArrive(popped(place));
      return tile.rows != 0;
    } else {
      if (walk.index >= order.size())
        return false;
      tile = tileAt(walk.index);
      walk.index += step;
      return true;
    }
  }

  /// The same for who needs no more of the tile than that it comes.
  GIN_DEVICE bool pass(Walk &walk) const {
    if constexpr (selects) {
      ginMatmulTile_t tile;
      return next(walk, tile);
    } else {
      const bool more = walk.index < order.size();
      walk.index += step;
      return more;
    }
  }

  GIN_DEVICE void begin() const;
  GIN_DEVICE void end() const;
  GIN_DEVICE void load(unsigned stage, const ginMatmulTile_t &tile,
                       int k) const;
  GIN_DEVICE void loadTile(const ginMatmulTile_t &tile, Hooks &hooks,
                           bool &good, unsigned &at) const;
  GIN_DEVICE void produce(Hooks hooks) const;
  GIN_DEVICE void consume(unsigned consumer) const;
  GIN_DEVICE void multiply(float (&sum)[Config::columns / 2], unsigned consumer,
                           unsigned &at) const;
  GIN_DEVICE void writeBox(uint32_t from, const ginMatmulTile_t &tile, int row,
                           int column, bool leader) const;
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
        if (leader || selects)
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
    if constexpr (selects)
      for (unsigned place = 0; place < places; ++place) {
        barrierInit(pushed(place), 1);
        barrierInit(popped(place), 8 + 1 + Hooks::publishes); // other warps
      }
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
    if constexpr (selects)
      for (unsigned place = 0; place < places; ++place) {
        barrierEnd(pushed(place));
        barrierEnd(popped(place));
      }
  }
  syncBlock();
}

template <class Config, class Order, class Hooks>
GIN_DEVICE void HopperMatmul<Config, Order, Hooks>::load(
    unsigned stage, const ginMatmulTile_t &tile, int k) const {
  const ginTensorMap_t *mapA = &operands.a[selects ? 0 : tile.a].map;
  const ginTensorMap_t *mapB = &operands.b[selects ? 0 : tile.b].map;
  const uint32_t barrier = full(stage), b = stageB(stage);
  auto loadB = [&](uint32_t to, int column, int row) {
    if constexpr (selects)
      tensorLoadOf(to, mapB, tile.b, column, row, barrier);
    else if constexpr (cluster == 1)
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
  if constexpr (selects)
    tensorLoadOf(stageA(stage), mapA, tile.a, k, tile.row, barrier);
  else
    tensorLoad(stageA(stage), mapA, k, tile.row, barrier);
}

/// Acquires and loads the steps of a tile; `at` counts these through all tiles.
template <class Config, class Order, class Hooks>
GIN_DEVICE void HopperMatmul<Config, Order, Hooks>::loadTile(
    const ginMatmulTile_t &tile, Hooks &hooks, bool &good, unsigned &at) const {
  for (int k = 0; k < depth; k += Config::depth, ++at) {
    const bool selected = selects && k == 0;
    if (good && !selected && !hooks.acquire(tile, k)) {
      good = false;
      setFailed();
    }
    const unsigned stage = at % stages;
    barrierWait(empty(stage), (at / stages & 1) ^ 1);
    load(stage, tile, k);
  }
}

template <class Config, class Order, class Hooks>
GIN_DEVICE void HopperMatmul<Config, Order, Hooks>::produce(Hooks hooks) const {
  bool good = true;
  unsigned at = 0;
  if constexpr (selects) {
    Walk walk{first};
    ginMatmulTile_t tile;
    while (selectNext(order, walk.index, step, hooks, good, tile)) {
      push(walk, tile);
      loadTile(tile, hooks, good, at);
    }
    if (!good)
      setFailed();
    tile.rows = 0;
    push(walk, tile);
  } else {
    for (unsigned index = first; index < order.size(); index += step)
      loadTile(tileAt(index), hooks, good, at);
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
  Walk walk{first};
  while (pass(walk)) {
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

/// Starts to copy a box of a finished tile to (row, column) of C, as a group of
/// its own. By the leader, or, where hooks select, by its warp.
template <class Config, class Order, class Hooks>
GIN_DEVICE void HopperMatmul<Config, Order, Hooks>::writeBox(
    uint32_t from, const ginMatmulTile_t &tile, int row, int column,
    bool leader) const {
  const ginMatrix_t &c = operands.c[selects ? 0 : tile.c];
  bool failed = hasFailed();
  if constexpr (selects) // all lanes go the same way
    failed = syncWarpOr(failed);
  // After a failure what was multiplied means nothing; groups count on.
  if (failed) {
    commitNothing();
  } else if constexpr (selects) {
    const int rows = tile.row + tile.rows - row; // that are there
    if (rows < 64) {
      if (rows > 0)
        writeRows<Output, Config::outputColumns>(
            from, outputOf<Output, Hooks>(operands.c, tile), row, column,
            static_cast<unsigned>(rows));
      // Publishers may copy them, and consumers fill the buffer again.
      fenceAsync();
      syncWarp();
      commitNothing();
    } else if (leader) {
      if (c.add)
        tensorAddTo(&c.map, tile.c, from, column, row);
      else
        tensorStoreTo(&c.map, tile.c, from, column, row);
    }
  } else if (c.add) {
    tensorAdd(&c.map, from, column, row);
  } else {
    tensorStore(&c.map, from, column, row);
  }
}

template <class Config, class Order, class Hooks>
GIN_DEVICE void HopperMatmul<Config, Order, Hooks>::write(Hooks hooks) const {
  const bool leader = !selects || threadInBlock() % 32 == 0;
  unsigned box = 0;
  Walk walk{first};
  ginMatmulTile_t tile;
  while (next(walk, tile)) {
    if (leader && !hasFailed() && !hooks.reserve(tile))
      setFailed();
    if constexpr (selects)
      syncWarp();
    // Copies read their buffers in order: two of them stay in flight.
    auto drain = [&](unsigned number) {
      if (leader)
        barrierArrive(drained(number % 2, (number / 2) % 2));
    };
    for (int i = 0; i < 2 * boxes; ++i, ++box) {
      const unsigned consumer = box % 2, which = (box / 2) % 2;
      barrierWait(staged(consumer, which), box / 4 & 1);
      const int column = tile.column + i / 2 * Config::outputColumns;
      const int row = tile.row + static_cast<int>(consumer) * 64;
      writeBox(buffer(consumer, which), tile, row, column, leader);
      if (i >= 2) {
        bulkWaitRead<2>();
        drain(box - 2);
      }
    }
    bulkWait();
    drain(box - 2);
    drain(box - 1);
    // By the leader alone: a phase ends without the others, who might miss it.
    if (Hooks::publishes && leader) {
      if (walk.tiles > 1)
        barrierWait(published(), walk.tiles & 1);
      barrierArrive(written());
    }
  }
}

template <class Config, class Order, class Hooks>
GIN_DEVICE void HopperMatmul<Config, Order, Hooks>::publish(Hooks hooks) const {
  Walk walk{first};
  ginMatmulTile_t tile;
  while (next</*Thread=*/true>(walk, tile)) {
    barrierWait(written(), (walk.tiles - 1) & 1);
    if (!hasFailed())
      hooks.publish(tile);
    barrierArrive(published());
  }
}

#endif // GIN_HAVE_WGMMA

} // namespace gin::detail

#endif // GIN_DEVICE_MATMUL_HOPPER_H
