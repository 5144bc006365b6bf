//===- Select.h - which tiles there are, and of which matrices --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Where hooks select tiles (MatmulHooks::selects), one thread of a CTA asks
// them and hands the tiles that are there to the others, through shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_MATMUL_SELECT_H
#define GIN_DEVICE_MATMUL_SELECT_H

#include "runtime/device/Scope.h"
#include "runtime/include/gin_matmul.h"

namespace gin::detail {

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Acquires tiles from `index` on until hooks say that one is there. False:
/// none is left, or, with `good` false, a hook has failed.
template <class Order, class Hooks>
GIN_DEVICE bool selectNext(const Order &order, unsigned &index, unsigned step,
                           Hooks &hooks, bool &good, ginMatmulTile_t &tile) {
  for (; good && index < order.size(); index += step) {
    tile = order(index);
    good = hooks.acquire(tile, 0);
    if (good && hooks.select(tile)) {
      index += step;
      return true;
    }
  }
  return false;
}

/// The tiles of a CTA one after another, for threads that meet. All of them
/// call next(); between two calls they meet at least once.
template <class Config, class Order, class Hooks>
class TileWalk {
  const Order &order;
  unsigned index;
  const unsigned step;
  const int32_t ownRows;         // from the tile's first row to this CTA's
  ginMatmulTile_t *const handed; // in shared memory

public:
  GIN_DEVICE TileWalk(const Order &order, CtaRange ctas, void *handed)
      : order(order), index((blockInGrid() - ctas.first) / Config::cluster),
        step(ctas.count / Config::cluster),
        ownRows(static_cast<int32_t>((blockInGrid() - ctas.first) %
                                     Config::cluster * Config::rows)),
        handed(static_cast<ginMatmulTile_t *>(handed)) {}

  /// `hooks` and `good` are those of the thread that `asks`; `meet` joins.
  template <class Meet>
  GIN_DEVICE bool next(ginMatmulTile_t &tile, bool asks, Hooks &hooks,
                       bool &good, Meet meet) {
    if constexpr (Hooks::selects) {
      if (asks) {
        if (!selectNext(order, index, step, hooks, good, tile))
          tile.rows = 0;
        *handed = tile;
      }
      meet();
      tile = *handed;
      return tile.rows != 0;
    } else {
      if (index >= order.size())
        return false;
      tile = order(index);
      tile.row += ownRows;
      index += step;
      return true;
    }
  }
};

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

/// One matrix of an operand.
template <class T>
struct MatrixView {
  T *data;
  int64_t rows, columns, stride;
  bool add;
};

/// Matrix `index` of an array, or of those behind each other.
template <class T, class Hooks>
GIN_DEVICE MatrixView<T> viewOf(const ginMatrix_t *matrices, unsigned index) {
  const ginMatrix_t &matrix = matrices[Hooks::selects ? 0 : index];
  T *data = static_cast<T *>(matrix.data);
  if constexpr (Hooks::selects)
    data += index * matrix.rows * matrix.stride;
  return {data, matrix.rows, matrix.columns, matrix.stride, matrix.add != 0};
}

/// Where a tile is written: rows that are not there are behind the end.
template <class T, class Hooks>
GIN_DEVICE MatrixView<T> outputOf(const ginMatrix_t *matrices,
                                  const ginMatmulTile_t &tile) {
  MatrixView<T> view = viewOf<T, Hooks>(matrices, tile.c);
  if constexpr (Hooks::selects)
    view.rows = tile.row + int64_t(tile.rows);
  return view;
}

} // namespace gin::detail

#endif // GIN_DEVICE_MATMUL_SELECT_H
