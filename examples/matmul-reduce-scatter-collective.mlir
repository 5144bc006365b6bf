//===- matmul-reduce-scatter-collective.mlir - multiply, then scatter -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

!blocks = memref<?x?x?xf16, #gin.window>
!matrix = memref<?x?xf16, #gin.window>
!products = memref<?x?x?xf32, #gin.window>
!product = memref<?x?xf32, #gin.window>
!sum = memref<?x?xf32, #gin.window>

func.func @matmul_reduce_scatter(
    %x: !blocks {gin.source}, %w: !matrix {gin.source}, %y: !sum,
    %products: !products {gin.scratch,
      gin.sizes = affine_map<()[ranks, blocks, m, k, k_w, n] -> (ranks, m, n)>})
    attributes {gin.run = {
      dims = {m = "24", k = "32", n = "40", x = "ranks, m, k", w = "k, n", y = "m, n"},
      args = {x = "random", w = "random"}, reference = "matmul-reduce-scatter.py"}} {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%products : !products)
  // All blocks one above the other are one matrix.
  %a = memref.collapse_shape %x [[0, 1], [2]] : !blocks into !matrix
  %product = memref.collapse_shape %products [[0, 1], [2]] : !products into !product
  linalg.matmul ins(%a, %w : !matrix, !matrix) outs(%product : !product)
  gin.reduce_scatter sum %products into %y : !products into !sum
  return
}
