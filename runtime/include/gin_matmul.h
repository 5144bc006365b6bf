/*===- gin_matmul.h - operands and tile orders of a matmul --------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The host's side of gin::matmul (runtime/device/Matmul.h): describes operands
// once, when their addresses are known, and fills tables that say in which
// order a kernel computes its tiles. All of it is plain data that a launcher
// passes to its kernel.
//
//   C[m, n] (+)= A[m, k] * B[k, n]
//
// A and C may come in parts with the same rows, for instance one for each rank;
// a tile lies within a part. All matrices are row-major; a stride is the number
// of elements from one row to the next.
//
//===----------------------------------------------------------------------===*/

#ifndef GIN_MATMUL_H
#define GIN_MATMUL_H

#include "runtime/include/gin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels take tensor maps as arguments at multiples of 64 bytes. Code for the
 * host has no use for that, and structures have the same size without. */
#if defined(__CUDACC__)
#define GIN_MATMUL_ALIGNED alignas(64)
#else
#define GIN_MATMUL_ALIGNED
#endif

/* -- tensor maps ----------------------------------------------------------- */

typedef enum ginElement {
  GIN_ELEMENT_F16 = 0,
  GIN_ELEMENT_BF16 = 1,
  GIN_ELEMENT_F32 = 2,
  GIN_ELEMENT_OTHER = 3 /* of any size; no tensor map describes it */
} ginElement_t;

/* A CUtensorMap, for a header that does without CUDA's. */
typedef struct ginTensorMap {
  GIN_MATMUL_ALIGNED uint64_t words[16];
} ginTensorMap_t;

/* Describes a matrix, at any address that the current GPU can use, a peer's
 * too, for tensor copies of boxes of boxRows x boxColumns. `count`: 0, or
 * that of matrices behind each other, `rows` rows apart, which are a third
 * dimension of the copies. `swizzle`: bytes of the pattern in shared memory, 0,
 * 32, 64 or 128 (see the PTX manual, "swizzling modes"). *made becomes 0,
 * without an error, if copies by tensor maps cannot serve it: they need an
 * address and row distance of multiples of 16 bytes, sizes between 1 and 2^32 -
 * 1, and a GPU of compute capability 9. Errors: GIN_ERR_INVALID_ARGUMENT for a
 * box that is never possible, GIN_ERR_NO_BACKEND without a driver. */
GIN_API ginResult_t ginTensorMapMake(ginElement_t element, const void *data,
                                     int64_t count, int64_t rows,
                                     int64_t columns, int64_t stride,
                                     unsigned boxRows, unsigned boxColumns,
                                     unsigned swizzle, ginTensorMap_t *map,
                                     int *made);

/* -- operands -------------------------------------------------------------- */

/* Of a tile, as the kernel was compiled for: gin::MatmulConfig::shape(). */
typedef struct ginMatmulShape {
  int columns;       /* of a tile: 64, 128, 192, 224 or 256 */
  int cluster;       /* CTAs that compute a tile, each 128 of its rows: 1, 2 */
  int outputColumns; /* of C that are written at once */
} ginMatmulShape_t;

typedef enum ginMatmulRole {
  GIN_MATMUL_A = 0,            /* m x k */
  GIN_MATMUL_B = 1,            /* k x n */
  GIN_MATMUL_B_TRANSPOSED = 2, /* n x k */
  GIN_MATMUL_C = 3             /* m x n */
} ginMatmulRole_t;

/* An operand, a part of one, or all its parts: a kernel argument. `add` may be
 * set on a part of C: results are added to what is there, each element
 * atomically. */
typedef struct ginMatrix {
  ginTensorMap_t map;
  void *data;
  int64_t rows, columns, stride;
  uint32_t mapped; /* whether `map` can be used, or nothing will be copied */
  uint32_t add;
  int64_t count; /* of matrices behind each other; 0: one, with a map of two
                    dimensions */
  uint64_t reserved[2];
} ginMatrix_t;

/* Fills in `matrix`; `rows` and `columns` are those of the matrix as it is
 * stored. Sizes may be 0. What tensor maps cannot describe (also a C whose rows
 * do not end at a multiple of 16 bytes) is no error: the kernel then takes a
 * slower path, for all operands. Errors:
 * GIN_ERR_INVALID_ARGUMENT (negative sizes, a stride shorter than a row, a
 * null address, an impossible shape), GIN_ERR_NO_BACKEND. */
GIN_API ginResult_t ginMatrixMake(ginMatmulRole_t role,
                                  const ginMatmulShape_t *shape,
                                  ginElement_t element, void *data,
                                  int64_t rows, int64_t columns, int64_t stride,
                                  ginMatrix_t *matrix);

/* The same for `count` matrices behind each other, without gaps. */
GIN_API ginResult_t ginMatricesMake(ginMatmulRole_t role,
                                    const ginMatmulShape_t *shape,
                                    ginElement_t element, void *data,
                                    int64_t count, int64_t rows,
                                    int64_t columns, ginMatrix_t *matrices);

/* -- tiles ----------------------------------------------------------------- */

/* The tile with the upper left corner (row, column), in parts a, b, c of its
 * operands. Its rows are the same in A and C. `rows`: those that there are, of
 * tiles that hooks select (gin::MatmulHooks); of no meaning in a table. */
typedef struct ginMatmulTile {
  int32_t row;
  int32_t column;
  uint16_t a, b, c, rows;
} ginMatmulTile_t;

/* The tile width, of those that kernels have, with which an m x n product
 * keeps `ctas` CTAs busy for the shortest time: what counts is how often each
 * of them computes a tile, the last time included. */
GIN_API int ginMatmulColumns(int64_t m, int64_t n, int ctas);

/* Orders for `ranks` parts of rows[0] ... rows[ranks - 1] rows and n columns.
 * Groups of `group` tiles above each other are walked column by column, so that
 * what their B's tiles and A's share stays in the cache; 4 is a good value.
 * Each stores the number of tiles in *count, and the tiles themselves if
 * `tiles` is not null; a tile's a and c are its part's number, b is 0.
 *
 * Gather: part after part, from the own one on, as all-gathered rows arrive
 * soonest from the next rank. With ranks = 1, a plain matmul. */
GIN_API ginResult_t ginMatmulGatherOrder(const ginMatmulShape_t *shape,
                                         int rank, int ranks,
                                         const int64_t *rows, int64_t n,
                                         int group, ginMatmulTile_t *tiles,
                                         size_t *count);

/* Scatter: tiles of other ranks and own ones in turn, so that the link carries
 * results during the whole launch; other ranks' begin with the next rank and
 * take turns. `ctas` compute, tile i by cluster i modulo their number: each of
 * them gets tiles of both kinds. */
GIN_API ginResult_t ginMatmulScatterOrder(
    const ginMatmulShape_t *shape, int rank, int ranks, const int64_t *rows,
    int64_t n, int group, int ctas, ginMatmulTile_t *tiles, size_t *count);

#ifdef __cplusplus
}
#endif

#endif /* GIN_MATMUL_H */
