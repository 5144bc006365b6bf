//===- Matmul.cpp - operands and tile orders of a matmul ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/host/Result.h"
#include "runtime/include/gin_matmul.h"

#include <algorithm>
#include <vector>

using namespace gin::host;

/// Rows of a tile that one CTA computes, and the depth of a step of k.
static constexpr int tileRows = 128, tileDepth = 64;
static constexpr int tileColumns[] = {256, 224, 192, 128, 64};

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static ginResult_t checkShape(const ginMatmulShape_t *shape, const char *who) {
  if (!shape)
    return fail(GIN_ERR_INVALID_ARGUMENT, std::string(who) + ": shape is null");
  const bool wide = std::find(std::begin(tileColumns), std::end(tileColumns),
                              shape->columns) != std::end(tileColumns);
  if (!wide || (shape->cluster != 1 && shape->cluster != 2) ||
      shape->outputColumns < 8 || shape->columns % shape->outputColumns != 0)
    return fail(GIN_ERR_INVALID_ARGUMENT,
                std::string(who) + ": tiles of " +
                    std::to_string(shape->columns) + " columns by " +
                    std::to_string(shape->cluster) + " CTAs, written by " +
                    std::to_string(shape->outputColumns));
  return GIN_SUCCESS;
}

/// `count` matrices behind each other, with a map of three dimensions; 0: one,
/// with a map of two.
static ginResult_t makeMatrix(const char *who, ginMatmulRole_t role,
                              const ginMatmulShape_t *shape,
                              ginElement_t element, void *data, int64_t count,
                              int64_t rows, int64_t columns, int64_t stride,
                              ginMatrix_t *matrix) {
  return guarded([&]() -> ginResult_t {
    GIN_TRY(checkShape(shape, who));
    if (!matrix)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  std::string(who) + ": a null pointer");
    if (rows < 0 || columns < 0 || stride < columns)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  std::string(who) + ": " + std::to_string(rows) + " x " +
                      std::to_string(columns) + " elements with a stride of " +
                      std::to_string(stride));
    const bool empty = rows == 0 || columns == 0;
    if (!data && !empty)
      return fail(GIN_ERR_INVALID_ARGUMENT,
                  std::string(who) + ": data is null");
    *matrix = {};
    matrix->data = data;
    matrix->rows = rows;
    matrix->columns = columns;
    matrix->stride = stride;
    matrix->count = count;
    // Nothing is ever copied from or to it.
    if (empty) {
      matrix->mapped = 1;
      return GIN_SUCCESS;
    }
    // Boxes of 128 bytes in a row, the widest pattern, except where an output's
    // tile is no multiple of it. Each CTA of a cluster loads its share of B.
    const unsigned cluster = static_cast<unsigned>(shape->cluster);
    unsigned boxRows = 0, boxColumns = tileDepth;
    switch (role) {
    case GIN_MATMUL_A:
      boxRows = tileRows;
      break;
    case GIN_MATMUL_B:
      boxRows = tileDepth / cluster;
      break;
    case GIN_MATMUL_B_TRANSPOSED:
      boxRows = static_cast<unsigned>(shape->columns) / cluster;
      break;
    case GIN_MATMUL_C:
      boxRows = 64; // those of a warpgroup
      boxColumns = static_cast<unsigned>(shape->outputColumns);
      break;
    }
    if (boxRows == 0) // an enumerator that is none
      return fail(GIN_ERR_INVALID_ARGUMENT, std::string(who) + ": role");
    // Tensor copies write whole 16 bytes of a row, with zeros after its end:
    // what stands there may be somebody's.
    const int64_t size = element == GIN_ELEMENT_F32 ? 4 : 2;
    if (role == GIN_MATMUL_C && columns * size % 16 != 0)
      return GIN_SUCCESS;
    int made = 0;
    GIN_TRY(ginTensorMapMake(element, data, count, rows, columns, stride,
                             boxRows, boxColumns,
                             boxColumns * (element == GIN_ELEMENT_F32 ? 4 : 2),
                             &matrix->map, &made));
    matrix->mapped = static_cast<uint32_t>(made);
    return GIN_SUCCESS;
  });
}

ginResult_t ginMatrixMake(ginMatmulRole_t role, const ginMatmulShape_t *shape,
                          ginElement_t element, void *data, int64_t rows,
                          int64_t columns, int64_t stride,
                          ginMatrix_t *matrix) {
  return makeMatrix("ginMatrixMake", role, shape, element, data, 0, rows,
                    columns, stride, matrix);
}

ginResult_t ginMatricesMake(ginMatmulRole_t role, const ginMatmulShape_t *shape,
                            ginElement_t element, void *data, int64_t count,
                            int64_t rows, int64_t columns,
                            ginMatrix_t *matrices) {
  if (count < 0)
    return fail(GIN_ERR_INVALID_ARGUMENT,
                "ginMatricesMake: " + std::to_string(count) + " matrices");
  // None are like some without rows.
  GIN_TRY(makeMatrix("ginMatricesMake", role, shape, element, data,
                     std::max<int64_t>(count, 1), count == 0 ? 0 : rows,
                     columns, columns, matrices));
  matrices->count = count;
  return GIN_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

int ginMatmulColumns(int64_t m, int64_t n, int ctas) {
  const int64_t clusters = std::max(ctas / 2, 1);
  int best = tileColumns[0];
  int64_t least = INT64_MAX;
  for (int columns : tileColumns) {
    const int64_t tiles = ceilDiv(m, 2 * tileRows) * ceilDiv(n, columns);
    // What a tile costs besides its columns, in columns: measured.
    const int64_t time = ceilDiv(tiles, clusters) * (columns + 16);
    if (time < least) {
      least = time;
      best = columns;
    }
  }
  return best;
}

/// The tiles of a part in groups of `group` above each other.
static void appendPart(const ginMatmulShape_t &shape, int part, int64_t rows,
                       int64_t n, int group,
                       std::vector<ginMatmulTile_t> &tiles) {
  const int64_t height = int64_t(tileRows) * shape.cluster;
  const int64_t down = ceilDiv(rows, height),
                across = ceilDiv(n, shape.columns);
  for (int64_t first = 0; first < down; first += group)
    for (int64_t column = 0; column < across; ++column)
      for (int64_t row = first; row < std::min(first + group, down); ++row) {
        ginMatmulTile_t tile{};
        tile.row = static_cast<int32_t>(row * height);
        tile.column = static_cast<int32_t>(column * shape.columns);
        tile.a = tile.c = static_cast<uint16_t>(part);
        tiles.push_back(tile);
      }
}

static ginResult_t checkOrder(const ginMatmulShape_t *shape, int rank,
                              int ranks, const int64_t *rows, int64_t n,
                              int group, const size_t *count, const char *who) {
  GIN_TRY(checkShape(shape, who));
  bool good = count && rows && ranks >= 1 && ranks <= 65535 && rank >= 0 &&
              rank < ranks && group >= 1 && n >= 0 && n <= INT32_MAX - 256;
  for (int part = 0; good && part < ranks; ++part)
    good = rows[part] >= 0 && rows[part] <= INT32_MAX - 256;
  return good ? GIN_SUCCESS
              : fail(GIN_ERR_INVALID_ARGUMENT,
                     std::string(who) + ": sizes, ranks or a null pointer");
}

static void store(const std::vector<ginMatmulTile_t> &from,
                  ginMatmulTile_t *tiles, size_t *count) {
  *count = from.size();
  if (tiles)
    std::copy(from.begin(), from.end(), tiles);
}

ginResult_t ginMatmulGatherOrder(const ginMatmulShape_t *shape, int rank,
                                 int ranks, const int64_t *rows, int64_t n,
                                 int group, ginMatmulTile_t *tiles,
                                 size_t *count) {
  return guarded([&]() -> ginResult_t {
    GIN_TRY(checkOrder(shape, rank, ranks, rows, n, group, count,
                       "ginMatmulGatherOrder"));
    std::vector<ginMatmulTile_t> order;
    for (int i = 0; i < ranks; ++i) {
      const int part = (rank + i) % ranks;
      appendPart(*shape, part, rows[part], n, group, order);
    }
    store(order, tiles, count);
    return GIN_SUCCESS;
  });
}

ginResult_t ginMatmulScatterOrder(const ginMatmulShape_t *shape, int rank,
                                  int ranks, const int64_t *rows, int64_t n,
                                  int group, int ctas, ginMatmulTile_t *tiles,
                                  size_t *count) {
  return guarded([&]() -> ginResult_t {
    GIN_TRY(checkOrder(shape, rank, ranks, rows, n, group, count,
                       "ginMatmulScatterOrder"));
    std::vector<std::vector<ginMatmulTile_t>> parts;
    for (int i = 1; i <= ranks; ++i) {
      const int part = (rank + i) % ranks;
      parts.emplace_back();
      appendPart(*shape, part, rows[part], n, group, parts.back());
    }
    // Parts take turns in proportion to their size: the next tile is of the
    // part that is furthest behind, another rank's where several are.
    size_t total = 0;
    for (const auto &part : parts)
      total += part.size();
    std::vector<size_t> taken(parts.size(), 0);
    std::vector<ginMatmulTile_t> order;
    while (order.size() < total) {
      size_t next = parts.size();
      for (size_t i = 0; i < parts.size(); ++i)
        if (taken[i] < parts[i].size() &&
            (next == parts.size() ||
             taken[i] * parts[next].size() < taken[next] * parts[i].size()))
          next = i;
      order.push_back(parts[next][taken[next]++]);
    }
    // A cluster that always meets the same place of the turn would send all of
    // its tiles, another none: shift every round of the clusters by one.
    const size_t clusters =
        static_cast<size_t>(std::max(ctas / shape->cluster, 1));
    if (clusters % parts.size() == 0)
      for (size_t first = 0, round = 0; first + clusters <= total;
           first += clusters, ++round)
        std::rotate(
            order.begin() + static_cast<std::ptrdiff_t>(first),
            order.begin() +
                static_cast<std::ptrdiff_t>(first + round % parts.size()),
            order.begin() + static_cast<std::ptrdiff_t>(first + clusters));
    store(order, tiles, count);
    return GIN_SUCCESS;
  });
}
