//===- matmul-reduce-scatter-tiles.mlir - add tiles where they belong -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// The program of matmul-reduce-scatter.mlir with a schedule: each tile is added to
// %y of the rank that keeps its rows as soon as it is computed. Tiles of other ranks
// and own ones take turns, so that the link is busy all the time.

!blocks = memref<?x?x?xbf16, #gin.window>
!matrix = memref<?x?xbf16, #gin.window>
!signals = !gin.signals<?>

#by_rank = affine_map<()[ranks] -> (ranks)>

func.func @matmul_reduce_scatter_tiles(
    %x: !blocks {gin.source}, %w: !matrix {gin.source}, %y: !matrix,
    %cleared: !signals {gin.sizes = #by_rank}, %added: !signals {gin.sizes = #by_rank})
    attributes {gin.run = {
      dims = {m = "130", k = "72", n = "66", x = "ranks, m, k", w = "n, k", y = "m, n"},
      args = {x = "random", w = "random"}, reference = "matmul-reduce-scatter-tiles.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : bf16
  %me = gin.rank
  %ranks = gin.num_ranks
  %right = gin.neighbor %c1

  // Others add to %y when it is 0.
  linalg.fill ins(%zero : bf16) outs(%y : !matrix)
  scf.for %distance = %c1 to %ranks step %c1 {
    %peer = gin.neighbor %distance
    gin.signal %cleared[%me] on %peer : !signals
  }

  gin.matmul %x, %w into %y on parts accumulate transposed from %right alternating
      tiles [128, 192, 64]
    reserve(%part, %row, %column) {
      %remote = arith.cmpi ne, %part, %me : index
      scf.if %remote {
        gin.wait %cleared[%part] >= 1 : !signals
      }
    } : !blocks, !matrix into !matrix

  // What a rank adds to its own %y arrives like what others add.
  scf.for %peer = %c0 to %ranks step %c1 {
    gin.signal %added[%me] on %peer : !signals
  }
  scf.for %q = %c0 to %ranks step %c1 {
    gin.wait %added[%q] >= 1 : !signals
  }
  scf.for %distance = %c1 to %ranks step %c1 {
    %q = gin.neighbor %distance
    gin.wait %cleared[%q] >= 1 : !signals
  }
  return
}
