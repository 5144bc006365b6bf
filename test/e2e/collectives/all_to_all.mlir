//===- all_to_all.mlir - of blocks, of scalars and of columns -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --algorithm direct --ranks 3 --repeat 3 --seed 3
// RUN: ginc run %s --algorithm ring --ranks 4 --repeat 3 --seed 4
// RUN: ginc run %s --algorithm tree --ranks 7 --repeat 3 --seed 7

!blocks = memref<?x?x?xf32, #gin.window>
!vector = memref<?xf32, #gin.window>
!matrix = memref<?x?xf32, #gin.window>
!columns = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>

func.func @all_to_all(%x: !blocks, %y: !blocks, %s: !vector, %t: !vector,
                      %wide: !matrix, %narrow: !matrix)
    attributes {gin.run = {
      dims = {a = "3", b = "5", x = "ranks, a, b", y = "ranks, a, b", s = "ranks", t = "ranks",
              wide = "ranks, b", narrow = "ranks, b / 2"},
      args = {x = "random:1", s = "random:2", wide = "random:3"},
      reference = "all_to_all.py"}} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %ranks = gin.num_ranks
  gin.all_to_all %x into %y : !blocks into !blocks
  gin.all_to_all %s into %t : !vector into !vector
  // The second half of each row.
  %b = memref.dim %wide, %c1 : !matrix
  %half = arith.divui %b, %c2 : index
  %first = arith.subi %b, %half : index
  %part = memref.subview %wide[0, %first] [%ranks, %half] [1, 1] : !matrix to !columns
  gin.all_to_all %part into %narrow : !columns into !matrix
  return
}
