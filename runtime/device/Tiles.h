//===- Tiles.h - tile loops of emitted kernels ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// gin::matmul (Matmul.h) as compiled programs call it: operands in equal parts,
// an order that is computed, and hooks that are functions.
//
//   gin::matmul<Config>(context, operands, gin::blocks(0, gridDim.x),
//                       {context.rank}, gin::sharedMemory(), acquire);
//
// Launch: Config::threads threads a block, Config::sharedBytes() of dynamic
// shared memory beside the kernel's own; Config::cluster is 1, so that a block
// that has failed leaves no other one behind.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_TILES_H
#define GIN_DEVICE_TILES_H

#include "runtime/device/Gin.h"
#include "runtime/device/Matmul.h"

namespace gin {

/// Of equal size each; a larger number is refused before the launch.
constexpr int mostParts = 16;

/// The operands of a product: a kernel argument. gin::launcher::operands fills
/// it in.
struct MatmulParts {
  ginMatrix_t a[mostParts], c[mostParts], b;
  int32_t count; // of parts of A and C
};

/// Tiles part by part, from `first` on, or from all parts in turn.
struct PartOrder {
  int64_t first = 0;
  bool alternating = false;
};

/// A hook that does nothing.
struct NoHook {};

namespace detail {

template <class Config>
class TileOrder {
  MatmulGrid grid;
  unsigned parts, first, workers;
  bool alternating;

public:
  GIN_DEVICE TileOrder(const MatmulParts &operands, const PartOrder &order,
                       unsigned workers)
      : grid(MatmulGrid::of(Config(), operands.c[0].rows, operands.c[0].columns,
                            8)),
        parts(static_cast<unsigned>(operands.count)),
        first(startOf(order.first, operands.count)), workers(workers),
        alternating(order.alternating) {}

  /// Any number, as a neighbour's may be, round about.
  GIN_DEVICE static unsigned startOf(int64_t first, int64_t parts) {
    const int64_t atLeastOne = parts > 0 ? parts : 1;
    return static_cast<unsigned>((first % atLeastOne + atLeastOne) %
                                 atLeastOne);
  }

  GIN_DEVICE unsigned size() const { return parts * grid.size(); }

  GIN_DEVICE ginMatmulTile_t operator()(unsigned index) const {
    unsigned turn, inPart;
    if (alternating) {
      // A worker that always meets the same part would send all of its tiles,
      // another none: each round of the workers is shifted by one.
      const unsigned round = index / workers, begin = round * workers;
      if (workers % parts == 0 && begin + workers <= size())
        index = begin + (index - begin + round % parts) % workers;
      turn = index % parts;
      inPart = index / parts;
    } else {
      turn = index / grid.size();
      inPart = index % grid.size();
    }
    ginMatmulTile_t tile = grid(inPart);
    const unsigned part =
        first + turn < parts ? first + turn : first + turn - parts;
    tile.a = tile.c = static_cast<uint16_t>(part);
    return tile;
  }
};

template <class Acquire, class Reserve, class Publish, class Spare>
struct TileHooks : MatmulHooks {
  Context &context;
  int32_t rows; // of a part
  const Acquire &onAcquire;
  const Reserve &onReserve;
  const Publish &onPublish;
  const Spare &onSpare;

  GIN_DEVICE TileHooks(Context &context, int32_t rows, const Acquire &acquire,
                       const Reserve &reserve, const Publish &publish,
                       const Spare &spare)
      : context(context), rows(rows), onAcquire(acquire), onReserve(reserve),
        onPublish(publish), onSpare(spare) {}

  static constexpr bool publishes = !std::is_same_v<Publish, NoHook>;

  GIN_DEVICE bool acquire(const ginMatmulTile_t &tile, int k) {
    if constexpr (!std::is_same_v<Acquire, NoHook>)
      if (tile.row < rows)
        onAcquire(int64_t(tile.a), int64_t(tile.row), int64_t(k));
    return !context.failed;
  }
  GIN_DEVICE bool reserve(const ginMatmulTile_t &tile) {
    if constexpr (!std::is_same_v<Reserve, NoHook>)
      if (tile.row < rows)
        onReserve(int64_t(tile.c), int64_t(tile.row), int64_t(tile.column));
    return !context.failed;
  }
  GIN_DEVICE void publish(const ginMatmulTile_t &tile) {
    if constexpr (publishes)
      if (tile.row < rows)
        onPublish(int64_t(tile.c), int64_t(tile.row), int64_t(tile.column));
  }
  GIN_DEVICE void spare() {
    if constexpr (!std::is_same_v<Spare, NoHook>)
      onSpare();
  }
};

} // namespace detail

/// The blocks first, first + 1, ..., first + count - 1 of the launch.
GIN_DEVICE CtaRange blocks(int64_t first, int64_t count) {
  return {static_cast<unsigned>(first), static_cast<unsigned>(count)};
}

/// Multiplies; the blocks of `ctas` call it. The hooks take the part, the row,
/// and k or the column; `spare` takes nothing, and is called by a whole warp.
/// They are called by single threads otherwise, and what fails in them fails
/// for the block. False, in all threads of the block, after an error.
template <class Config, class Acquire = NoHook, class Reserve = NoHook,
          class Publish = NoHook, class Spare = NoHook>
GIN_DEVICE bool matmul(Context &context, const MatmulParts &operands,
                       CtaRange ctas, const PartOrder &order, void *shared,
                       const Acquire &acquire = {}, const Reserve &reserve = {},
                       const Publish &publish = {}, const Spare &spare = {}) {
  static_assert(Config::cluster == 1, "a failed block leaves others behind");
  // What was done before is before what the roles of the block do.
  context.failed = syncBlockOr(context.failed);
  if (context.failed)
    return false;
  fenceAsync();
  const detail::TileOrder<Config> tiles(operands, order, ctas.count);
  using Hooks = detail::TileHooks<Acquire, Reserve, Publish, Spare>;
  matmul<Config>(MatmulOperands{operands.a, &operands.b, operands.c,
                                operands.count, 1, operands.count},
                 ctas, tiles,
                 Hooks(context, static_cast<int32_t>(operands.c[0].rows),
                       acquire, reserve, publish, spare),
                 shared);
  context.failed = syncBlockOr(context.failed);
  return !context.failed;
}

} // namespace gin

#endif // GIN_DEVICE_TILES_H
