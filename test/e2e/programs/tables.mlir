//===- tables.mlir - constants that stand in the program ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --ranks 2 --seed 1

// Each rank weighs its rows by those of @weights, in the order of @order, and puts
// them to its neighbour.

!rows = memref<6x4xf32, #gin.window>
!row = memref<4xf32, strided<[1], offset: ?>>

memref.global "private" constant @order : memref<6xi64> = dense<[5, 3, 0, 4, 1, 2]>
memref.global "private" constant @weights : memref<6x4xf32> = dense<[
  [0.5, 1.25, -3.0, 7.0], [0.125, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [9.0, 8.0, 7.0, 6.0],
  [0.25, 2.0, 3.5, 4.0], [11.0, 2.0, 3.0, 4.75]]>

func.func @tables(%x: !rows {gin.source}, %weighed: !rows, %y: !rows, %arrived: !gin.signals<1>)
    attributes {gin.run = {args = {x = "random"}, reference = "tables.py"}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %right = gin.neighbor 1
  %order = memref.get_global @order : memref<6xi64>
  scf.forall (%i) in (6) {
    %weights = memref.get_global @weights : memref<6x4xf32>
    %at = memref.load %order[%i] : memref<6xi64>
    %from = arith.index_cast %at : i64 to index
    %row = memref.subview %weights[%from, 0] [1, 4] [1, 1] : memref<6x4xf32> to !row
    %first = memref.load %row[%c0] : !row
    scf.for %j = %c0 to %c4 step %c1 {
      %weight = memref.load %row[%j] : !row
      %sum = arith.addf %weight, %first : f32
      %value = memref.load %x[%i, %j] : !rows
      %product = arith.mulf %value, %sum : f32
      memref.store %product, %weighed[%i, %j] : !rows
    }
  }
  gin.put %weighed into %y[0, 0] on %right signal %arrived[0] : !rows into !rows, !gin.signals<1>
  gin.wait %arrived[0] >= 1 : !gin.signals<1>
  gin.flush
  return
}
