//===- all-gather-grouped-matmul.mlir - ragged tiles of what has arrived --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 3 --repeat 3 --seed 3

// Each rank has some rows for each expert, %counts[e] of them for expert e, one
// expert after the other in %x. It wants the rows of all ranks times its own
// columns of each expert's matrix: %y[q] is row by row %x of rank q times %w[e].
//
// Rows travel in chunks of 4, whatever their expert; a tile is all rows of a rank
// for an expert. So a tile may have no row, or rows of several chunks.

!rows = memref<?x?xf32, #gin.window>
!shards = memref<?x?x?xf32, #gin.window>
!counts = memref<?xi32, #gin.window>
!table = memref<?x?xi32, #gin.window>
!tile = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>
!counted = !gin.signals<?>
!arrived = !gin.signals<?x?>

func.func @all_gather_grouped_matmul(
    %x: !rows {gin.source}, %counts: !counts {gin.source}, %w: !shards {gin.source},
    %y: !shards {gin.source},
    %gathered: !shards {gin.scratch,
      gin.sizes = affine_map<()[ranks, room, k] -> (ranks, room, k)>},
    %table: !table {gin.scratch,
      gin.sizes = affine_map<()[ranks, room, k, experts] -> (ranks, experts)>},
    %counted: !counted {gin.sizes = affine_map<()[ranks] -> (ranks)>},
    %arrived: !arrived {gin.sizes = affine_map<()[ranks, room] -> (ranks, room ceildiv 4)>})
    attributes {gin.run = {
      dims = {experts = "5", room = "experts * 6", k = "7", n = "3",
              x = "room, k", counts = "experts", w = "experts, k, n",
              y = "ranks, room, n"},
      args = {x = "random", counts = "integers:0:6", w = "random"},
      reference = "all-gather-grouped-matmul.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %chunk_rows = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %me = gin.rank
  %ranks = gin.num_ranks
  %experts = memref.dim %w, %c0 : !shards
  %k = memref.dim %w, %c1 : !shards
  %n = memref.dim %w, %c2 : !shards

  // Send the counts, then the rows that there are.
  scf.for %distance = %c0 to %ranks step %c1 {
    %p = gin.neighbor %distance
    gin.put %counts into %table[%me, 0] on %p signal %counted[%me] : !counts into !table, !counted
  }
  %rows = scf.for %e = %c0 to %experts step %c1 iter_args(%sum = %c0) -> index {
    %count_i32 = memref.load %counts[%e] : !counts
    %count = arith.index_cast %count_i32 : i32 to index
    %next = arith.addi %sum, %count : index
    scf.yield %next : index
  }
  scf.for %row = %c0 to %rows step %chunk_rows {
    %rest = arith.subi %rows, %row : index
    %size = arith.minui %rest, %chunk_rows : index
    %chunk = memref.subview %x[%row, 0] [%size, %k] [1, 1] : !rows to !tile
    %c = arith.divui %row, %chunk_rows : index
    scf.for %distance = %c0 to %ranks step %c1 {
      %p = gin.neighbor %distance
      gin.put %chunk into %gathered[%me, %row, 0] on %p signal %arrived[%me, %c]
        : !tile into !shards, !arrived
    }
  }

  // Multiply, source by source in the order in which they were sent to us.
  linalg.fill ins(%zero : f32) outs(%y : !shards)
  scf.for %distance = %c0 to %ranks step %c1 {
    %away = arith.subi %c0, %distance : index
    %q = gin.neighbor %away
    gin.wait %counted[%q] >= 1 : !counted
    scf.for %e = %c0 to %experts step %c1 iter_args(%begin = %c0) -> index {
      %count_i32 = memref.load %table[%q, %e] : !table
      %count = arith.index_cast %count_i32 : i32 to index
      %end = arith.addi %begin, %count : index

      // Each chunk that the tile has rows of.
      %first = arith.divui %begin, %chunk_rows : index
      %behind = arith.ceildivui %end, %chunk_rows : index
      scf.for %c = %first to %behind step %c1 {
        gin.wait %arrived[%q, %c] >= 1 : !arrived
      }
      %a = memref.subview %gathered[%q, %begin, 0] [1, %count, %k] [1, 1, 1] : !shards to !tile
      %b = memref.subview %w[%e, 0, 0] [1, %k, %n] [1, 1, 1] : !shards to !tile
      %tile = memref.subview %y[%q, %begin, 0] [1, %count, %n] [1, 1, 1] : !shards to !tile
      linalg.matmul ins(%a, %b : !tile, !tile) outs(%tile : !tile)
      scf.yield %end : index
    }
  }
  return
}
