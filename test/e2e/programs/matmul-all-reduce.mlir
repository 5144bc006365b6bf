//===- matmul-all-reduce.mlir - add products to all sums as they are ready ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 3 --repeat 3 --seed 3

// Rank q has some columns of A, %x, and the rows of B that belong to them, %w: its
// product is one summand of A B, which all ranks want. A block of 8 rows is added
// to everybody's sum while the next one is computed.

!matrix = memref<?x?xf32, #gin.window>
!rows = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>

func.func @matmul_all_reduce(
    %x: !matrix {gin.source}, %w: !matrix {gin.source}, %y: !matrix,
    %product: !matrix {gin.scratch, gin.sizes = affine_map<()[ranks, m, k, k_w, n] -> (m, n)>},
    %added: !gin.signals<1>)
    attributes {gin.run = {
      dims = {m = "29", k = "12", n = "10", x = "m, k", w = "k, n", y = "m, n"},
      args = {x = "random", w = "random"}, reference = "matmul-all-reduce.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %block = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %ranks = gin.num_ranks
  %m = memref.dim %x, %c0 : !matrix
  %k = memref.dim %x, %c1 : !matrix
  %n = memref.dim %w, %c1 : !matrix

  // All ranks add to %y: not before the zeros are there.
  linalg.fill ins(%zero : f32) outs(%y : !matrix)
  gin.barrier

  linalg.fill ins(%zero : f32) outs(%product : !matrix)
  scf.for %row = %c0 to %m step %block {
    %rest = arith.subi %m, %row : index
    %size = arith.minui %rest, %block : index
    %a = memref.subview %x[%row, 0] [%size, %k] [1, 1] : !matrix to !rows
    %c = memref.subview %product[%row, 0] [%size, %n] [1, 1] : !matrix to !rows
    linalg.matmul ins(%a, %w : !rows, !matrix) outs(%c : !rows)
    scf.for %distance = %c0 to %ranks step %c1 {
      %p = gin.neighbor %distance
      gin.put %c into %y[%row, 0] on %p accumulate signal %added[0]
        : !rows into !matrix, !gin.signals<1>
    }
  }

  // All blocks of all ranks: no count but the last would say which ones have come.
  %blocks = arith.ceildivui %m, %block : index
  %all = arith.muli %blocks, %ranks : index
  gin.wait %added[0] >= %all : !gin.signals<1>
  return
}
