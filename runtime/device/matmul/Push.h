//===- Push.h - a matrix to other GPUs, chunk by chunk ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The sending side of a matmul on gathered rows: workers (CTAs, or one warp of
// each CTA that computes) copy a rank's matrix into a peer's memory in chunks
// of rows x columns, and signal each chunk. A chunk that does not span all of k
// lets a peer begin with the first steps of all of its tiles.
//
//===----------------------------------------------------------------------===//

#ifndef GIN_DEVICE_MATMUL_PUSH_H
#define GIN_DEVICE_MATMUL_PUSH_H

#include "runtime/device/Gin.h"
#include "runtime/device/matmul/Tma.h"

namespace gin {

/// A matrix cut into chunks, and these into pieces that are copied at once; all
/// in elements. Chunks are numbered row by row, and have equally many pieces:
/// those outside the matrix are empty. Pieces best divide chunks: where they do
/// not, what sticks out is sent twice.
struct ChunkGrid {
  int rows, columns;           // of the matrix
  int chunkRows, chunkColumns; // the latter a multiple of 64, as steps of k are
  int pieceRows, pieceColumns;

  GIN_ANYWHERE static int ceilDiv(int a, int b) { return (a + b - 1) / b; }
  GIN_ANYWHERE int down() const { return ceilDiv(rows, chunkRows); }
  GIN_ANYWHERE int across() const { return ceilDiv(columns, chunkColumns); }
  GIN_ANYWHERE int chunks() const { return down() * across(); }
  GIN_ANYWHERE int piecesDown() const { return ceilDiv(chunkRows, pieceRows); }
  GIN_ANYWHERE int piecesAcross() const {
    return ceilDiv(chunkColumns, pieceColumns);
  }
  /// The weight that all signals of a chunk add up to.
  GIN_ANYWHERE int piecesOfChunk() const {
    return piecesDown() * piecesAcross();
  }
};

/// Which of a push's pieces one worker sends: those congruent to `index`.
/// `pace`: SM cycles from one piece to the next at least. What tile loops
/// beside it lose to the copies is least if these go as slowly as they may.
struct PushShare {
  int index, count;
  int64_t pace;
};

/// Where a matrix comes from and goes to, at one peer. Where tensor maps cannot
/// serve it, pieces go row by row.
struct PushRoute {
  const ginTensorMap_t *source, *target; // boxes of a piece; null: none
  const Window *sourceWindow, *targetWindow;
  uint64_t sourceOffset, targetOffset; // of the matrix, in bytes
  uint64_t sourceStride, targetStride; // of a row, in bytes
  uint32_t elementBytes;
  int32_t peer;
  const Bank *bank;
  uint32_t firstSlot; // of chunk 0
};

#ifdef __CUDACC__

/// Shared memory that pieces pass through.
template <int Stages>
struct PushRing {
  static_assert(Stages >= 2, "a piece is loaded while another is stored");
  static constexpr uint32_t head = 128;
  GIN_ANYWHERE static constexpr uint32_t bytesFor(uint32_t pieceBytes) {
    return head + Stages * pieceBytes;
  }

  uint32_t address, pieceBytes;
  uint32_t loaded = 0, stored = 0;

  /// One thread, which alone uses it. `shared` is aligned to 128.
  GIN_DEVICE PushRing(void *shared, uint32_t pieceBytes)
      : address(static_cast<uint32_t>(__cvta_generic_to_shared(shared))),
        pieceBytes(pieceBytes) {
#ifdef GIN_HAVE_BULK
    for (int i = 0; i < Stages; ++i)
      detail::barrierInit(address + 8 * i, 1);
    fenceAsync();
#endif
  }
  GIN_DEVICE uint32_t buffer(uint32_t number) const {
    return address + head + number % Stages * pieceBytes;
  }
  GIN_DEVICE uint32_t barrier(uint32_t number) const {
    return address + number % Stages * 8;
  }
};

namespace detail {

GIN_DEVICE void waitUntil(int64_t cycle) {
  while (clock64() < cycle)
    pause(64);
}

/// Walks a worker's pieces without dividing: a division takes as long as it
/// takes to issue several copies.
class PieceCursor {
  const ChunkGrid &grid;
  const int chunks, chunksAcross, down, across; // the latter two of pieces
  const int stepDown, stepAcross;
  int chunkRow = 0, chunkColumn = 0, pieceRow = 0, pieceColumn = 0;

  GIN_DEVICE void carry() {
    if (pieceColumn >= across) {
      pieceColumn -= across;
      ++pieceRow;
    }
    for (; pieceRow >= down; pieceRow -= down) {
      ++chunk;
      if (++chunkColumn == chunksAcross) {
        chunkColumn = 0;
        ++chunkRow;
      }
    }
  }

public:
  int chunk = 0;

  GIN_DEVICE PieceCursor(const ChunkGrid &grid, const PushShare &share)
      : grid(grid), chunks(grid.chunks()), chunksAcross(grid.across()),
        down(grid.piecesDown()), across(grid.piecesAcross()),
        stepDown(share.count / across), stepAcross(share.count % across) {
    pieceRow = share.index / across;
    pieceColumn = share.index % across;
    carry();
  }
  GIN_DEVICE bool atEnd() const { return chunk >= chunks; }
  GIN_DEVICE void next() {
    pieceRow += stepDown;
    pieceColumn += stepAcross;
    carry();
  }
  GIN_DEVICE int row() const {
    return chunkRow * grid.chunkRows + pieceRow * grid.pieceRows;
  }
  GIN_DEVICE int column() const {
    return chunkColumn * grid.chunkColumns + pieceColumn * grid.pieceColumns;
  }
};

} // namespace detail

#ifdef GIN_HAVE_BULK
/// Sends this worker's pieces by tensor copies. One thread.
template <int Stages>
GIN_DEVICE void pushTensor(Context &context, const ChunkGrid &grid,
                           const PushRoute &route, const PushShare &share,
                           PushRing<Stages> &ring) {
  constexpr uint32_t lag = Stages / 2;
  detail::PieceCursor ahead(grid, share), at(grid, share);
  auto load = [&] {
    const uint32_t barrier = ring.barrier(ring.loaded);
    detail::barrierExpect(barrier, ring.pieceBytes);
    detail::tensorLoad(ring.buffer(ring.loaded), route.source, ahead.column(),
                       ahead.row(), barrier);
    ++ring.loaded;
    ahead.next();
  };
  const uint32_t before = ring.stored;
  int64_t due = clock64() + share.pace * share.index / share.count;
  while (ring.loaded - ring.stored < Stages && !ahead.atEnd())
    load();
  uint64_t pieces = 0; // sent and not yet signalled
  while (!at.atEnd() && !context.failed) {
    detail::barrierWait(ring.barrier(ring.stored), ring.stored / Stages & 1);
    if (share.pace > 0) {
      detail::waitUntil(due);
      due += share.pace;
    }
    detail::tensorStore(route.target, ring.buffer(ring.stored), at.column(),
                        at.row());
    context.bulkPending = true;
    ++ring.stored;
    detail::bulkWaitRead<static_cast<int>(lag)>();
    if (ring.stored - before > lag && !ahead.atEnd())
      load();
    ++pieces;
    const uint32_t chunk = static_cast<uint32_t>(at.chunk);
    at.next();
    if (at.chunk != static_cast<int>(chunk)) {
      signal(context, Thread(), route.peer,
             {route.bank, route.firstSlot + chunk, pieces});
      pieces = 0;
    }
  }
  // After a failure, loads may be in flight: nobody leaves before they land.
  for (; ring.stored != ring.loaded; ++ring.stored)
    detail::barrierWait(ring.barrier(ring.stored), ring.stored / Stages & 1);
  detail::bulkWaitRead<0>();
}
#endif

/// The same row by row, in any alignment. A warp.
GIN_DEVICE void pushRows(Context &context, const ChunkGrid &grid,
                         const PushRoute &route, const PushShare &share) {
  uint64_t pieces = 0;
  for (detail::PieceCursor at(grid, share); !at.atEnd();) {
    const int rowEnd = min(at.row() + grid.pieceRows, grid.rows);
    const int columns = min(grid.pieceColumns, grid.columns - at.column());
    for (int row = at.row(); row < rowEnd && columns > 0; ++row) {
      const uint64_t offset =
          static_cast<uint64_t>(at.column()) * route.elementBytes;
      const uint64_t line = static_cast<uint64_t>(row);
      put(context, Warp(), route.peer, *route.targetWindow,
          route.targetOffset + line * route.targetStride + offset,
          *route.sourceWindow,
          route.sourceOffset + line * route.sourceStride + offset,
          static_cast<uint64_t>(columns) * route.elementBytes);
    }
    ++pieces;
    const uint32_t chunk = static_cast<uint32_t>(at.chunk);
    at.next();
    if (at.chunk != static_cast<int>(chunk)) {
      signal(context, Warp(), route.peer,
             {route.bank, route.firstSlot + chunk, pieces});
      pieces = 0;
    }
  }
}

#endif // __CUDACC__

} // namespace gin

#endif // GIN_DEVICE_MATMUL_PUSH_H
