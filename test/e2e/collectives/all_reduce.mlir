//===- all_reduce.mlir - with each way to combine, of each rank -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --algorithm direct --ranks 3 --repeat 3 --seed 3
// RUN: ginc run %s --algorithm ring --ranks 4 --repeat 3 --seed 4
// RUN: ginc run %s --algorithm tree --ranks 7 --repeat 3 --seed 7

!vector = memref<?xf32, #gin.window>
!matrix = memref<?x?xf32, #gin.window>
!scalar = memref<f32, #gin.window>
!columns = memref<?x?xf32, strided<[?, 1], offset: ?>, #gin.window>
!part = memref<?xf32, strided<[2]>, #gin.window>

func.func @all_reduce(%x: !vector, %sum: !vector, %prod: !vector, %max: !vector, %min: !vector,
                      %s: !scalar, %scalar: !scalar, %m: !matrix, %matrix: !matrix,
                      %columns: !matrix, %even: !vector)
    attributes {gin.run = {
      dims = {a = "3", b = "5", x = "a * b", sum = "a * b", prod = "a * b", max = "a * b",
              min = "a * b", m = "a, b", matrix = "a, b", columns = "a, b / 2",
              even = "(a * b + 1) / 2"},
      args = {x = "integers:-2:2:1", s = "integers:-2:2:2", m = "integers:-2:2:3"},
      reference = "all_reduce.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gin.all_reduce sum %x into %sum : !vector into !vector
  gin.all_reduce prod %x into %prod : !vector into !vector
  gin.all_reduce max %x into %max : !vector into !vector
  gin.all_reduce min %x into %min : !vector into !vector
  gin.all_reduce sum %s into %scalar : !scalar into !scalar
  gin.all_reduce sum %m into %matrix : !matrix into !matrix
  // Inputs that are not contiguous: columns of a matrix, every second element.
  %a = memref.dim %m, %c0 : !matrix
  %b = memref.dim %m, %c1 : !matrix
  %half = arith.divui %b, %c2 : index
  %part = memref.subview %m[0, %half] [%a, %half] [1, 1] : !matrix to !columns
  gin.all_reduce sum %part into %columns : !columns into !matrix
  %n = memref.dim %x, %c0 : !vector
  %evens = arith.ceildivui %n, %c2 : index
  %second = memref.subview %x[0] [%evens] [2] : !vector to !part
  gin.all_reduce sum %second into %even : !part into !vector
  return
}
