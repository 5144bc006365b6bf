//===- all_gather.mlir - of a matrix, a scalar and in place ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --algorithm direct --ranks 3 --repeat 3 --seed 3
// RUN: ginc run %s --algorithm ring --ranks 4 --repeat 3 --seed 4
// RUN: ginc run %s --algorithm tree --ranks 7 --repeat 3 --seed 7

!matrix = memref<?x?xf32, #gin.window>
!matrices = memref<?x?x?xf32, #gin.window>
!scalar = memref<f32, #gin.window>
!vector = memref<?xf32, #gin.window>
!row = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>

func.func @all_gather(%x: !matrix, %all: !matrices, %s: !scalar, %scalars: !vector, %own: !matrices)
    attributes {gin.run = {
      dims = {a = "3", b = "5", x = "a, b", all = "ranks, a, b", scalars = "ranks", own = "ranks, a, b"},
      args = {x = "random:1", s = "random:2", own = "random:3"},
      reference = "all_gather.py"}} {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %me = gin.rank
  %a = memref.dim %own, %c1 : !matrices
  %b = memref.dim %own, %c2 : !matrices
  gin.all_gather %x into %all : !matrix into !matrices
  gin.all_gather %s into %scalars : !scalar into !vector
  // The input is where it has to be already.
  %mine = memref.subview %own[%me, 0, 0] [1, %a, %b] [1, 1, 1] : !matrices to !row
  gin.all_gather %mine into %own : !row into !matrices
  return
}
