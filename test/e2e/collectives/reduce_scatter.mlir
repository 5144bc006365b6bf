//===- reduce_scatter.mlir - with each way to combine ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

// RUN: ginc run %s --algorithm direct --ranks 3 --repeat 3 --seed 3
// RUN: ginc run %s --algorithm ring --ranks 4 --repeat 3 --seed 4
// RUN: ginc run %s --algorithm tree --ranks 7 --repeat 3 --seed 7

!blocks = memref<?x?x?xf32, #gin.window>
!block = memref<?x?xf32, #gin.window>
!vector = memref<?xf32, #gin.window>
!scalar = memref<f32, #gin.window>

func.func @reduce_scatter(%x: !blocks, %sum: !block, %prod: !block, %max: !block, %min: !block,
                          %s: !vector, %scalar: !scalar)
    attributes {gin.run = {
      dims = {a = "3", b = "5", x = "ranks, a, b", sum = "a, b", prod = "a, b", max = "a, b",
              min = "a, b", s = "ranks"},
      args = {x = "integers:-2:2:1", s = "integers:-2:2:2"},
      reference = "reduce_scatter.py"}} {
  gin.reduce_scatter sum %x into %sum : !blocks into !block
  gin.reduce_scatter prod %x into %prod : !blocks into !block
  gin.reduce_scatter max %x into %max : !blocks into !block
  gin.reduce_scatter min %x into %min : !blocks into !block
  gin.reduce_scatter sum %s into %scalar : !vector into !scalar
  return
}
