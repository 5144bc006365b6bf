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
// Where parts have rows or matrices that depend on data, functions say which:
//
//   gin::matmul<Config>(context, grouped, gin::blocks(0, gridDim.x), {},
//                       gin::sharedMemory(), rows, group, acquire);
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

/// Those of a product of groups, all parts of one behind each other; b has a
/// matrix for each group. gin::launcher::groupedOperands fills it in.
struct MatmulGroups {
  ginMatrix_t a, b, c;
};
/// The most parts and groups: as many as a ginMatmulTile_t can name.
constexpr int64_t mostGroupedParts = 65535;

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
  /// Of `count` parts like `c`, in groups of `group` tiles above each other.
  GIN_DEVICE TileOrder(const ginMatrix_t &c, int64_t count, unsigned group,
                       const PartOrder &order, unsigned workers)
      : grid(MatmulGrid::of(Config(), c.rows, c.columns, group)),
        parts(static_cast<unsigned>(count)), first(startOf(order.first, count)),
        workers(workers), alternating(order.alternating) {}

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

/// `rowsOf` and `groupOf` take a part; without one, it has all rows, and the
/// group of its number round about.
template <class Rows, class Group, class Acquire, class Reserve, class Publish,
          class Spare>
struct GroupHooks : TileHooks<Acquire, Reserve, Publish, Spare> {
  const MatmulGroups &operands;
  const Rows &rowsOf;
  const Group &groupOf;

  GIN_DEVICE GroupHooks(Context &context, const MatmulGroups &operands,
                        const Rows &rows, const Group &group,
                        const Acquire &acquire, const Reserve &reserve,
                        const Publish &publish, const Spare &spare)
      : TileHooks<Acquire, Reserve, Publish, Spare>(
            context, static_cast<int32_t>(operands.c.rows), acquire, reserve,
            publish, spare),
        operands(operands), rowsOf(rows), groupOf(group) {}

  static constexpr bool selects = true;

  GIN_DEVICE bool select(ginMatmulTile_t &tile) {
    int64_t end = operands.c.rows;
    if constexpr (!std::is_same_v<Rows, NoHook>)
      end = gin::min(end, static_cast<int64_t>(rowsOf(tile.a)));
    const int64_t groups = operands.b.count;
    int64_t group;
    if constexpr (std::is_same_v<Group, NoHook>)
      group = groups > 0 ? tile.a % groups : 0;
    else
      group = groupOf(tile.a);
    if (tile.row >= end || group < 0 || group >= groups)
      return false;
    tile.b = static_cast<uint16_t>(group);
    // More than a tile has are all of it.
    tile.rows = static_cast<uint16_t>(gin::min<int64_t>(end - tile.row, 128));
    return true;
  }
};

/// Multiplies, and joins the block before and after.
template <class Config, class Hooks>
GIN_DEVICE bool multiplyTiles(Context &context, const MatmulOperands &operands,
                              CtaRange ctas, const TileOrder<Config> &tiles,
                              const Hooks &hooks, void *shared) {
  static_assert(Config::cluster == 1, "a failed block leaves others behind");
  // What was done before is before what the roles of the block do.
  context.failed = syncBlockOr(context.failed);
  if (context.failed)
    return false;
  fenceAsync();
  matmul<Config>(operands, ctas, tiles, hooks, shared);
  context.failed = syncBlockOr(context.failed);
  return !context.failed;
}

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
  using Hooks = detail::TileHooks<Acquire, Reserve, Publish, Spare>;
  return detail::multiplyTiles<Config>(
      context,
      MatmulOperands{operands.a, &operands.b, operands.c, operands.count, 1,
                     operands.count},
      ctas,
      detail::TileOrder<Config>(operands.c[0], operands.count, 8, order,
                                ctas.count),
      Hooks(context, static_cast<int32_t>(operands.c[0].rows), acquire, reserve,
            publish, spare),
      shared);
}

/// The same for parts with `rows(part)` rows, which are written no further than
/// that, and the matrix `group(part)` of B, if there is such a one; NoHook: all
/// rows, and the part's number modulo that of the groups. Both are asked after
/// the tile's first `acquire`.
template <class Config, class Rows, class Group, class Acquire = NoHook,
          class Reserve = NoHook, class Publish = NoHook, class Spare = NoHook>
GIN_DEVICE bool matmul(Context &context, const MatmulGroups &operands,
                       CtaRange ctas, const PartOrder &order, void *shared,
                       const Rows &rows, const Group &group,
                       const Acquire &acquire = {}, const Reserve &reserve = {},
                       const Publish &publish = {}, const Spare &spare = {}) {
  using Hooks =
      detail::GroupHooks<Rows, Group, Acquire, Reserve, Publish, Spare>;
  // Across before down: of a part only the first tiles may be there, which
  // should not all be the same block's.
  return detail::multiplyTiles<Config>(
      context, MatmulOperands{&operands.a, &operands.b, &operands.c}, ctas,
      detail::TileOrder<Config>(operands.c, operands.c.count, 1, order,
                                ctas.count),
      Hooks(context, operands, rows, group, acquire, reserve, publish, spare),
      shared);
}

} // namespace gin

#endif // GIN_DEVICE_TILES_H
