//===- teams.mlir - along the rows and columns of a grid ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --algorithm direct --ranks 3 --repeat 3 --seed 3
// RUN: ginc run %s --algorithm ring --ranks 4 --repeat 3 --seed 4
// RUN: ginc run %s --algorithm tree --ranks 7 --repeat 3 --seed 7

!vector = memref<?xf32, #gin.window>
!matrix = memref<?x?xf32, #gin.window>
!blocks = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>

// Windows are made for as many members as there are ranks.
func.func @teams(%x: !vector, %sum: !vector, %total: !vector, %xs: !matrix, %ys: !vector,
                 %order: !matrix, %flipped: !matrix)
    attributes {gin.run = {
      dims = {m = "5", x = "m", sum = "m", total = "m", xs = "ranks, m", ys = "m",
              order = "ranks, m", flipped = "ranks, m"},
      args = {x = "integers:-2:2:1", xs = "integers:-2:2:2"},
      reference = "teams.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.dim %x, %c0 : !vector
  %columns = gin.num_ranks team row of ?x?
  // Alternating teams in a loop: the sum of a row, then the sum of those.
  scf.for %i = %c0 to %c2 step %c1 {
    gin.all_reduce sum %x into %sum team row of ?x? : !vector into !vector
    gin.all_reduce sum %sum into %total team column of ?x? : !vector into !vector
  }
  %some = memref.subview %xs[0, 0] [%columns, %m] [1, 1]
    : !matrix to memref<?x?xf32, strided<[?, 1]>, #gin.window>
  gin.reduce_scatter sum %some into %ys team row of ?x?
    : memref<?x?xf32, strided<[?, 1]>, #gin.window> into !vector
  gin.all_gather %x into %order team column of ?x? : !vector into !matrix
  gin.all_to_all %some into %flipped team row of ?x?
    : memref<?x?xf32, strided<[?, 1]>, #gin.window> into !matrix
  return
}
