//===- cannon.mlir - Cannon's algorithm on a square grid ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 9 --repeat 3 --seed 3

// Rank (i, j) of a square grid has tiles A(i, j) and B(i, j), %a and %b, and wants
// the tile C(i, j) of C = A B. In each of `side` steps it multiplies one tile of A
// from its row with one of B from its column; then the tiles of A move to the left,
// those of B up. Before the first step, row i moves by i, and column j by j, so
// that the tiles that meet belong together.

#grid = #gin.grid<?x?>
#row = #gin.team<row of ?x?>
#column = #gin.team<column of ?x?>

!tile = memref<?x?xf32, #gin.window>
!places = memref<2x?x?xf32, #gin.window>
!place = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>
!signals = !gin.signals<2x2>   // for A and B, for each place

func.func @cannon(%a: !tile {gin.source}, %b: !tile {gin.source}, %c: !tile {gin.source},
    %as: !places {gin.scratch, gin.sizes = affine_map<()[ranks, m, k] -> (m, k)>},
    %bs: !places {gin.scratch, gin.sizes = affine_map<()[ranks, m, k, k_b, n] -> (k, n)>},
    %arrived: !signals)
    attributes {gin.run = {
      dims = {m = "5", k = "3", n = "7", a = "m, k", b = "k, n", c = "m, n"},
      args = {a = "random", b = "random"}, reference = "cannon.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.dim %a, %c0 : !tile
  %k = memref.dim %a, %c1 : !tile
  %n = memref.dim %b, %c1 : !tile
  %i, %j = gin.coords #grid
  %side = gin.num_ranks team #column
  %width = gin.num_ranks team #row
  %square = arith.cmpi eq, %side, %width : index
  cf.assert %square, "the grid is not square"

  %minus_i = arith.subi %c0, %i : index
  %minus_j = arith.subi %c0, %j : index
  %start_left = gin.neighbor %minus_i team #row
  %start_up = gin.neighbor %minus_j team #column
  gin.put %a into %as[0, 0, 0] on %start_left team #row signal %arrived[0, 0]
    : !tile into !places, !signals
  gin.put %b into %bs[0, 0, 0] on %start_up team #column signal %arrived[1, 0]
    : !tile into !places, !signals

  linalg.fill ins(%zero : f32) outs(%c : !tile)
  %left = gin.neighbor -1 team #row
  %up = gin.neighbor -1 team #column
  scf.for %step = %c0 to %side step %c1 {
    // The tiles are in place step mod 2, filled for the (step / 2 + 1)st time. They
    // travel on, each to the other place of the next rank, while they are used.
    %here = arith.remui %step, %c2 : index
    %there = arith.subi %c1, %here : index
    %earlier = arith.divui %step, %c2 : index
    %fillings = arith.addi %earlier, %c1 : index
    %tile_a = memref.subview %as[%here, 0, 0] [1, %m, %k] [1, 1, 1] : !places to !place
    %tile_b = memref.subview %bs[%here, 0, 0] [1, %k, %n] [1, 1, 1] : !places to !place
    gin.wait %arrived[0, %here] >= %fillings : !signals
    gin.wait %arrived[1, %here] >= %fillings : !signals

    %next = arith.addi %step, %c1 : index
    %more = arith.cmpi ult, %next, %side : index
    scf.if %more {
      gin.put %tile_a into %as[%there, 0, 0] on %left team #row signal %arrived[0, %there]
        : !place into !places, !signals
      gin.put %tile_b into %bs[%there, 0, 0] on %up team #column signal %arrived[1, %there]
        : !place into !places, !signals
    }
    linalg.matmul ins(%tile_a, %tile_b : !place, !place) outs(%c : !tile)

    // From here on our tiles may be overwritten: they are sent and used.
    gin.flush
    gin.barrier
  }
  return
}
