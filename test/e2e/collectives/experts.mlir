//===- experts.mlir - dispatch and combine, ragged and repeated -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 3 --repeat 3 --seed 1
// RUN: ginc run %s --ranks 8 --repeat 3 --seed 2 --dims t=1

// Ranks have different numbers of tokens; many choices are of no expert, or of one
// that is full. The experts return what they got, times their local number plus 1.

!tokens = memref<?x?xf32, #gin.window>
!choices = memref<?x?xi64, #gin.window>
!places = memref<?x?xi32, #gin.window>
!weights = memref<?x?xf32, #gin.window>
!received = memref<?x?x?x?xf32, #gin.window>
!counts = memref<?x?xi32, #gin.window>
!row = memref<?xf32, strided<[1], offset: ?>, #gin.window>

func.func @experts(%x: !tokens, %choices: !choices, %weights: !weights, %y: !tokens,
                   %positions: !places, %received: !received,
                   %counts: !counts, %sums: !received)
    attributes {gin.run = {
      dims = {t = "6", k = "3", e = "2", c = "3", h = "5",
              x = "t - rank % 2, h", choices = "t - rank % 2, k", weights = "t - rank % 2, k",
              y = "t - rank % 2, h", positions = "t - rank % 2, k", counts = "ranks, e",
              received = "ranks, e, c, h", sums = "ranks, e, c, h"},
      args = {x = "integers:-2:2:1", choices = "integers:-2:12:2", weights = "integers:-2:2:3"},
      reference = "experts.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %none = arith.constant -1 : i64
  %ranks = gin.num_ranks
  %e = memref.dim %counts, %c1 : !counts
  %h = memref.dim %x, %c1 : !tokens
  scf.for %round = %c0 to %c2 step %c1 {
    gin.dispatch %x, %choices into %received, %counts, %positions
      : !tokens, !choices into !received, !counts, !places
    scf.for %q = %c0 to %ranks step %c1 {
      scf.for %l = %c0 to %e step %c1 {
        %count = memref.load %counts[%q, %l] : !counts
        %rows = arith.index_cast %count : i32 to index
        scf.for %r = %c0 to %rows step %c1 {
          %in = memref.subview %received[%q, %l, %r, 0] [1, 1, 1, %h] [1, 1, 1, 1]
            : !received to !row
          %out = memref.subview %sums[%q, %l, %r, 0] [1, 1, 1, %h] [1, 1, 1, 1]
            : !received to !row
          memref.copy %in, %out : !row to !row
          scf.for %i = %c0 to %l step %c1 {
            linalg.add ins(%in, %out : !row, !row) outs(%out : !row)
          }
        }
      }
    }
    // A pair that is taken out between the two; then it is gone in the next round.
    %tokens = memref.dim %x, %c0 : !tokens
    %k = memref.dim %choices, %c1 : !choices
    %pairs = arith.muli %tokens, %k : index
    %some = arith.cmpi ugt, %pairs, %c0 : index
    scf.if %some {
      memref.store %none, %choices[%c0, %c0] : !choices
    }
    gin.combine %sums, %choices, %positions, %weights into %y
      : !received, !choices, !places, !weights into !tokens
  }
  return
}
